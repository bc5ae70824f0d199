"""A GTP engine for tests that plays a list of moves, and misbehaves by script.

Copied with a `PLAN` and a shebang before it. PLAN keys: `moves` (answers to genmove in turn), `at`
(the genmove, from 0, at which `does` happens), `does` (crash, hang, refuse, other), `refuses`
(command), `answers` (by command), `silent`, `dies` (at once, with words), `numbers` (False:
answers bear none), `noise` (line on standard error before every answer), `log` (gets arguments and
all input).
"""

import os
import sys
import time


def main() -> None:
    plan = PLAN  # noqa: F821
    if plan.get("dies"):
        sys.exit("no such option")
    log = open(plan["log"], "a") if "log" in plan else open(os.devnull, "w")  # noqa: PTH123, SIM115
    print("started", *sys.argv[1:], file=log, flush=True)
    moves = iter(plan.get("moves", ()))
    generated = 0
    for line in sys.stdin:
        print(line.rstrip(), file=log, flush=True)
        number, *words = line.split()
        if plan.get("silent"):
            continue
        if "noise" in plan:
            print(plan["noise"], file=sys.stderr, flush=True)
        said = {"name": "Fake", "version": "2.1", **plan.get("answers", {})}.get(words[0], "")
        sign = "?" if words[0] == plan.get("refuses") else "="
        if words[0] == "genmove":
            does = plan.get("does") if generated == plan.get("at", 0) else None
            generated += 1
            if does == "crash":
                os._exit(9)
            if does == "hang":
                time.sleep(600)
            if does == "other":
                number = "999"
            said = next(moves, "pass")
        sys.stdout.write(f"{sign}{number if plan.get('numbers', True) else ''} {said}\n\n")
        sys.stdout.flush()


main()
