"""Mutation score of ``bohn.rules``: change one thing, and see whether a test goes red.

``python bench/mutation.py --mutants 400 --workers 2`` draws mutants at random (a seed makes the draw
repeatable), runs the tests of the rules against each in a copy of the tree, and prints the
survivors and the score. A mutant that hangs counts as killed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).parents[1]
RULES = Path("src/bohn/rules")
SECONDS = 60
TESTS = ("tests/scenarios", "tests/rules", "tests/views", "tests/golden")

SWAPS: dict[type[ast.AST], Any] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


def places(tree: ast.Module) -> Iterator[Any]:
    """Yield every node that can be changed; annotations are left alone."""
    annotations = {
        id(inner)
        for node in ast.walk(tree)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if part is not None
        for inner in ast.walk(part)
    }
    for node in ast.walk(tree):
        if id(node) in annotations:
            continue
        swaps = (
            (isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS)
            or (isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPS)
            or (isinstance(node, ast.Constant) and type(node.value) is int)
        )
        if swaps or isinstance(node, ast.If | ast.IfExp | ast.While):
            yield node


def mutated(tree: ast.Module, number: int) -> tuple[ast.Module, str]:
    """Return a copy of the tree with its ``number``-th change, and words for it."""
    changed = copy.deepcopy(tree)
    node = list(places(changed))[number]
    before = ast.unparse(node).splitlines()[0]
    if isinstance(node, ast.Compare):
        node.ops = [SWAPS[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = SWAPS[type(node.op)]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value = node.value + 1
    else:
        node.test = ast.UnaryOp(ast.Not(), node.test)
    after = ast.unparse(node).splitlines()[0]
    return ast.fix_missing_locations(changed), f"line {node.lineno}: {before}  ->  {after}"


def all_mutants() -> list[tuple[Path, int]]:
    """Return every mutant as file and number; editions are data and left out."""
    files = sorted(p for p in (ROOT / RULES).rglob("*.py") if "editions" not in p.parts)
    return [
        (file.relative_to(ROOT), number)
        for file in files
        for number in range(len(list(places(ast.parse(file.read_text())))))
    ]


def survives(tree: Path, file: Path, number: int) -> str | None:
    """Return words for the mutant if no test notices it, running the tests in a copy of the tree."""
    original = (ROOT / file).read_text()
    changed, words = (
        mutated(ast.parse(original), number) if number >= 0 else (ast.parse(original), "unchanged")
    )
    (tree / file).write_text(ast.unparse(changed))
    tests = [test for test in TESTS if (tree / test).exists()]
    quiet = ["-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *quiet, *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(  # noqa: S603 - our own interpreter and tests
            command, cwd=tree, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    finally:
        (tree / file).write_text(original)
    return f"{file} {words}" if run.returncode == 0 else None


def main() -> None:
    """Draw mutants, run the tests against each, print survivors and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    everything = all_mutants()
    drawn = random.Random(options.seed).sample(everything, min(options.mutants, len(everything)))
    trees: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder:
        for worker in range(options.workers):
            tree = Path(folder) / str(worker)
            ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
            shutil.copytree(ROOT, tree, ignore=ignored)
            trees.put(tree)

        def judge(mutant: tuple[Path, int]) -> str | None:
            tree = trees.get()
            try:
                return survives(tree, *mutant)
            finally:
                trees.put(tree)

        if judge((drawn[0][0], -1)) is None:
            sys.exit("the tests fail without any mutant; mend them first")
        with ThreadPoolExecutor(options.workers) as pool:
            survivors = []
            for done, verdict in enumerate(pool.map(judge, drawn), start=1):
                if verdict is not None:
                    survivors.append(verdict)
                    print(f"[{done}/{len(drawn)}] survives: {verdict}", flush=True)
    score = 1 - len(survivors) / len(drawn)
    print(f"{len(drawn)} of {len(everything)} mutants, {len(survivors)} survive: score {score:.1%}")


if __name__ == "__main__":
    main()
