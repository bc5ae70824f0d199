"""A UCI engine for matches that shuffles its knights or horses, and misbehaves by script.

Copied with a `PLAN` and a shebang before it. PLAN keys: `game` (chess, xiangqi), `name`, `at` (the
search, from 0, at which `does` happens), `does` (crash, hang, garbage, escape, illegal, none),
`silent` (never says uciok), `dies` (at once), `dies_at_new_game` (which), `options` (lines),
`score` (centipawns), `chatter` (info lines before a move), `log` (gets all input), `starts` (file
that gets a line a process), `most_starts` (later processes die), `waits_for` (a file without which
it answers no search after `games_before` games).
"""

import os
import sys
import time

HOPS = {
    "chess": (("g1f3", "f3g1"), ("g8f6", "f6g8")),
    "xiangqi": (("h1g3", "g3h1"), ("h10g8", "g8h10")),
}


def say(*lines: str) -> None:
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def main() -> None:
    plan = PLAN  # noqa: F821
    if "starts" in plan:
        with open(plan["starts"], "a+") as file:  # noqa: PTH123
            file.write("started\n")
            file.seek(0)
            if len(file.readlines()) > plan.get("most_starts", 1000):
                sys.exit("no more")
    if plan.get("dies"):
        sys.exit("cannot load weights")
    hops = HOPS[plan.get("game", "chess")]
    searches = plies = games = 0
    for line in sys.stdin:
        words = line.split()
        if "log" in plan:
            with open(plan["log"], "a") as file:  # noqa: PTH123
                file.write(line)
        if words[0] == "uci" and not plan.get("silent"):
            say(f"id name {plan.get('name', 'Fake 1.0')}", *plan.get("options", ()), "uciok")
        elif words[0] == "ucinewgame":
            games += 1
            if games == plan.get("dies_at_new_game"):
                sys.exit(9)
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            plies = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif words[0] == "go":
            while games > plan.get("games_before", games) and not os.path.exists(plan["waits_for"]):  # noqa: PTH110
                time.sleep(0.01)
            does = plan.get("does") if searches == plan.get("at") else None
            searches += 1
            for depth in (1, 2) if "score" in plan else ():
                say(f"info depth {depth} score cp {plan['score']} nodes {depth}")
            say(*("info string chatter",) * plan.get("chatter", 0))
            if does == "crash":
                say("info string about to crash")
                os.kill(os.getpid(), 11)
            if does == "hang":
                time.sleep(1000)
            hop = hops[plies % 2][plies // 2 % 2]
            nonsense = {"garbage": "tower", "illegal": "a1a3", "none": "(none)"}
            nonsense["escape"] = "\x1b[2Jtower"
            say(f"bestmove {nonsense.get(does, hop)} ponder a1a2")
        elif words[0] == "quit":
            return


main()
