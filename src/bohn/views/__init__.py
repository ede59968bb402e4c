"""What each seat may know: views, visible events, knowledge and previews; built, never stripped."""

from bohn.views.giving import Answer, GiftWays, Way, answer, discards, gift_ways
from bohn.views.knowledge import Knowledge, know, learn, unseen
from bohn.views.preview import FieldPreview, Preview, consequences
from bohn.views.view import OfferView, OwnHand, PlayerView, View, view
from bohn.views.visible import visible
from bohn.views.worth import FieldWorth, field_worth

__all__ = [
    "Answer",
    "FieldPreview",
    "FieldWorth",
    "GiftWays",
    "Knowledge",
    "OfferView",
    "OwnHand",
    "PlayerView",
    "Preview",
    "View",
    "Way",
    "answer",
    "consequences",
    "discards",
    "field_worth",
    "gift_ways",
    "know",
    "learn",
    "unseen",
    "view",
    "visible",
]
