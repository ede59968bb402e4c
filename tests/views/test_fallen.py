"""Why an offer fell is told by the events that everybody is shown."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from tests.effort import examples
from tests.properties.strategies import GROUPS, Walk, walks
from tests.views import fallen

TRADING = GROUPS["active closes"] + GROUPS["all must pass"] + GROUPS["das-duell"]


@examples(60)
@given(walks(TRADING, trading=(0.85, 0.95)))
def test_one_event_tells_every_viewer_why_an_offer_fell(walk: Walk) -> None:
    """Whoever sees an offer leave is shown one event that says why, the one of the core (OFFER-9)."""
    for step in walk.steps():
        for offer in fallen.gone(step):
            told = fallen.reasons(offer, step.events)
            assert told
            assert set(told[1:]) <= {"closed"}
            for viewer in (None, *range(walk.players)):
                assert fallen.reasons(offer, fallen.shown(step.events, viewer)) == told


def test_recorded_cases_of_the_page_are_up_to_date() -> None:
    """What the page's test reads is what the rules do."""
    assert fallen.TARGET.read_text(encoding="utf-8") == fallen.text()


def test_recorded_cases_have_every_reason() -> None:
    """Each way for an offer to end is among the cases, as its maker and as somebody else sees it."""
    cases = json.loads(fallen.TARGET.read_text(encoding="utf-8"))
    found = {(case["why"], makes(case)) for case in cases}

    assert found == {(why, mine) for why in ("traded", "withdrawn", "card-gone", "closed") for mine in (0, 1)}


def makes(case: dict[str, Any]) -> bool:
    """Tell whether the viewer of a case is the maker of the offer that fell."""
    own = case["was"]["own"]
    return own is not None and any(offer["id"] == case["offer"] for offer in own["offers"])
