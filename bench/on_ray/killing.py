"""Who kills: every so often a process that plays, or a machine, for which another joins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import Generic, TypeVar

from bench.on_ray.machines import Machines, kill_process

Found = TypeVar("Found")


class _Doing(threading.Thread, Generic[Found]):
    """Does something beside, and keeps what was found, or what went wrong."""

    def __init__(self, deed: Callable[[], Found]) -> None:
        super().__init__(daemon=True)  # what hangs is not waited for at the end
        self._deed = deed
        self.found: list[Found] = []
        self.wrong: list[BaseException] = []

    def run(self) -> None:
        try:
            self.found.append(self._deed())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            self.wrong.append(error)


class Killer:
    """Kills every so many seconds; ``done`` lists what: ``process`` or ``machine``."""

    def __init__(self, seed: str, every: float) -> None:
        """Draw from this seed."""
        self.done: list[str] = []
        self._rand = Random(seed)
        self._every = every

    def while_done(self, machines: Machines, deed: Callable[[], Found]) -> Found:
        """Return what a deed finds, and kill meanwhile: in the main thread, which alone starts machines."""
        doing = _Doing(deed)
        doing.start()
        while True:
            doing.join(self._every)
            if not doing.is_alive():
                break
            self._kill(machines)
        if doing.wrong:
            raise doing.wrong[0]
        return doing.found[0]

    def _kill(self, machines: Machines) -> None:
        if self._rand.random() < 0.5:
            if kill_process(self._rand):
                self.done.append("process")
        elif machines.kill(self._rand):
            self.done.append("machine")
        machines.fill_up()
