"""A UCI engine that misbehaves by script; copied with a `PLAN` and a shebang before it.

PLAN keys: `crash_after`, `hang_after`, `answers` (FEN piece placement -> output lines),
`rubbish_on`, `crash_on`, `hang_on` (placements), `start_s`, `silent_start`, `die_at_start`,
`options` (lines), `delay_s`, `name`, `log` (file that gets every `go` with its position).
"""

import os
import sys
import time


def say(*lines: str) -> None:
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def main() -> None:
    searched = 0
    fen = ""
    if PLAN.get("die_at_start"):  # noqa: F821
        print("cannot load weights", file=sys.stderr)
        sys.exit(7)
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            time.sleep(PLAN.get("start_s", 0))  # noqa: F821
            if PLAN.get("silent_start"):  # noqa: F821
                continue
            say(f"id name {PLAN.get('name', 'Scripted 1.0')}")  # noqa: F821
            say(
                *PLAN.get(  # noqa: F821
                    "options",
                    [
                        "option name Hash type spin default 16 min 1 max 64",
                        "option name MultiPV type spin default 1 min 1 max 5",
                        "option name Style Of Play type combo default Calm var Calm var Wild",
                        "option name Ponder type check default false",
                    ],
                ),
                "uciok",
            )
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            fen = " ".join(words[2:6])
        elif words[0] == "go":
            board = fen.split()[0]
            if "log" in PLAN:  # noqa: F821
                with open(PLAN["log"], "a") as log:  # noqa: F821, PTH123
                    log.write(f"{fen} {' '.join(words[1:])}\n")
            if searched == PLAN.get("crash_after") or board in PLAN.get("crash_on", ()):  # noqa: F821
                say("info string about to crash")
                os.kill(os.getpid(), 11)
            if searched == PLAN.get("hang_after") or board in PLAN.get("hang_on", ()):  # noqa: F821
                say("info string thinking")
                time.sleep(1000)
            searched += 1
            time.sleep(PLAN.get("delay_s", 0))  # noqa: F821
            # A piece of the side to move: the score tells positions apart.
            move = first_move(fen)
            depth = words[-1] if words[1] == "depth" else 5
            usual = [
                f"info depth {depth} multipv 1 score cp {len(board)} nodes 10 time 1 pv {move}",
                f"bestmove {move}",
            ]
            if board in PLAN.get("rubbish_on", ()):  # noqa: F821
                usual = ["\x00\x01 what?", "bestmove tower takes tower"]
            say(*PLAN.get("answers", {}).get(board, usual))  # noqa: F821
        elif words[0] == "quit":
            return


def first_move(fen: str) -> str:
    board, side = fen.split()[:2]
    for rank, row in zip("87654321", board.split("/"), strict=True):
        column = 0
        for char in row:
            if char.isdigit():
                column += int(char)
            else:
                if char.isupper() == (side == "w"):
                    return f"{'abcdefgh'[column]}{rank}{'abcdefgh'[column]}{rank}"
                column += 1
    return "0000"


main()
