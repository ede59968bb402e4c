"""The events of a batch as a viewer is shown them: what a client decodes ``Batch.events`` to."""

from __future__ import annotations

import operator
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from bohn.protocol.room_events import AnyRoomEvent
from bohn.rules import events as e
from bohn.views.visible import VisibleEvent

NEVER_SHOWN: tuple[type[e.Event], ...] = (e.Dealt, e.Reshuffled, e.Traded, e.BonusReshuffled)
"""Events of the game for which every viewer, whoever he is, gets a public version."""

SHOWN: tuple[type[Any], ...] = (
    *(kind for kind in get_args(e.AnyEvent) if kind not in NEVER_SHOWN),
    *(kind for kind in VisibleEvent.__subclasses__() if kind.__module__ == VisibleEvent.__module__),
    *get_args(AnyRoomEvent),
)
"""Everything that may stand in ``Batch.events``: public events, hidden ones replaced, events of the room."""

if TYPE_CHECKING:
    ShownEvent: TypeAlias = e.Event | VisibleEvent | AnyRoomEvent
else:
    ShownEvent = reduce(operator.or_, SHOWN)
    """The same as one tagged union."""
