"""The same events for terminal and page: who is told what, in which language, and what each makes of it."""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import hatch_build
from bohn.bots.reasons import TEXTS, Reason
from bohn.i18n import Catalog, available
from bohn.narration import Words, narrate, remark
from bohn.notation.records import read_record
from bohn.protocol.room_events import HostPassed
from bohn.protocol.shown import SHOWN
from bohn.rules import Rules, decide, fold, opening, resolve, seed_from
from bohn.rules.decide import tag
from bohn.rules.events import Event
from bohn.views import visible
from tests.golden.regenerate import PLAYTHROUGHS, SEED
from tests.golden.test_playthroughs import commands_in
from tests.golden.test_records import RECORDS
from tests.protocol.values import sample

ROOT = Path(__file__).parents[2]
NAMES = ("Anna", "Bert", "Chiyo", "Dagur", "Elsa", "Finn", "Greta")
PEOPLE = {"a": "Eve"}
"""One of the users; another has no name here."""


class Telling(Struct):
    """What one viewer of one table is told in one language: events, and what computer players say."""

    language: str
    rules: Rules
    seat: int | None
    events: list[Any]
    user: str | None = None
    remarks: tuple[Reason, ...] = ()


def played(rules: Rules, text: str) -> Iterator[Event]:
    """Yield the events of a golden playthrough."""
    begun = opening(rules, seed_from(SEED))
    state = fold(begun)
    yield from begun
    for command in commands_in(text):
        events = decide(rules, state, command)
        state = fold(events, state)
        yield from events


def golden() -> Iterator[tuple[Rules, list[Event]]]:
    """Yield all golden games: the rules and what happened."""
    for path in RECORDS:
        record = read_record(path.read_bytes())
        yield record.header.rules, [event for entry in record.entries for event in entry.events]
    for path in sorted(PLAYTHROUGHS.glob("*.txt")):
        edition, _, players = path.stem.rpartition("-")
        rules = resolve(edition, int(players.removesuffix("p")))
        yield rules, list(played(rules, path.read_text(encoding="utf-8")))


def of_games() -> Iterator[Telling]:
    """Yield every event of every golden game, each for the next who sees it; they speak all languages."""
    languages = available()
    for number, (rules, events) in enumerate(golden()):
        viewers: deque[int | None] = deque((None, *range(rules.players)))
        seen: dict[int | None, list[Any]] = {viewer: [] for viewer in viewers}
        for event in events:
            viewers.rotate()
            viewer, shown = next((v, shown) for v in viewers if (shown := visible(event, v)) is not None)
            seen[viewer].append(shown)
        for place, (viewer, told) in enumerate(seen.items()):
            yield Telling(languages[(number + place) % len(languages)], rules, viewer, told)


def of_samples() -> Iterator[Telling]:
    """Yield one event of every kind there is, and all that computer players may say, in every language."""
    rules = resolve("das-duell", 2)
    events = [*map(sample, SHOWN), HostPassed(None), HostPassed("b")]
    remarks = tuple(
        Reason(key, {name: number for number, name in enumerate(names, 2)}) for key, names in TEXTS.items()
    )
    for language in available():
        for seat, user in ((None, None), (0, "a"), (1, "b")):
            yield Telling(language, rules, seat, events, user, remarks)


def by_terminal(telling: Telling, first_field: int) -> list[str | None]:
    """Return what the terminal would say."""
    words = Words(
        Catalog.load(telling.language),
        telling.rules,
        NAMES[: telling.rules.players],
        telling.seat,
        people=PEOPLE,
        user=telling.user,
        first_field=first_field,
    )
    remarks = (remark(words, reason) for reason in telling.remarks)
    return [*(narrate(words, event) for event in telling.events), *remarks]


def by_page(tellings: Sequence[Telling]) -> list[list[str | None]]:
    """Return what the page says; skips where there is no Node for it."""
    tables = msgspec.json.encode([_table(telling) for telling in tellings])
    done = subprocess.run(  # noqa: S603 - the Node of `make web`
        [sys.executable, ROOT / "hatch_build.py", "npm", "run", "--silent", "tell"],
        input=tables,
        capture_output=True,
        check=False,
    )
    if done.returncode and not hatch_build.is_installed(ROOT / hatch_build.WEB):
        pytest.skip("the modules of web/ are not there: make web")
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=list[list[str | None]])


def _table(telling: Telling) -> dict[str, Any]:
    rules = telling.rules
    return {
        "language": telling.language,
        "seat": telling.seat,
        "user": telling.user,
        "names": NAMES[: rules.players],
        "people": {user: {"name": name} for user, name in PEOPLE.items()},
        "game": {"rules": {"bonus_cards": rules.bonus_cards}, "players": [None] * rules.players},
        "events": telling.events,
        "remarks": telling.remarks,
    }


def names(telling: Telling) -> list[str]:
    """Return what is told: events by their tags, then remarks by their keys."""
    return [*(tag(type(event)) for event in telling.events), *(reason.key for reason in telling.remarks)]


Difference = tuple[str, str | None, str | None]
"""An event or a remark by its tag or key, with the page's sentence and the terminal's."""


def differing(
    telling: Telling, page: Sequence[str | None], terminal: Sequence[str | None]
) -> list[Difference]:
    """Return what is told differently."""
    return [each for each in zip(names(telling), page, terminal, strict=True) if each[1] != each[2]]
