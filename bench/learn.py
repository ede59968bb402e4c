"""Learn what an exchange is worth: ``python -m bench.learn --out FOLDER [--rounds 2] [--games 4000]``.

Each round plays games in mixed company, trains the value of positions on them, forks other games at exchanges
and fits the table of advantages to what the forks were worth. The next round plays with that table. Every
step is a line of JSON; the same seed and numbers of games give the same table. ``FOLDER/advantage.json``
and ``value.json`` are what `bohn.lab.players` reads. With ``--start`` and ``--company strong`` it looks for
a best reply to `strong`. Work is shared over the cores by games, with ``--executor ray:ADDRESS`` over those
of a cluster; what is learnt is the same to the byte.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bench.learning.forks import Forks, fit, forks_of
from bench.learning.jury import Seat, scores
from bench.learning.pools import Pool, add_where, on, warmed, where_of
from bench.learning.tables import COMPANY
from bench.learning.value import Positions, Value, positions_of, train
from bohn.bots import current_name
from bohn.lab.players.styles import style_of
from bohn.lab.row import Rows

PIECE = 50
"""Games of one piece of work."""

PARTS_NAMED = (
    "own fields", "own hand", "other gains", "other loses", "other's hand", "cards come", "hand cards go",
    "face-up beans go", "other's hand cards go", "always",
)  # fmt: skip
SCENES_NAMED = (
    "always", "own turn", "own offer", "few players", "passes left", "own lead", "other's lead", "much trade",
)  # fmt: skip

Found = TypeVar("Found")


def by_hand() -> Rows:
    """Return the learner before it has learnt: `strong` by the rule that was fitted by climbing."""
    learner = style_of("strong-1")
    learner["learned"], learner["theta_answer"], learner["theta_offer"] = 0, 0.17, 0.1
    learner["playouts"] = learner["quiet"] = 0
    return learner


def learn_on(learner: Rows) -> None:
    """Let the learner play by what it has learnt, which has its own limit."""
    learner["learned"], learner["theta_answer"], learner["theta_offer"] = 1, 0.0, 0.0


def spread(pool: Pool, work: Callable[..., Found], seeds: range, *rest: Any) -> Iterator[Found]:
    """Do a piece of work for some seeds at a time, wherever the pool is; yield what is found, in order."""
    pieces = [seeds[at : at + PIECE] for at in range(0, len(seeds), PIECE)]
    warmed(pool, work, seeds[:1], *rest)
    yield from pool.map(work, *zip(*[(piece, *rest) for piece in pieces], strict=True))


def positions_in(seeds: Sequence[int], learner: Rows, company: Sequence[str]) -> Positions:
    """Play games and return their positions: a piece of work."""
    return positions_of(learner, seeds, company)


def forks_in(seeds: Sequence[int], learner: Rows, company: Sequence[str], weights: dict[str, Any]) -> Forks:
    """Play games and return their forks: a piece of work."""
    return forks_of(learner, Value(weights), seeds, company)


def joined(pieces: Iterator[Any]) -> Any:
    """Join what was found of one kind (`Positions` or `Forks`)."""
    found = list(pieces)
    fields = [np.concatenate([getattr(one, name) for one in found]) for name in vars(found[0])]
    return type(found[0])(*fields)


def main() -> None:
    """Learn and print every step."""
    parser = argparse.ArgumentParser(description="Learn what an exchange is worth.")
    parser.add_argument("--out", type=Path, required=True, help="the folder for what is learnt")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of policy iteration (default: 2)")
    parser.add_argument("--games", type=int, default=4000, help="games a round for positions (default: 4000)")
    parser.add_argument("--forked", type=int, default=4000, help="games a round for forks (default: 4000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and weights (default: 1)")
    parser.add_argument(
        "--start", type=Path, nargs="+", help="begin with the advantages of this file, or the mean of some"
    )
    parser.add_argument(
        "--keep", type=float, default=0.0, help="so much of the table before stays each round (default: 0)"
    )
    parser.add_argument(
        "--company",
        default=",".join(COMPANY),
        help="who else sits there, as often as named (default: %(default)s)",
    )
    parser.add_argument(
        "--jury", default="value-trader,value-trader:7,pk", help="who it is tried against after each round"
    )
    parser.add_argument("--deals", type=int, default=60, help="deals of that a member (default: 60)")
    add_where(parser)
    given = parser.parse_args()
    if given.keep and not given.start:
        parser.error("--keep: expected --start beside it, the table of which something stays")
    where = where_of(parser, given)
    given.out.mkdir(parents=True, exist_ok=True)
    with (
        on(where.cluster()) as cluster,
        ProcessPoolExecutor(where.workers) as processes,
        ThreadPoolExecutor(where.workers) as threads,  # machine code runs beside, and is loaded once
    ):
        learn(given, cluster or processes, cluster or threads)


def learn(given: argparse.Namespace, pool: Pool, jury_pool: Pool) -> None:
    """Learn for some rounds; lessons are played by one pool, the jury by the other."""
    learner = by_hand()
    if given.start:
        learn_on(learner)
        learner["advantage"] = np.mean([read(path) for path in given.start], axis=0)
        write_table(given, 0, learner["advantage"][0], {"mean_of": [path.stem for path in given.start]})
    write_step(given, 0, "shares", shares(learner, given, jury_pool))
    for number in range(1, given.rounds + 1):
        learner["advantage"] = one_round(pool, learner, given, number)
        learn_on(learner)
        write_step(given, number, "shares", shares(learner, given, jury_pool))


def one_round(pool: Pool, learner: Rows, given: argparse.Namespace, number: int) -> Any:
    """Play, train, fork and fit; write and return the table of advantages."""
    first = 1_000_000_000 * given.seed + 100_000_000 * number
    company = [current_name(name) for name in given.company.split(",")]
    data: Positions = joined(spread(pool, positions_in, range(first, first + given.games), learner, company))
    value, curve = train(data, given.seed)
    write_step(given, number, "value", {"positions": len(data.games), "losses": np.round(curve, 4).tolist()})
    write(given, number, "value", {"positions": len(data.games), **value.kept()})
    first += 50_000_000
    forks: Forks = joined(
        spread(pool, forks_in, range(first, first + given.forked), learner, company, value.weights)
    )
    for part in (0.1, 0.25, 0.5):  # the learning curve: what fewer forks would have given
        fewer = forks.games < np.quantile(forks.games, part)
        _, explained = fit(Forks(forks.inputs[fewer], forks.worth[fewer], forks.games[fewer]))
        write_step(given, number, "fit", {"forks": int(fewer.sum()), "explained": round(explained, 4)})
    table, explained = fit(forks)
    table = given.keep * learner["advantage"][0] + (1 - given.keep) * table
    write_step(given, number, "fit", {"forks": len(forks.worth), "explained": round(explained, 4)})
    write_table(
        given,
        number,
        table,
        {"forks": len(forks.worth), "explained": round(explained, 4), "kept": given.keep},
    )
    return table


def read(path: Path) -> Any:
    """Return a table of advantages that was written."""
    return np.array(json.loads(path.read_text(encoding="utf-8"))["advantage"])


def write_table(given: argparse.Namespace, number: int, table: Any, told: dict[str, Any]) -> None:
    """Write a table of advantages, and where it comes from."""
    named = {"parts": PARTS_NAMED, "scenes": SCENES_NAMED, **told}
    write(given, number, "advantage", named | {"advantage": np.round(table, 5).tolist()})


def write(given: argparse.Namespace, number: int, name: str, kept: dict[str, Any]) -> None:
    """Write what was learnt, for this round and as the last."""
    text = json.dumps({"seed": given.seed, "round": number, **kept}) + "\n"
    for path in (given.out / f"{name}.json", given.out / f"{name}-{number}.json"):
        path.write_text(text, encoding="utf-8")


def shares(learner: Rows, given: argparse.Namespace, pool: Pool) -> dict[str, list[float]]:
    """Return the share of the wins against each member of the jury, with half its interval, in %."""
    found = {}
    for text in given.jury.split(","):
        _, share = scores(learner, Seat(text), 5_000_000, given.deals, pool)
        error = 196 * float(share.std(ddof=1)) / given.deals**0.5
        found[text] = [round(100 * float(share.mean()), 1), round(error, 1)]
    return found


def write_step(given: argparse.Namespace, number: int, what: str, told: dict[str, Any]) -> None:
    """Print a step, and add it to the log in the folder."""
    line = json.dumps({"round": number, "s": round(time.monotonic() - BEGAN), "step": what, **told})
    print(line, flush=True)
    with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(line + "\n")


BEGAN = time.monotonic()

if __name__ == "__main__":
    main()
