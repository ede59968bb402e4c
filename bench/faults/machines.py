"""The workers, each on a machine of its own: started, killed, stopped, and given a wrong clock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bench.faults.database import Database
from bench.faults.network import Network
from bench.faults.worker import CLOCK, PLANT
from bohn.lab.compile_cache import INTERPRET
from bohn.server.settings import Settings, Times
from tests.server.support.serving import PLENTY

WORKERS = ("one", "two", "three")
CROWD = "crowd"

TIMES = Times(
    fast_decision=4_000, fast_trading=10_000, last_call=1_500, collect=300, away=20_000, ping=10_000,
    bot_move=(300, 700), bot_delay=(300, 1_000), bot_open=(2_000, 3_000), bot_quiet=1_000, bot_first_market=0,
    bot_beside_people=(500, 1_500), idle_table=120_000,
)  # fmt: skip
"""Short clocks; leases, sweeps and beats are those that every server has."""

SETTINGS = Settings(limits=replace(PLENTY, frame_bytes=65_536), times=TIMES, bots=0)


class Worker:
    """One worker process; it can be started again after its end."""

    def __init__(self, name: str, network: Network, database: Database, folder: Path, plant: str) -> None:
        """Write what it is to read; nothing is started yet."""
        self.name = name
        self._network = network
        self._clock = folder / f"{name}.clock"
        self._log = folder / f"{name}.log"
        self._settings = folder / f"{name}.json"
        self._plant = plant
        settings = replace(
            SETTINGS,
            host=network.address(name),
            names=(network.address(name),),
            proxies=(network.address(CROWD),),  # such an address may have many connections
            store=database.address,
            worker=name,
        )
        self._settings.write_bytes(msgspec.json.encode(settings))
        self.process: subprocess.Popen[bytes] | None = None
        self.busy = False
        """Whether a fault has hold of it."""
        self.ready = False
        """Whether it has served since it was started last."""

    def launch(self) -> None:
        """Start it without waiting."""
        command = [sys.executable, "-m", "bench.faults.worker", "serve"]
        command += ["--settings", str(self._settings)]
        self.ready = False
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter
                self._network.command(self.name, *command),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, CLOCK: str(self._clock), PLANT: self._plant, INTERPRET: "1"},
            )  # fmt: skip

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it, and wait for its end."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """Ask it to end; return its exit status, or kill it."""
        if self.process is None:
            return 0
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            return -9

    @property
    def gone(self) -> bool:
        """Whether it was started and has ended."""
        return self.process is not None and self.process.poll() is not None

    def set_clock(self, seconds: int) -> None:
        """Let its clock of the day be wrong by so much from now on, over its restarts too."""
        self._clock.write_text(str(seconds))
        self.send(signal.SIGUSR1)

    def words(self) -> str:
        """Return the end of what it has said."""
        return self._log.read_text(errors="replace")[-2_000:] if self._log.exists() else ""

    def mistakes(self) -> list[str]:
        """Return the lines in which it has written of a mistake of its own."""
        if not self._log.exists():
            return []
        lines = self._log.read_text(errors="replace").splitlines()
        return [line for line in lines if '"mistake"' in line or '"task-failed"' in line]
