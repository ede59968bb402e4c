"""Many games between computer players over a process pool, the same for any number of workers.

Deals are duplicate: every deal is played once per rotation of the line-up, so that each player
sits once in each seat of each deal, with the same cards. Intervals are over deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import asdict

from bohn.play.floor import FLOOR_SETTINGS, FloorSetting, GameResult, Stats, play_game
from bohn.play.seat import BotFactory
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.scoring import PENNIES_A_COIN

WIDTH = 1.96
"""Standard errors on either side of a mean that make a 95 % interval."""


class Mean(Struct, frozen=True):
    """A mean and the half width of its 95 % interval."""

    mean: float
    plus_minus: float


class PlayerResult(Struct, frozen=True):
    """How one player of the line-up did: share of the wins (ties split after the tie-break), and coins."""

    name: str
    share: Mean
    coins: Mean


class Summary(Struct, frozen=True):
    """The result of a simulation; ``stats`` are means per game, ``games`` the number really played.

    ``entries`` are in the order of the line-up; ``by_name`` combines equal players. ``digests`` say what the
    players of that name did then, where that is known.
    """

    edition: str
    house_rules: tuple[str, ...]
    players: int
    setting: str
    seed: str
    games: int
    deals: int
    turns: float
    entries: tuple[PlayerResult, ...]
    by_name: tuple[PlayerResult, ...]
    stats: dict[str, float]
    digests: dict[str, str] = {}


class DealJob(Struct, frozen=True):
    """The work that a worker does at a time: one deal in all rotations."""

    edition: str
    players: int
    house_rules: tuple[str, ...]
    factories: tuple[BotFactory, ...]
    seed: str
    deal: int
    setting: FloorSetting


class DealResult(Struct, frozen=True):
    """One deal in all rotations: sums over its games, by place in the line-up."""

    games: int
    shares: tuple[float, ...]
    coins: tuple[float, ...]
    turns: int
    stats: dict[str, int]


def bot_seed(seed: str, deal: int, rotation: int, seat: int) -> int:
    """Return the seed of one bot's random numbers; it depends on nothing else, so workers do not matter."""
    digest = sha256(f"{seed}/{deal}/{rotation}/{seat}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def play_rotation(
    rules: Rules, factories: Sequence[BotFactory], seed: str, deal: int, rotation: int, setting: FloorSetting
) -> GameResult:
    """Play one deal with the line-up turned by some seats: its first player sits in seat ``rotation``."""
    bots = [
        factories[(seat - rotation) % len(factories)](bot_seed(seed, deal, rotation, seat))
        for seat in range(rules.players)
    ]
    return play_game(rules, f"{seed}/{deal}", bots, setting)


def play_deal(job: DealJob) -> DealResult:
    """Play one deal in all rotations."""
    rules = resolve(job.edition, job.players, *job.house_rules)
    seats = job.players
    shares, coins, turns = [0.0] * seats, [0.0] * seats, 0
    stats = dict.fromkeys(Stats.__struct_fields__, 0)
    for rotation in range(seats):
        result = play_rotation(rules, job.factories, job.seed, job.deal, rotation, job.setting)
        for seat in range(seats):
            place = (seat - rotation) % seats
            shares[place] += result.shares[seat]
            coins[place] += result.coins[seat] + result.pennies[seat] / PENNIES_A_COIN
        turns += result.turns
        for key, value in asdict(result.stats).items():
            stats[key] += value
    return DealResult(seats, tuple(shares), tuple(coins), turns, stats)


def mean_of(values: Sequence[float]) -> Mean:
    """Return mean and 95 % interval of independent values."""
    number = len(values)
    mean = sum(values) / number
    spread = sum((value - mean) ** 2 for value in values)
    return Mean(mean, WIDTH * sqrt(spread / (number - 1) / number) if number > 1 else 0.0)


def simulate(
    edition: str,
    players: int,
    names: Sequence[str],
    games: int,
    seed: str | int,
    setting: FloorSetting | str = "free",
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    factories: Mapping[str, BotFactory],
    house_rules: tuple[str, ...] = (),
) -> Summary:
    """Play games between the named players and return the means of their results.

    ``factories`` are the players by name (``bohn.bots.PLAYERS``); ``games`` is rounded up to whole deals,
    each in all rotations; ``progress`` is called with the number of games done.
    Raises ``ValueError`` for a wrong line-up, :class:`UnknownEdition` for rules that do not exist.
    """
    resolve(edition, players, *house_rules)
    if len(names) != players:
        msg = f"{players} players need {players} names, not {len(names)}"
        raise ValueError(msg)
    unknown = [name for name in names if name not in factories]
    if unknown:
        msg = f"unknown player {unknown[0]!r}; expected one of: {', '.join(factories)}"
        raise ValueError(msg)
    floor_setting = FLOOR_SETTINGS[setting] if isinstance(setting, str) else setting
    line_up = tuple(factories[name] for name in names)
    jobs = [
        DealJob(edition, players, house_rules, line_up, str(seed), deal, floor_setting)
        for deal in range(max(1, ceil(games / players)))
    ]
    return _summary(jobs[0], names, _run(jobs, workers, progress))


def _run(jobs: list[DealJob], workers: int, progress: Callable[[int], None] | None) -> list[DealResult]:
    """Play all jobs, in their order whatever the number of workers."""
    if workers <= 1:
        return _gather(map(play_deal, jobs), progress)
    with ProcessPoolExecutor(workers) as pool:
        return _gather(pool.map(play_deal, jobs, chunksize=max(1, len(jobs) // (workers * 16))), progress)


def _gather(results: Iterable[DealResult], progress: Callable[[int], None] | None) -> list[DealResult]:
    played: list[DealResult] = []
    games = 0
    for deal in results:
        played.append(deal)
        games += deal.games
        if progress is not None:
            progress(games)
    return played


def _summary(job: DealJob, names: Sequence[str], played: list[DealResult]) -> Summary:
    games = sum(deal.games for deal in played)

    def entry(name: str, places: list[int]) -> PlayerResult:
        share = [sum(deal.shares[p] for p in places) / len(places) / deal.games for deal in played]
        coins = [sum(deal.coins[p] for p in places) / len(places) / deal.games for deal in played]
        return PlayerResult(name, mean_of(share), mean_of(coins))

    together = {name: [p for p, other in enumerate(names) if other == name] for name in names}
    return Summary(
        job.edition,
        job.house_rules,
        job.players,
        job.setting.name,
        job.seed,
        games,
        len(played),
        sum(deal.turns for deal in played) / games,
        tuple(entry(name, [place]) for place, name in enumerate(names)),
        tuple(entry(name, places) for name, places in together.items()),
        {key: sum(deal.stats[key] for deal in played) / games for key in Stats.__struct_fields__},
    )
