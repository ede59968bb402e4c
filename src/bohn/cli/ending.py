"""The result of a game: the standings, the tie-break in words, and what everybody did."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from bohn.cli.console import Sheet
from bohn.narration.words import Words
from bohn.notation.tally import Tally, ranks
from bohn.rules.state import Result


def ending(words: Words, result: Result, tally: Tally) -> Group:
    """Return the standings, who won and by what, and a line for every player."""
    parts: list[RenderableType] = [
        Text(),
        Text(words.say("phase.end"), "bold"),
        _standings(words, result, tally),
    ]
    parts += [Text(), Text(_verdict(words, result), "bold")]
    tie = _tie_break(words, result)
    return Group(*parts, *([Text(tie)] if tie else []))


def _standings(words: Words, result: Result, tally: Tally) -> Sheet:
    table = Sheet(box=None, padding=(0, 2, 0, 0), header_style="dim")
    keys = ["rank", "player", "coins", "hand", "trades", "gifts", "harvests", "best"]
    if any(result.pennies):
        keys.insert(3, "pennies")
    for key in keys:
        table.add_column(words.say(f"end.{key}"), justify="left" if key == "player" else "right")
    for rank, seat in sorted((rank, seat) for seat, rank in enumerate(ranks(result))):
        deeds = tally.players[seat]
        cells = [str(rank), words.name(seat), str(result.coins[seat])]
        if any(result.pennies):
            cells.append(str(result.pennies[seat]))
        best = deeds.best.coins if deeds.best else 0
        cells += [str(result.hand_cards[seat]), str(deeds.trades), str(deeds.gifts_given)]
        cells += [str(deeds.harvests), str(best)]
        table.add_row(*cells, style="bold" if seat in result.winners else "")
    return table


def _verdict(words: Words, result: Result) -> str:
    winners = result.winners
    return words.say(
        "end.verdict",
        count=len(winners),
        you=words.is_you(winners[0]),
        players=words.listed([words.name(seat) for seat in winners]),
        coins=words.coins(result.coins[winners[0]]),
    )


def _tie_break(words: Words, result: Result) -> str:
    """Return how a tie was broken, or that it was not; nothing if there was none."""
    best = max(zip(result.coins, result.pennies, strict=True))
    tied = [seat for seat in range(len(result.coins)) if (result.coins[seat], result.pennies[seat]) == best]
    if len(tied) == 1:
        return ""
    names = words.listed([words.name(seat) for seat in tied])
    if len(result.winners) == len(tied):
        return words.say("end.tie-stands", players=names)
    cards = words.say("words.cards", count=result.hand_cards[result.winners[0]])
    winners = words.listed([words.name(seat) for seat in result.winners])
    return words.say("end.tie-broken", players=names, winners=winners, cards=cards)
