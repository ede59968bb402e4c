"""Compares a state with those parts of a position that a scenario names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bohn.notation.errors import NotationError, shorten
from bohn.notation.keys import GAME_KEYS, PHASE_KEYS, PLAYER_KEYS, Key
from bohn.notation.offers import Cards
from bohn.notation.reading import TomlTable, known_keys, tables_of
from bohn.rules.beans import Bean
from bohn.rules.decide import tag
from bohn.rules.ruleset import Rules
from bohn.rules.state import State

AND_MORE = "..."
"""Ends a list of beans of which only the beginning is named."""

_KEYS = frozenset(["phase", "player", *GAME_KEYS, *(key for keys in PHASE_KEYS.values() for key in keys)])

Difference = tuple[str, str, str]
"""Where, what was expected, and what was found."""


def check_outcome_keys(then: TomlTable, seats: int) -> None:
    """Refuse keys that no position has, and more players than ``seats``. Raises :class:`NotationError`."""
    known_keys(then, _KEYS, "then")
    players = tables_of(then.get("player", []), "then.player")
    if len(players) > seats:
        msg = f"then.player: expected at most {seats} tables, not {len(players)}"
        raise NotationError(msg)
    for seat, player in enumerate(players):
        known_keys(player, PLAYER_KEYS, f"then.player[{seat}]")


def differences(rules: Rules, state: State, then: dict[str, Any]) -> list[Difference]:
    """Return where a state differs from the parts that ``then`` names."""
    phase = tag(type(state.phase))
    if then.get("phase", phase) != phase:
        # the other keys of another phase would only repeat it
        return [("phase", shorten(then["phase"]), phase)]
    cards = Cards(tuple(p.hand for p in state.players), getattr(state.phase, "face_up", ()))
    found: list[Difference] = []
    for key, value in then.items():
        if key in GAME_KEYS:
            found += _compare(rules, GAME_KEYS[key], key, value, state, cards)
        elif key in PHASE_KEYS[phase]:
            found += _compare(rules, PHASE_KEYS[phase][key], key, value, state.phase, cards)
        elif key not in ("phase", "player"):
            found.append((key, shorten(value), f"no {key} in phase {phase}"))
    for seat, player in enumerate(then.get("player", ())):
        for key, value in player.items():
            where = f"player[{seat}].{key}"
            found += _compare(rules, PLAYER_KEYS[key], where, value, state.players[seat], cards)
    return found


def _compare(
    rules: Rules, key: Key, where: str, value: object, owner: Any, cards: Cards
) -> Iterator[Difference]:
    """Yield the difference between a named value and that of the state, if there is any."""
    written = key.codec.write(key.get(owner))
    beginning = _beginning(value)
    try:
        expected = key.codec.write(key.codec.read(value if beginning is None else beginning, where, cards))
    except NotationError as error:
        yield where, shorten(value, 200), f"{written}; {error}"
        return
    if beginning is not None:
        same = _words(written)[: len(_words(expected))] == _words(expected)
    else:
        same = written == expected or (where == "box" and _same_box(rules, key.get(owner), value, cards, key))
    if not same:
        yield where, str(value), str(written)


def _beginning(value: object) -> str | None:
    """Return the beans before ``...``, or ``None`` if the list is named whole."""
    if isinstance(value, str) and value.endswith(AND_MORE):
        return value.removesuffix(AND_MORE).strip() or "-"
    return None


def _words(beans: object) -> list[str]:
    """Return a list of beans one by one."""
    words: list[str] = []
    for some in str(beans).replace("-", "").split():
        bean, _, count = some.partition("*")
        words += [bean] * int(count or 1)
    return words


def _same_box(rules: Rules, box: tuple[Bean, ...], value: object, cards: Cards, key: Key) -> bool:
    """Compare boxes in any order, and with or without what was put away before the game."""
    named = Counter(key.codec.read(value, "box", cards))
    played = Counter(bean for bean in box if rules.deck[bean])
    return named in (Counter(box), played)
