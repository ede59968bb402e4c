"""Positions: any state of any game as TOML text, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from bohn.notation.codecs import BEANS
from bohn.notation.counting import boxed_first, fill, require_bonus_cards, require_cards
from bohn.notation.errors import NotationError, shorten
from bohn.notation.keys import GAME_KEYS, PHASE_KEYS, PLAYER_KEYS, Key
from bohn.notation.offers import Cards
from bohn.notation.phases import check_phase, parse_phase
from bohn.notation.reading import (
    TomlTable,
    known_keys,
    load_toml,
    number,
    table_of,
    tables_of,
    text_of,
    texts_of,
)
from bohn.rules.beans import Field
from bohn.rules.deal import opening
from bohn.rules.decide import tag
from bohn.rules.errors import UnknownEdition
from bohn.rules.evolve import fold
from bohn.rules.policies import FITS
from bohn.rules.resolve import resolve
from bohn.rules.ruleset import Rules
from bohn.rules.shuffle import SEED_BYTES, seed_from
from bohn.rules.state import BonusHand, BonusPiles, Player, Promise, State, Talk, Wishes
from bohn.rules.turns.bonus import newly_standing

SETUP_KEYS = ("edition", "players", "house_rules", "seed", "position")
"""The keys of a position's text; a scenario has more."""

PLACES_OF_THE_REST = ("box", "discard_pile", "draw_pile")

_OWN_KEYS = ("rest", "seed", "phase", "player")
_POSITION_KEYS = frozenset([*_OWN_KEYS, *GAME_KEYS, *(key for keys in PHASE_KEYS.values() for key in keys)])
_HEX_SEED = re.compile(rf"hex:([0-9a-f]{{{2 * SEED_BYTES}}})", re.ASCII)


# -- reading -----------------------------------------------------------------------------------


def parse_position(source: str | bytes | Mapping[str, object]) -> tuple[Rules, State]:
    """Return the rules and the state that a text, or the tables of one, describe.

    What is not named has the value it has when a turn begins. Raises
    :class:`~bohn.notation.errors.NotationError`, which names what was expected and where.
    """
    document = load_toml(source) if isinstance(source, str | bytes) else source
    known_keys(document, SETUP_KEYS, "position text")
    return parse_setup(document)


def parse_setup(document: TomlTable) -> tuple[Rules, State]:
    """Return rules and state of a text that may have more keys, as a scenario has.

    Raises :class:`NotationError`.
    """
    rules = _rules(document)
    seed = _seed(document.get("seed", 0), "seed")
    table = table_of(document.get("position", {}), "position")
    known_keys(table, _POSITION_KEYS, "position")
    seed = _seed(table["seed"], "position.seed") if "seed" in table else seed
    if not table.keys() - {"seed"}:
        return rules, fold(opening(rules, seed))
    return rules, _state(rules, table, seed)


def _rules(document: TomlTable) -> Rules:
    edition = text_of(document.get("edition"), "edition")
    players = number(document.get("players"), "players")
    house_rules = texts_of(document.get("house_rules", []), "house_rules")
    try:
        return resolve(edition[:100], players, *house_rules)
    except UnknownEdition as unknown:
        raise NotationError(str(unknown)) from None


def _seed(value: object, where: str) -> bytes:
    """Return the seed that a number or a text stands for; ``hex:...`` is the seed itself."""
    if not isinstance(value, str):
        return seed_from(number(value, where, 2**63 - 1))
    match = _HEX_SEED.fullmatch(value)
    if value.startswith("hex:") and match is None:
        msg = f"{where}: expected 'hex:' and {2 * SEED_BYTES} digits, not {shorten(value)}"
        raise NotationError(msg)
    return bytes.fromhex(match[1]) if match else seed_from(value)


class _Reader(Struct, frozen=True):
    """A table and its keys: reads a value by its name, or takes the default."""

    table: TomlTable
    keys: Mapping[str, Key]
    where: str
    cards: Cards

    def get(self, key: str, default: Any) -> Any:
        if key not in self.table:
            return default
        return self.keys[key].codec.read(self.table[key], f"{self.where}.{key}", self.cards)


def _state(rules: Rules, table: TomlTable, seed: bytes) -> State:
    players = _players(rules, table)
    cards = Cards(tuple(player.hand for player in players))
    data = _Reader(table, GAME_KEYS, "position", cards)
    active = data.get("active", 0)
    phase = parse_phase(rules, table, active, cards)
    name = tag(type(phase))
    known_keys(table, {*_OWN_KEYS, *GAME_KEYS, *PHASE_KEYS[name]}, f"position with phase {name!r}")
    state = State(
        players, active, phase, data.get("draw_pile", ()), data.get("discard_pile", ()), data.get("box", ()),
        data.get("exhaustions", 0), data.get("shuffles", 1), data.get("turn", 1), data.get("starter", active),
        _talk(data), seed, BonusPiles(data.get("bonus_pile", ()), data.get("bonus_discard", ())),
    )  # fmt: skip
    check_phase(rules, state)
    require_cards(rules, state)
    require_bonus_cards(rules, state)
    rest = _rest(table)
    return fill(rules, _with_standing(rules, state), rest, bonus_pile="bonus_pile" not in table)


def _with_standing(rules: Rules, state: State) -> State:
    """Return the state with every bonus pattern that stands on a field noted for this turn (DD-14, DD-15)."""
    players = list(state.players)
    for seat, player in enumerate(players):
        standing = newly_standing(rules, state, seat)
        hand = zip(player.bonus.hand, player.bonus.stood, strict=True)
        stood = tuple(state.turn if card in standing else turn for card, turn in hand)
        players[seat] = replace(player, bonus=replace(player.bonus, stood=stood))
    return replace(state, players=tuple(players))


def _rest(table: TomlTable) -> str:
    """Return where cards lie that are not named: the draw pile, unless that is named itself."""
    rest = text_of(table.get("rest", "box"), "position.rest")
    if rest not in PLACES_OF_THE_REST:
        msg = f"position.rest: expected one of {', '.join(PLACES_OF_THE_REST)}, not {shorten(rest)}"
        raise NotationError(msg)
    return rest if "draw_pile" in table else "draw_pile"


def _talk(data: _Reader) -> Talk:
    seats = len(data.cards.hands)
    promises: tuple[Promise, ...] = data.get("promises", ())
    numbers = [promise.id for promise in promises]
    following = data.get("next_promise", max(numbers, default=0) + 1)
    for i, promise in enumerate(promises):
        sides = (promise.player, promise.to)
        sound = max(sides) < seats and sides[0] != sides[1] and (promise.give or promise.get)
        if not sound or numbers.count(promise.id) > 1 or not 0 < promise.id < following:
            msg = (
                f"position.promises[{i}]: expected two seats below {seats}, something promised, "
                f"and a number of its own below {following}"
            )
            raise NotationError(msg)
    return Talk(data.get("wishes", (Wishes(),) * seats), promises, following)


# -- players -----------------------------------------------------------------------------------------


def _players(rules: Rules, table: TomlTable) -> tuple[Player, ...]:
    tables = tables_of(table.get("player", [{}] * rules.players), "position.player")
    if len(tables) != rules.players:
        msg = f"position.player: expected {rules.players} tables, one for each seat, not {len(tables)}"
        raise NotationError(msg)
    return tuple(_player(rules, one, f"position.player[{seat}]") for seat, one in enumerate(tables))


def _player(rules: Rules, table: TomlTable, where: str) -> Player:
    known_keys(table, PLAYER_KEYS, where)
    data = _Reader(table, PLAYER_KEYS, where, Cards())
    fields = data.get("fields", ((),) * rules.fields)
    if not rules.fields <= len(fields) <= rules.max_fields:
        msg = f"{where}.fields: expected {rules.fields} to {rules.max_fields} fields, not {len(fields)}"
        raise NotationError(msg)
    for i, field in enumerate(fields):
        _require_one_field(rules, field, f"{where}.fields[{i}]")
    bonus = data.get("bonus", ())
    stood = data.get("stood", (-1,) * len(bonus))
    if len(stood) != len(bonus):
        msg = f"{where}.stood: expected {len(bonus)} turns, one for each bonus card, not {len(stood)}"
        raise NotationError(msg)
    return Player(
        data.get("hand", ()), data.get("hand_revision", 0), fields, data.get("treasury", ()),
        data.get("set_aside", ()), data.get("face_down", ()),
        BonusHand(bonus, stood, data.get("claimed", ())), data.get("tokens", 0) or UNSET,
    )  # fmt: skip


def _require_one_field(rules: Rules, field: Field, where: str) -> None:
    """Refuse beans that cannot have grown on one field, oldest first (PLANT-2, DD-3)."""
    fits = FITS[rules.same_kind]
    for size in range(1, len(field)):
        if fits((field[:size],), 0, field[size]) is not None:
            msg = f"{where}: expected beans that grow on one field, not {shorten(BEANS.write(field))}"
            raise NotationError(msg)


# -- writing -------------------------------------------------------------------------------------------


def position_table(rules: Rules, state: State) -> dict[str, Any]:
    """Return a position as a table of the values that its text has."""
    phase = tag(type(state.phase))
    table: dict[str, Any] = {"phase": phase}
    table.update({key: one.codec.write(one.get(state)) for key, one in GAME_KEYS.items()})
    table.update({key: one.codec.write(one.get(state.phase)) for key, one in PHASE_KEYS[phase].items()})
    table["box"] = BEANS.write(boxed_first(rules, state.box))
    table["player"] = [
        {key: one.codec.write(one.get(player)) for key, one in PLAYER_KEYS.items()}
        for player in state.players
    ]
    if not rules.bonus_cards:
        _without_bonus_cards(table)
    return table


def _without_bonus_cards(table: dict[str, Any]) -> None:
    """Leave out what a game without bonus cards cannot have."""
    for key in ("bonus_pile", "bonus_discard"):
        del table[key]
    for player in table["player"]:
        for key in ("bonus", "stood", "claimed"):
            del player[key]


def format_position(rules: Rules, state: State) -> str:
    """Return a state as TOML text, which :func:`parse_position` reads back.

    Raises :class:`NotationError` for rules that no edition and house rules lead to.
    """
    document = {"edition": rules.edition, "players": rules.players, "house_rules": list(rules.house_rules)}
    if _rules(document) != rules:
        msg = f"rules: expected those of edition {rules.edition!r}, not rules changed by hand"
        raise NotationError(msg)
    table = position_table(rules, state)
    players = table.pop("player")
    lines = [f"{key} = {_toml(value)}" for key, value in document.items()]
    lines += ["", "[position]", f'seed = "hex:{state.seed.hex()}"']
    lines += [f"{key} = {_toml(value)}" for key, value in table.items()]
    for player in players:
        lines += ["", "[[position.player]]", *(f"{key} = {_toml(value)}" for key, value in player.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Return a value as TOML; texts hold neither quotation marks nor backslashes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


__all__ = ["format_position", "parse_position", "parse_setup", "position_table"]
