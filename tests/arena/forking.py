"""A program that plays by the first legal command and has left processes behind, each in another way.

``python forking.py FILE WAY...`` appends the number of each to FILE. They hold its pipes open and sleep.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path


def note() -> None:
    """Note the own number."""
    with Path(sys.argv[1]).open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")


def sleep() -> None:
    """Wait longer than any test."""
    note()
    time.sleep(600)
    os._exit(0)


def fork(way: str) -> None:
    """Start a process, which flees ``group`` or ``session``, or loses its parent or environment as well."""
    if os.fork():
        return
    if way == "group":
        os.setpgid(0, 0)
    if way in ("session", "orphan", "bare"):
        os.setsid()
    if way in ("orphan", "bare") and os.fork():
        os._exit(0)
    if way == "bare":
        note()
        os.execve("/bin/sleep", ["sleep", "600"], {})  # noqa: S606 - a program without its environment
    sleep()


def main() -> None:
    """Leave the processes behind, then play."""
    for wanted in sys.argv[2:]:
        if wanted == "end":
            note()
            sys.exit("gone")
        fork(wanted)
    note()
    for line in sys.stdin:
        message = json.loads(line)
        answer = message["legal"][0] if message["type"] == "decide" else {"trades": False}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
