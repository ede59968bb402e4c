"""Compares a state with those parts of a position that a scenario names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bohn.notation.codecs import WISHES
from bohn.notation.commands import format_command, parse_command
from bohn.notation.errors import NotationError, shorten
from bohn.notation.keys import BEANS_OF_A_PHASE, GAME_KEYS, PHASE_KEYS, PLAYER_KEYS, Key
from bohn.notation.offers import Cards
from bohn.notation.reading import TomlTable, known_keys, table_of, tables_of, texts_of
from bohn.notation.seen import VIEW_KEYS
from bohn.rules.beans import Bean
from bohn.rules.decide import tag
from bohn.rules.legal import legal_commands
from bohn.rules.ruleset import Rules
from bohn.rules.state import State
from bohn.views import view

AND_MORE = "..."
"""Ends a list of beans of which only the beginning is named."""

IN_ANY_ORDER = "in any order"
"""Ends a list of beans of which the order does not matter."""

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
        where = f"then.player[{seat}]"
        known_keys(player, {*PLAYER_KEYS, "legal", "view"}, where)
        texts_of(player.get("legal", []), f"{where}.legal")
        known_keys(table_of(player.get("view", {}), f"{where}.view"), VIEW_KEYS, f"{where}.view")


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
        elif key not in ("phase", "player") and not (key in BEANS_OF_A_PHASE and value in ("-", 0)):
            found.append((key, shorten(value), f"no {key} in phase {phase}"))
    for seat, player in enumerate(then.get("player", ())):
        found += _player_differences(rules, state, seat, player, cards)
    return found


def _player_differences(
    rules: Rules, state: State, seat: int, player: TomlTable, cards: Cards
) -> Iterator[Difference]:
    """Yield where a seat differs: what lies there, what it may do, and what it sees."""
    for key, value in player.items():
        where = f"player[{seat}].{key}"
        if key == "legal":
            yield from _legal_differences(rules, state, seat, value, where)
        elif key == "view":
            seen = view(rules, state, seat)
            for name, one in table_of(value, where).items():
                yield from _compare(rules, VIEW_KEYS[name], f"{where}.{name}", one, seen, cards)
        else:
            yield from _compare(rules, PLAYER_KEYS[key], where, value, state.players[seat], cards)


def _legal_differences(
    rules: Rules, state: State, seat: int, value: object, where: str
) -> Iterator[Difference]:
    """Yield the difference between the commands named and those a seat may give, in any order."""
    found = sorted(map(format_command, legal_commands(rules, state, seat)))
    try:
        named = sorted(
            format_command(parse_command(text, seat, state, rules)) for text in texts_of(value, where)
        )
    except NotationError as error:
        yield where, str(value), f"{found}; {error}"
        return
    if named != found:
        yield where, str(named), str(found)


def _compare(
    rules: Rules, key: Key, where: str, value: object, owner: Any, cards: Cards
) -> Iterator[Difference]:
    """Yield the difference between a named value and that of the state, if there is any."""
    own = key.get(owner)
    written = key.codec.write(own)
    if type(value) is int and isinstance(own, tuple) and key.codec is not WISHES:
        if value != len(own):
            yield where, f"{value} of them", f"{len(own)}: {written}"
        return
    beginning, unordered = _beginning(value), _without_end(value, IN_ANY_ORDER)
    named = next((part for part in (beginning, unordered) if part is not None), value)
    try:
        expected = key.codec.write(key.codec.read(named, where, cards))
    except NotationError as error:
        yield where, shorten(value, 200), f"{written}; {error}"
        return
    if beginning is not None:
        same = _words(written)[: len(_words(expected))] == _words(expected)
    elif unordered is not None:
        same = sorted(_words(written)) == sorted(_words(expected))
    else:
        same = written == expected or (where == "box" and _same_box(rules, own, value, cards, key))
    if not same:
        yield where, str(value), str(written)


def _beginning(value: object) -> str | None:
    """Return the beans before ``...``, or ``None`` if the list is named whole."""
    return _without_end(value, AND_MORE)


def _without_end(value: object, end: str) -> str | None:
    """Return the beans before these words at the end, or ``None`` if they are not there."""
    if isinstance(value, str) and value.endswith(end):
        return value.removesuffix(end).strip() or "-"
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
