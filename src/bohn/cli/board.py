"""The table as one seat sees it, for a terminal."""

from __future__ import annotations

from functools import partial

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bohn.cli.console import Sheet, grid
from bohn.cli.fields import (
    ARROW,
    DOT,
    bean_text,
    beans_text,
    field_long,
    field_short,
    preview_text,
)
from bohn.narration.words import Words
from bohn.rules.beans import Bean
from bohn.rules.decide import tag
from bohn.views import OfferView, OwnHand, View, consequences
from bohn.views.view import GiftView, TradeView


def board(words: Words, view: View) -> Group:
    """Return everything a seat, or a spectator, sees."""
    parts: list[RenderableType] = [_header(words, view), Rule(style="dim"), _others(words, view)]
    lines = _middle(words, view) + _offers(words, view)
    if view.own is not None and view.viewer is not None:
        lines += [Text(), *_own(words, view, view.own, view.viewer)]
    return Group(*parts, *lines)


def _header(words: Words, view: View) -> Sheet:
    phase = words.say(f"phase.{tag(type(view.phase))}")
    turn_of = {"you": words.is_you(view.active_player), "player": words.name(view.active_player)}
    left = Text(words.say("board.title", turn=view.turn, phase=phase, **turn_of), "bold")
    right = Text(words.rules.edition, "dim")
    table = grid(0, expand=True)
    table.add_column(ratio=1)
    table.add_column(justify="right")
    table.add_row(left, right)
    return table


def _others(words: Words, view: View) -> Sheet:
    """Return one row for each other player: coins, hand, fields, and what lies beside them."""
    table = grid(2)
    for seat in _clockwise(view):
        player = view.players[seat]
        active = seat == view.active_player
        name = Text(f"{'>' if active else ' '} {seat} {words.name(seat)}", "bold" if active else "")
        held = words.say("board.hand-size", count=player.hand_size)
        fields = Text(" ").join([field_short(words, field) for field in player.fields])
        row: list[RenderableType] = [name, words.coins(player.coins), Text(held, "dim"), fields]
        table.add_row(*row, Text(_beside(words, view, seat), "dim"))
    return table


def _clockwise(view: View) -> list[int]:
    """Return the seats but the viewer's, from his left."""
    seats = len(view.players)
    first = 0 if view.viewer is None else view.viewer + 1
    return [(first + step) % seats for step in range(seats) if (first + step) % seats != view.viewer]


def _beside(words: Words, view: View, seat: int) -> str:
    player = view.players[seat]
    parts = []
    if player.set_aside:
        parts.append(words.say("board.set-aside", beans=words.short(player.set_aside)))
    if words.rules.bonus_cards:
        parts.append(words.say("board.bonus", hand=player.bonus_hand, claimed=len(player.bonus_claimed)))
    wishes = view.talk.wishes[seat] if view.talk.wishes else None
    if wishes is not None and wishes.want:
        parts.append(words.say("board.wants", beans=words.short(wishes.want)))
    if wishes is not None and wishes.spare:
        parts.append(words.say("board.spares", beans=words.short(wishes.spare)))
    if wishes is not None and wishes.kept:
        parts.append(words.say("board.keeps", beans=words.short(wishes.kept)))
    parts += [
        words.say(
            "board.promise",
            promise=promise.id,
            to=partial(words.seat, promise.to),
            beans=words.short(promise.give),
        )
        for promise in view.talk.promises
        if promise.player == seat
    ]
    return f" {DOT} ".join(parts)


def _labelled(words: Words, key: str, content: Text) -> Text:
    """Return a line with its label in a column of its own."""
    return Text(f"{words.say(key):<11}", "dim").append_text(content)


def _middle(words: Words, view: View) -> list[Text]:
    """Return what lies between the players in this phase."""
    phase = view.phase
    lines = [_labelled(words, "board.piles", _piles(words, view))]
    face_up: tuple[Bean, ...] = getattr(phase, "face_up", ())
    if face_up:
        lines.append(_labelled(words, "board.face-up", beans_text(words, face_up, "face:")))
    leftovers: tuple[Bean, ...] = getattr(phase, "leftovers", ())
    if leftovers:
        lines.append(_labelled(words, "board.leftovers", beans_text(words, leftovers)))
    gift: tuple[Bean, ...] = getattr(phase, "gift", ())
    if gift:
        receiver = words.seat(getattr(phase, "receiver", 0))
        lines.append(_labelled(words, "board.gift", bean_text(words, gift[0]).append(f" {ARROW} {receiver}")))
    if isinstance(phase, GiftView):
        lines.append(_labelled(words, "board.named", _named(words, phase)))
    return lines


def _piles(words: Words, view: View) -> Text:
    pile = min(view.exhaustions + 1, words.rules.exhaustions)
    text = Text(words.say("board.pile", pile=pile, of=words.rules.exhaustions, cards=view.draw_pile))
    text.append(f"  {DOT}  " + words.say("board.discard", cards=view.discard_pile), "dim")
    return text.append_text(bean_text(words, view.discard_top[0], ":")) if view.discard_top else text


def _named(words: Words, phase: GiftView) -> Text:
    parts = [
        Text(f"{words.seat(player)}: ").append_text(bean_text(words, bean)) for player, bean in phase.named
    ]
    said = Text("  ").join(parts) if parts else Text(words.say("words.nothing"), "dim")
    return said.append(
        "  " + words.say("board.word", you=words.is_you(phase.word), player=words.name(phase.word)), "dim"
    )


def _offers(words: Words, view: View) -> list[Text]:
    if not isinstance(view.phase, TradeView):
        return []
    return [offer_line(words, view, offer) for offer in view.phase.offers]


def offer_line(words: Words, view: View, offer: OfferView) -> Text:
    """Return an offer from the viewer's side, with what it does to his fields."""
    text = Text(f"{offer.id}.{offer.revision} ", "bold cyan")
    text.append(f"{words.seat(offer.maker)} {ARROW} {words.group(offer.to)}: ")
    if view.viewer is None or (view.viewer != offer.maker and view.viewer not in offer.to):
        gives = tuple(sorted(offer.hand + tuple(copy.bean for copy in offer.face_up)))
        return text.append(deal(words, "board.deal-of-others", gives, offer.want), "dim")
    preview = consequences(words.rules, view, offer)
    text.append(deal(words, "board.deal", preview.give, preview.get), "bold")
    if offer.claimers:
        text.append("  " + words.say("board.claimers", players=partial(words.seats, offer.claimers)), "cyan")
    elif offer.open:
        text.append("  " + words.say("board.open"), "cyan")
    effect = preview_text(words, preview)
    return text.append(f"\n{'':<11}").append_text(effect) if effect else text


def deal(words: Words, key: str, give: tuple[Bean, ...], get: tuple[Bean, ...]) -> str:
    """Return both sides of a deal: "you give soy, you get red x2"."""
    return words.say(key, give=words.short(give), get=words.short(get))


def _own(words: Words, view: View, own: OwnHand, viewer: int) -> list[Text]:
    """Return the viewer's own farm: fields, set-aside beans, bonus cards, hand."""
    player = view.players[viewer]
    lines = []
    for index, field in enumerate(player.fields):
        label = "board.your-fields" if index == 0 else "board.no-label"
        lines.append(_labelled(words, label, field_long(words, index, field)))
    if player.set_aside:
        lines.append(_labelled(words, "board.your-set-aside", beans_text(words, player.set_aside)))
    if own.bonus:
        cards = Text("  ").join([_bonus(words, card, own) for card in own.bonus])
        lines.append(_labelled(words, "board.your-bonus", cards))
    said = (
        _beside(words, view, viewer)
        if view.talk.promises or any(w.want or w.spare or w.kept for w in view.talk.wishes)
        else ""
    )
    hand = _hand(words, own)
    lines.append(
        _labelled(words, "board.your-hand", hand).append(f"   {words.coins(player.coins)}", "yellow")
    )
    if said:
        lines.append(_labelled(words, "board.no-label", Text(said, "dim")))
    return lines


def _bonus(words: Words, card: int, own: OwnHand) -> Text:
    printed = words.rules.bonus_cards[card]
    ready = card in own.claimable
    return Text(
        f"{card}: {'-'.join(map(str, printed.runs))} ({printed.pennies})", "bold green" if ready else ""
    )


def _hand(words: Words, own: OwnHand) -> Text:
    """Return the hand with the front clearly marked."""
    if not own.hand:
        return Text(words.say("board.no-hand"), "dim")
    front = (
        Text(words.say("board.front"), "bold")
        .append(" [")
        .append_text(bean_text(words, own.hand[0], "0"))
        .append("]")
    )
    rest = [bean_text(words, bean, str(place)) for place, bean in enumerate(own.hand) if place]
    return Text("  ").join([front, *rest])


def numbered(texts: list[str], width: int) -> RenderableType:
    """Return texts with numbers before them, in two columns where they fit a screen of this width."""
    cells = [
        Text(f"{number:>2} ", "bold cyan").append(text, "not bold default")
        for number, text in enumerate(texts, 1)
    ]
    half = (len(cells) + 1) // 2
    widest = max((cell.cell_len for cell in cells), default=0)
    columns = Table.grid(padding=(0, 3, 0, 0))
    if widest * 2 + 4 > width or len(cells) < 4:
        half = len(cells)
    for row in range(half):
        columns.add_row(*(cells[place] for place in (row, row + half) if place < len(cells)))
    return columns
