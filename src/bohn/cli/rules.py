"""`bohn rules`: the editions with their numbers and policies, and the clauses with their citations."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bohn.cli.console import Sheet, grid, output
from bohn.cli.errors import UsageError
from bohn.i18n import Catalog
from bohn.rulebook import POLICIES, Clause, clauses, house_rule_choices, policies, sections, similar_ids
from bohn.rules.editions import EDITIONS
from bohn.rules.editions.duel import KNOWN_BONUS_CARDS
from bohn.rules.resolve import HEAD_START
from bohn.rules.ruleset import BonusCard, Rules


def add_arguments(parser: argparse.ArgumentParser, catalog: Catalog) -> None:
    """Declare what `bohn rules` understands."""
    parser.add_argument("topic", nargs="?", metavar="EDITION|CLAUSE", help=catalog.text("arg.topic"))
    parser.add_argument("clause", nargs="?", metavar="CLAUSE", help=catalog.text("arg.clause"))


def run(options: argparse.Namespace, catalog: Catalog) -> int:
    """Show all editions, one edition, or one clause."""
    console = output(highlight=False)
    if options.topic is None:
        console.print(overview(catalog))
    elif options.topic in EDITIONS:
        shown = (
            edition(catalog, options.topic, options.lang)
            if options.clause is None
            else clause(catalog, options.clause, options.topic, options.lang)
        )
        console.print(shown)
    elif options.clause is not None:
        msg = f"edition {options.topic[:40]!r}: expected one of: {', '.join(EDITIONS)}"
        raise UsageError(msg)
    else:
        console.print(clause(catalog, options.topic, None, options.lang))
    return 0


# -- editions ---------------------------------------------------------------------------------------


def overview(catalog: Catalog) -> Group:
    """Return all editions with how they differ."""
    table = Sheet(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for key in ("edition", "players", "kinds", "cards", "about"):
        table.add_column(catalog.text(f"rules.{key}"))
    for name, by_players in EDITIONS.items():
        least, most = min(by_players), max(by_players)
        largest = by_players[most]
        cards = sum(largest.deck) + sum(largest.boxed)
        kinds = sum(1 for deck, box in zip(largest.deck, largest.boxed, strict=True) if deck or box)
        players = str(least) if least == most else f"{least}-{most}"
        table.add_row(Text(name, "bold"), players, str(kinds), str(cards), catalog.text(f"edition.{name}"))
    return Group(table, Text(), Text(catalog.text("rules.more"), "dim"))


def edition(catalog: Catalog, name: str, lang: str) -> Group:
    """Return one edition: its numbers by players, its policies, house rules and clauses by subject."""
    by_players = EDITIONS[name]
    first = by_players[max(by_players)]
    parts: list[RenderableType] = [
        Text(f"{name}: {catalog.text(f'edition.{name}')}", "bold"),
        Text(),
        _numbers(catalog, by_players.values()),
    ]
    parts += [Text(), Text(catalog.text("rules.policies"), "bold"), _policies(catalog, by_players.values())]
    parts += [Text(), Text(catalog.text("rules.house"), "bold"), _house_rules(catalog, by_players.values())]
    if first.bonus_cards:
        parts += [Text(), Text(catalog.text("rules.bonus"), "bold"), _bonus_cards(catalog, first)]
    parts += [Text(), Text(catalog.text("rules.clauses"), "bold")]
    known = sections(clause for clause in clauses(lang).values() if clause.belongs_to(name))
    for section, members in known.items():
        parts.append(Text(f"  {catalog.text(f'section.{section}')}", "dim"))
        parts += [Text(f"  {clause.id:<12} {clause.title}") for clause in members]
    return Group(*parts)


def _numbers(catalog: Catalog, variants: Iterable[Rules]) -> Sheet:
    table = Sheet(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for key in ("players", "cards", "deal", "fields", "price", "reveal", "draw", "exhaustions"):
        table.add_column(catalog.text(f"rules.{key}"), justify="right")
    for rules in variants:
        deal = str(rules.deal[0]) if len(set(rules.deal)) == 1 else "-".join(map(str, rules.deal))
        fields = str(rules.fields) + (
            f" (+{rules.max_fields - rules.fields})" if rules.max_fields > rules.fields else ""
        )
        price = str(rules.field_price) if rules.max_fields > rules.fields else "-"
        cells = [
            rules.players,
            sum(rules.deck),
            deal,
            fields,
            price,
            rules.reveal,
            rules.draw,
            rules.exhaustions,
        ]
        table.add_row(*map(str, cells))
    return table


def _policies(catalog: Catalog, variants: Iterable[Rules]) -> Sheet:
    """Return a row for each policy; where numbers of players differ, one for each value."""
    found = list(variants)
    table = _two_columns()
    held: dict[str, list[int]] = {}
    for rules in found:
        for text in policies(rules):
            held.setdefault(text, []).append(rules.players)
    for text in sorted(held, key=lambda one: POLICIES.index(one.partition("=")[0])):
        key, _, value = text.partition("=")
        numbers = ", ".join(map(str, held[text]))
        who = "" if len(held[text]) == len(found) else catalog.text("rules.with-players", players=numbers)
        table.add_row(text, Text(catalog.text(f"policy.{key}.{value}") + who))
    return table


def _two_columns() -> Sheet:
    table = grid(2)
    table.add_column(style="cyan", no_wrap=True)
    return table


def _house_rules(catalog: Catalog, variants: Iterable[Rules]) -> Sheet:
    """Return what may be changed with --house; where numbers of players differ, for whom."""
    found = list(variants)
    table = _two_columns()
    for text, players in sorted(_changes(found).items()):
        key, _, value = text.partition("=")
        words = catalog.text(f"policy.{key}.{value}") if key in POLICIES else _house(catalog, key, value)
        if len(players) < len(found):
            words += catalog.text("rules.with-players", players=", ".join(map(str, players)))
        table.add_row(text, Text(words))
    table.add_row("starter=seat:N | left-of:N", catalog.text("house.starter"))
    table.add_row(f"{HEAD_START}=SEAT:COINS:CARDS", catalog.text("rules.head-start"))
    return table


def _changes(variants: Iterable[Rules]) -> dict[str, list[int]]:
    """Return the house rules that change something, who begins left out, and for how many players each."""
    found: dict[str, list[int]] = {}
    for rules in variants:
        for key, values in house_rule_choices(rules).items():
            for value in values if key != "starter" else ():
                found.setdefault(f"{key}={value}", []).append(rules.players)
    return found


def _house(catalog: Catalog, key: str, value: str) -> str:
    if value.isdecimal():
        return catalog.text(f"house.{key}", value=int(value))
    return catalog.text(f"house.{key}")


def _bonus_cards(catalog: Catalog, rules: Rules) -> Group:
    """Return all bonus cards; the reconstructed ones are marked."""
    known = list(KNOWN_BONUS_CARDS)
    cells = [Text(f"  {number:>2}: ").append(_card(card)).append("" if number < len(known) else " *", "dim")
             for number, card in enumerate(rules.bonus_cards)]  # fmt: skip
    return Group(Columns(cells, equal=True), Text("  * " + catalog.text("rules.reconstruction"), "dim"))


def _card(card: BonusCard) -> str:
    return f"{'-'.join(map(str, card.runs))} ({card.pennies})"


# -- clauses ---------------------------------------------------------------------------------------


def clause(catalog: Catalog, name: str, of: str | None, lang: str) -> Group:
    """Return a clause and its citations, in a language. Raises :class:`UsageError`, naming similar ones."""
    known = clauses(lang)
    if not known:
        msg = "the clauses are not installed; expected bohn/data/clauses.toml in the package"
        raise UsageError(msg)
    found = known.get(name.upper())
    if found is None:
        close = similar_ids(name)
        hint = (
            f"did you mean {' or '.join(close)}?"
            if close
            else f"expected an edition ({', '.join(EDITIONS)}) or a clause such as HARVEST-4"
        )
        msg = f"unknown clause {name[:40]!r}; {hint}"
        raise UsageError(msg)
    if of is not None and not found.belongs_to(of):
        msg = f"{found.id} is no clause of {of}; it belongs to: {', '.join(found.editions)}"
        raise UsageError(msg)
    return _clause(catalog, found)


def _clause(catalog: Catalog, found: Clause) -> Group:
    title = Text(f"{found.id}  {found.title}", "bold")
    if found.secondary:
        title.append(f"  [{catalog.text('rules.secondary')}]", "yellow")
    parts: list[Text | Padding] = [title, Padding(Text(found.text), (0, 0, 0, 2))]
    editions = ", ".join(found.editions) or catalog.text("rules.all-editions")
    parts.append(Text(f"  {catalog.text('rules.editions')}: {editions}", "dim"))
    for key, style, cites in (
        ("rules.source", "dim", found.places),
        ("rules.secondary", "yellow", found.publications),
        ("rules.ruling", "cyan", found.rulings),
    ):
        parts += [Text(f"  {catalog.text(key)}: {cite}", style) for cite in cites]
    return Group(*parts)
