"""A cluster of Ray that is pretended, in this process: what the project makes of it needs no Ray."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bohn.arena import cluster, ray_executor
from bohn.arena.executor import SerialExecutor


class PretendedRay:
    """Ray's functions as far as they are used: ``answers`` changes a number and what was found."""

    def __init__(self, answers: Any) -> None:
        self.answers = answers
        self.most = 0
        self.done: list[tuple[str, tuple[Any, ...]]] = []
        self.dropped: list[Any] = []
        self.machines = ["one"]
        self.cores = 2.0
        self.exceptions = SimpleNamespace(RayError=LookupError)
        strategies = SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, **_: node)
        self.util = SimpleNamespace(scheduling_strategies=strategies)

    def init(self, *_: object, **__: object) -> None:
        """Begin."""

    def shutdown(self) -> None:
        """End."""

    def put(self, thing: object) -> object:
        """Hand an object over."""
        return thing

    def nodes(self) -> list[dict[str, Any]]:
        """Return the machines."""
        return [{"NodeID": name, "Alive": True, "Resources": {"CPU": self.cores}} for name in self.machines]

    def cluster_resources(self) -> dict[str, float]:
        """Return the cores of all machines."""
        return {"CPU": self.cores * len(self.machines)}

    def remote(self, do: Any, name: str = "") -> Any:
        """Return what hands a piece over."""

        def hand_over(*parts: Any) -> Any:
            self.done.append((name, parts[3:]))
            return self.answers(do(*parts))

        return SimpleNamespace(remote=hand_over, options=lambda name, **_: self.remote(do, name))

    def wait(self, tasks: Sequence[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        """Return the last task as the first that is done; nothing once all machines are gone."""
        assert num_returns == 1
        assert timeout > 0
        if not self.machines:
            return [], list(tasks)
        self.most = max(self.most, len(tasks))
        return [tasks[-1]], list(tasks[:-1])

    def cancel(self, task: Any, *, force: bool) -> None:
        """Note what is not wanted any more."""
        assert force
        self.dropped.append(task)

    def get(self, task: Any) -> Any:
        """Return what a task has found."""
        if task is None:
            msg = "first line\nthe machine is gone"
            raise LookupError(msg)
        return task


def pretend(monkeypatch: pytest.MonkeyPatch, answers: Any = lambda answer: answer) -> PretendedRay:
    """Let clusters have a pretended Ray."""
    return _set(monkeypatch, PretendedRay(answers))


def _set(monkeypatch: pytest.MonkeyPatch, ray: PretendedRay) -> PretendedRay:
    monkeypatch.setattr(cluster, "_ray", lambda: ray)
    monkeypatch.setattr(ray_executor, "_watched", SerialExecutor)  # a process for each test would take long
    return ray


class Repeating:
    """Answers in which the first piece comes again in place of every other."""

    def __init__(self) -> None:
        self.first: Any = None

    def __call__(self, answer: Any) -> Any:
        """Return the first answer."""
        self.first = self.first or answer
        return self.first


class LosingRay(PretendedRay):
    """A cluster that forgets a piece whenever it gives one back."""

    def wait(self, tasks: Sequence[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        """Return a task, and lose another."""
        ready, others = super().wait(tasks, num_returns, timeout)
        return ready, others[1:]


def lose(monkeypatch: pytest.MonkeyPatch) -> PretendedRay:
    """Let clusters have a Ray that loses pieces and says nothing."""
    return _set(monkeypatch, LosingRay(lambda answer: answer))
