"""The one process whose tests see compiled code; by hand: ``BOHN_INTERPRET=0 pytest -m compiled tests``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bohn.lab.compile_cache import INTERPRET
from bohn.lab.compiling import COMPILED
from tests.effort import WHOLE

ROOT = Path(__file__).parents[2]
TWIN = ("tests/lab", "--ignore=tests/lab/players")
ALL = ("tests/bots", "tests/lab", "tests/bench/test_exploit.py", "tests/server/bots/test_compile_job.py")
WHERE = ALL if WHOLE else TWIN
"""By hand the twin only: the players upon it take two minutes to compile."""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba") is None, reason="nothing compiles without Numba")
@pytest.mark.skipif(COMPILED, reason="this process is the one")
def test_compiled_code_passes_its_tests(tmp_path: Path) -> None:
    """Tests marked `compiled` pass as machine code too; it is cached, so only changed sources compile."""
    program = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "compiled", "--durations=15")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(  # noqa: S603 - this interpreter, on our own tests
        [*program, "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "compiled"), *WHERE],
        env=environment | {INTERPRET: "0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > (80 if WHOLE else 50), "some lost their mark"


@pytest.mark.compiled(only=True)
def test_code_in_the_compiled_process_is_compiled() -> None:
    """Where interpreted code is not asked for and Numba is there, it compiles."""
    assert COMPILED
    assert COMPILED is (os.environ.get(INTERPRET) != "1" and find_spec("numba") is not None)
