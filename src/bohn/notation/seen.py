"""What a seat sees, in text: the keys of a view that a scenario may name."""

from __future__ import annotations

from bohn.notation import codecs
from bohn.notation.beans import format_bean, format_beans
from bohn.notation.codecs import Codec
from bohn.notation.keys import Key
from bohn.notation.offers import format_copies, format_seats
from bohn.notation.reading import texts_of
from bohn.views.view import GiftView, OfferView, TradeView, View

_TEXTS = Codec(lambda value, where, _cards: texts_of(value, where), list)


def format_seen_offer(offer: OfferView) -> str:
    """Return an offer as everybody sees it: of hand cards the kinds and not the places (OFFER-1)."""
    words = [f"{offer.id}.{offer.revision}", f"{offer.maker}>{format_seats(offer.to)}"]
    words += [format_beans(offer.hand)] if offer.hand else []
    words += format_copies(offer.face_up, "face")
    words += ["for", format_beans(offer.want)] if offer.want else []
    words += ["open"] if offer.open else []
    words += ["claims", format_seats(offer.claimers)] if offer.claimers else []
    return " ".join(words)


def _offers(view: View) -> tuple[str, ...]:
    phase = view.phase
    return tuple(map(format_seen_offer, phase.offers)) if isinstance(phase, TradeView) else ()


def _named(view: View) -> tuple[str, ...]:
    phase = view.phase
    named = phase.named if isinstance(phase, GiftView) else ()
    return tuple(f"{seat} {format_bean(bean)}" for seat, bean in named)


VIEW_KEYS: dict[str, Key] = {
    "hand": Key(codecs.BEANS, lambda view: view.own.hand),
    "bonus": Key(codecs.NUMBERS, lambda view: view.own.bonus),
    "claimable": Key(codecs.NUMBERS, lambda view: view.own.claimable),
    "refused": Key(codecs.NUMBERS, lambda view: view.own.refused),
    "hands": Key(codecs.NUMBERS, lambda view: tuple(player.hand_size for player in view.players)),
    "coins": Key(codecs.NUMBERS, lambda view: tuple(player.coins for player in view.players)),
    "treasuries": Key(codecs.FIELDS, lambda view: tuple(player.treasury[::-1] for player in view.players)),
    "bonus_hands": Key(codecs.NUMBERS, lambda view: tuple(player.bonus_hand for player in view.players)),
    "draw_pile": Key(codecs.NUMBER, lambda view: view.draw_pile),
    "discard_pile": Key(codecs.NUMBER, lambda view: view.discard_pile),
    "discard_top": Key(codecs.BEANS, lambda view: view.discard_top),
    "bonus_pile": Key(codecs.NUMBER, lambda view: view.bonus_piles[0]),
    "bonus_discard": Key(codecs.NUMBER, lambda view: view.bonus_piles[1]),
    "face_up": Key(codecs.BEANS, lambda view: getattr(view.phase, "face_up", ())),
    "offers": Key(_TEXTS, _offers),
    "named": Key(_TEXTS, _named),
    "waiting": Key(codecs.SEATS, lambda view: view.waiting),
}
"""The keys of a view: the first four are the seat's own, the others public."""
