"""What each seat may know: views, visible events, knowledge and previews; built, never stripped."""

from bohn.views.knowledge import Knowledge, know, learn, unseen
from bohn.views.preview import FieldPreview, Preview, consequences
from bohn.views.view import OfferView, OwnHand, PlayerView, View, view
from bohn.views.visible import visible

__all__ = [
    "FieldPreview",
    "Knowledge",
    "OfferView",
    "OwnHand",
    "PlayerView",
    "Preview",
    "View",
    "consequences",
    "know",
    "learn",
    "unseen",
    "view",
    "visible",
]
