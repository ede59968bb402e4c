"""Fields, beans and beanometers as coloured text."""

from __future__ import annotations

from itertools import groupby

from rich.text import Text

from bohn.narration.words import Words
from bohn.rules.beans import Bean, Field, coins_for
from bohn.views import Preview

STYLES: dict[Bean, str] = {
    Bean.COFFEE: "#b07a4f",
    Bean.WAX: "#d9a520",
    Bean.BLUE: "#4f94d4",
    Bean.CHILI: "#e8584f",
    Bean.STINK: "#9aa02e",
    Bean.GREEN: "#4c9a45",
    Bean.SOY: "#c9a66b",
    Bean.BLACK_EYED: "bold",
    Bean.RED: "#d0405f",
    Bean.GARDEN: "#7fb069",
    Bean.COCOA: "#a0705a",
}
"""The colour of each bean, readable on dark and on light terminals."""

TIMES = "\N{MULTIPLICATION SIGN}"
ARROW = "\N{RIGHTWARDS ARROW}"
DOT = "\N{MIDDLE DOT}"
FULL, EMPTY = "\N{BLACK CIRCLE}", "\N{WHITE CIRCLE}"


def bean_text(words: Words, bean: Bean, label: str = "") -> Text:
    """Return a bean in its colour, a dim label before it."""
    text = Text(f"{label} " if label else "", "dim")
    return text.append(words.label(bean), STYLES[bean])


def beans_text(words: Words, beans: tuple[Bean, ...], label: str = "") -> Text:
    """Return beans in their order with their places before them: ``hand:0 soy  hand:1 red``."""
    parts = [bean_text(words, bean, f"{label}{place}") for place, bean in enumerate(beans)]
    return Text("  ").join(parts) if parts else Text(words.say("words.nothing"), "dim")


def kinds_text(words: Words, field: Field) -> Text:
    """Return what grows on a field: ``soy x3``; a mixed one run by run, oldest first."""
    parts = []
    for bean, run in groupby(field):
        count = len(tuple(run))
        parts.append(bean_text(words, bean).append(f"\N{NO-BREAK SPACE}{TIMES}{count}", "bold"))
    return Text(" ").join(parts)


def next_step(words: Words, field: Field) -> tuple[int, int] | None:
    """Return the next step of the beanometer as beans and coins, or ``None`` at the top."""
    meter = words.rules.beanometers[field[-1]]
    return next(((beans, coins) for beans, coins in meter if beans > len(field)), None)


def worth(words: Words, field: Field) -> int:
    """Return the coins a field would earn now."""
    return coins_for(words.rules.beanometers[field[-1]], len(field))


def field_short(words: Words, field: Field) -> Text:
    """Return a field of another player, with its coins if it earns any: ``[soy x3 1c]``."""
    if not field:
        return Text("[ ]", "dim")
    text = Text("[").append_text(kinds_text(words, field))
    coins = worth(words, field)
    if coins:
        text.append(" " + words.say("board.coins", count=coins), "yellow")
    return text.append("]")


def field_long(words: Words, index: int, field: Field) -> Text:
    """Return an own field with its beanometer: ``0  soy x3  ***o  3 -> 4 for 2 coins``."""
    text = Text(f"{index} ", "dim")
    if not field:
        return text.append(words.say("board.empty-field"), "dim")
    text.append_text(kinds_text(words, field)).append("  ")
    earns = worth(words, field)
    text.append(words.say("board.worth", coins=words.coins(earns)), "yellow" if earns else "dim")
    ahead = next_step(words, field)
    if ahead is None:
        return text.append(f"  {words.say('board.top-price')}", "green")
    beans, coins = ahead
    if len(set(field)) == 1:
        text.append("  " + FULL * len(field) + EMPTY * (beans - len(field)), "dim")
    return text.append(
        f"  {len(field)} {ARROW} {beans} " + words.say("board.for-coins", coins=words.coins(coins)), "dim"
    )


def grows(words: Words, field: Field, bean: Bean) -> str:
    """Return what one more bean makes of a field, for a suggestion: `` (3 -> 4: 2 coins)``."""
    if not field:
        return ""
    coins = coins_for(words.rules.beanometers[bean], len(field) + 1)
    return f" ({len(field)} {ARROW} {len(field) + 1}: {words.coins(coins)})"


def preview_text(words: Words, preview: Preview) -> Text:
    """Return what a deal does to the viewer's fields: ``red field 3 -> 4 (3 coins)``."""
    parts = [
        words.say(
            "board.preview",
            bean=words.label(field.bean),
            change=f"{field.beans_before} {ARROW} {field.beans_after}",
            coins=words.coins(field.coins_after),
        )
        for field in preview.fields
    ]
    if preview.homeless:
        parts.append(words.say("board.homeless", beans=words.short(preview.homeless)))
    return Text(f" {DOT} ".join(parts), "dim")
