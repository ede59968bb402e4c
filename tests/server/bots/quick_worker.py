"""A process of computer players that has loaded compiled code at once, without any being there."""

from __future__ import annotations

import sys

from bohn.server.bots import worker

if __name__ == "__main__":
    worker.load_compiled = lambda: None
    worker.main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
