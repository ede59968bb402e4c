"""To whom a bot's offers go: people get a few a turn, which stay open; the rest goes to bots only."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules.commands import AcceptOffer, EditOffer, MakeOffer, Plant, Reveal, SetWish
from bohn.rules.deal import opening
from bohn.rules.decide import decide
from bohn.rules.evolve import fold
from bohn.rules.resolve import resolve
from bohn.rules.shuffle import seed_from
from bohn.rules.state import Copy, State, TradePhase
from bohn.server.bots.messages import Terms, terms_of
from bohn.server.bots.recipients import addressed

RULES = resolve("full", 4, "starter=seat:0")
KINDS = RULES.kinds
ANNA = frozenset({1})
"""The only person sits in seat 1, the bot that speaks in seat 0."""

TO_ALL = MakeOffer(0, (1, 2, 3), (), (), (KINDS[4],))
TO_BOTS = MakeOffer(0, (2, 3), (), (), (KINDS[4],))


def trading(*offers: MakeOffer) -> State:
    """Return the trading of seat 0, with these offers on the table."""
    state = fold(opening(RULES, seed_from("asking")))
    for command in (Plant(0, 0), Reveal(0), *offers):
        state = fold(decide(RULES, state, command), state)
    return state


def heard(*offers: MakeOffer) -> tuple[Terms, ...]:
    """Return these offers as they are remembered of a turn."""
    return tuple(terms_of(offer) for offer in offers)


def test_what_is_no_offer_is_left_alone() -> None:
    """Answers, wishes, and the wish to do nothing."""
    for command in (AcceptOffer(0, 1, 1), SetWish(0, KINDS[0], "want"), None):
        assert addressed(RULES, trading(), command, ANNA, heard(TO_ALL, TO_ALL), 2) is command


def test_bots_without_people_offer_as_they_like() -> None:
    """Where nobody sits by, an edit is an edit."""
    edit = EditOffer(0, 1, 1, (1, 2, 3), (), (), (KINDS[3],))

    assert addressed(RULES, trading(TO_ALL), edit, frozenset(), heard(TO_ALL, TO_ALL), 2) is edit


def test_first_offers_reach_people() -> None:
    """As they were made."""
    assert addressed(RULES, trading(), TO_ALL, ANNA, (), 2) is TO_ALL
    assert addressed(RULES, trading(), TO_ALL, ANNA, heard(TO_BOTS, TO_BOTS, TO_ALL), 2) is TO_ALL


def test_nobody_is_asked_for_what_he_keeps() -> None:
    """A bot asks the others for it; where there is nobody else it does not ask."""
    table = fold(decide(RULES, trading(), SetWish(1, KINDS[4], "keep")), trading())

    assert addressed(RULES, table, TO_ALL, ANNA, (), 2) == TO_BOTS
    assert addressed(RULES, table, replace(TO_ALL, to=(1,)), ANNA, (), 2) is None
    another = replace(TO_ALL, want=(KINDS[3],))
    assert addressed(RULES, table, another, ANNA, (), 2) is another


def test_further_offers_reach_bots_only() -> None:
    """What goes to nobody but people is not made at all."""
    made = heard(replace(TO_ALL, want=(KINDS[1],)), replace(TO_ALL, want=(KINDS[2],)))

    assert addressed(RULES, trading(), TO_ALL, ANNA, made, 2) == TO_BOTS
    assert addressed(RULES, trading(), replace(TO_ALL, to=(1,)), ANNA, made, 2) is None
    assert addressed(RULES, trading(), TO_BOTS, ANNA, made, 2) is TO_BOTS


def test_offer_that_bots_have_heard_is_not_made_again() -> None:
    """Nor in other words."""
    made = heard(TO_ALL, replace(TO_ALL, want=(KINDS[2],)), TO_BOTS)

    assert addressed(RULES, trading(), TO_ALL, ANNA, made, 2) is None


def test_edit_of_what_people_think_about_becomes_another_offer() -> None:
    """The one they see stays; the cards and the number of the hand are those that were named."""
    state = trading(TO_ALL)
    card = Copy(0, state.players[0].hand[0])
    revision = state.players[0].hand_revision
    edit = EditOffer(0, 1, 1, (1, 2, 3), (card,), (), (KINDS[3],), hand_revision=revision)
    made = addressed(RULES, state, edit, ANNA, heard(TO_ALL), 2)

    assert made == MakeOffer(0, (1, 2, 3), (card,), (), (KINDS[3],), hand_revision=revision)


def test_edit_goes_to_the_offer_among_bots_where_there_is_one() -> None:
    """So no more offers stand than are needed."""
    state = trading(TO_ALL, replace(TO_ALL, want=(KINDS[2],)), TO_BOTS)
    edit = EditOffer(0, 1, 1, (1, 2, 3), (), (), (KINDS[6],))
    made = heard(TO_ALL, replace(TO_ALL, want=(KINDS[2],)), TO_BOTS)

    assert addressed(RULES, state, edit, ANNA, made, 2) == EditOffer(0, 3, 1, (2, 3), (), (), (KINDS[6],))


def test_edit_of_an_offer_among_bots_stays_one() -> None:
    """Nobody else has heard it."""
    edit = EditOffer(0, 1, 1, (2, 3), (), (), (KINDS[3],))

    assert addressed(RULES, trading(TO_BOTS), edit, ANNA, heard(TO_BOTS), 2) is edit


def test_offer_that_the_rules_would_refuse_is_not_made() -> None:
    """Six may stand; a seventh beside them is none."""
    offers = [replace(TO_ALL, want=(kind,)) for kind in KINDS[:6]]
    edit = EditOffer(0, 1, 1, (1, 2, 3), (), (), (KINDS[7],))

    assert addressed(RULES, trading(*offers), edit, ANNA, heard(*offers), 9) is None


def test_nothing_depends_on_who_has_declined() -> None:
    """Addressees are chosen from public facts."""
    state = trading(TO_ALL)
    phase = state.phase
    assert isinstance(phase, TradePhase)
    refused = replace(state, phase=replace(phase, offers=(replace(phase.offers[0], declined=(1, 2)),)))
    edit = EditOffer(0, 1, 1, (1, 2, 3), (), (), (KINDS[3],))

    for most in (1, 2):
        made = addressed(RULES, state, edit, ANNA, heard(TO_ALL), most)
        assert addressed(RULES, refused, edit, ANNA, heard(TO_ALL), most) == made
        assert made is not None


def test_offer_that_was_countered_is_changed_where_it_stands() -> None:
    """Whoever offered something back waits for that; it is no new offer to him."""
    state = trading()
    mine = MakeOffer(0, (1,), (Copy(0, state.players[0].hand[0]),), (), (KINDS[4],), hand_revision=1)
    back = MakeOffer(1, (0,), (), (), (state.players[0].hand[0],))
    other = replace(back, want=(next(k for k in KINDS if k != state.players[0].hand[0]),))
    edit = EditOffer(0, 1, 1, (1,), (), (), (KINDS[3],))

    assert addressed(RULES, trading(mine, back), edit, ANNA, heard(mine, TO_ALL), 2) == edit
    assert addressed(RULES, trading(mine, other), edit, ANNA, heard(mine, TO_ALL), 2) is None
    assert isinstance(addressed(RULES, trading(mine, other), edit, ANNA, heard(mine), 2), MakeOffer)
