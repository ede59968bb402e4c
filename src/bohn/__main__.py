"""``python -m bohn``: the command line."""

from bohn.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
