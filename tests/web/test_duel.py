"""The games for two: what asks somebody is whole on the screen, and lies at one place through the phases.

One long file, since both games for two are looked at in the same states and by the same measures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, FloatRect, Page, expect

from bohn.rules.beans import Bean
from bohn.rules.events import BluffCaught
from bohn.rules.state import GiftPhase
from tests.effort import WHOLE
from tests.web.support import covering
from tests.web.support.duels import duels, many, named, pair
from tests.web.support.states import stills, whole_game
from tests.web.support.unserved import Unserved
from tests.web.support.walking import SIZES

pytestmark = pytest.mark.e2e if WHOLE else [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LONGEST = ("ru", "de")
"""Languages with the longest words on the buttons and cards of the duels."""

HIDDEN = """() => [...document.querySelectorAll(".duel, .own > .side")]
  .filter((element) => element.scrollHeight > element.clientHeight + 1)
  .map((element) => `${element.classList[0]} hides ${element.scrollHeight - element.clientHeight} px`)"""
"""What can be seen of the middle and of the own cards by scrolling only."""

PLACES = """() => Object.fromEntries(
  [["steps", ".steps"], ["pile", ".piles"], ["cards", "[data-face-up='0'], .slot"]].flatMap(([as, part]) => {
    const box = document.querySelector(`.duel :is(${part})`)?.getBoundingClientRect();
    return box === undefined ? [] : [[as, [Math.round(box.left), Math.round(box.top)]]];
  }))"""
"""Where the parts of the middle stand, from its own edges."""


WHOLE_LINES = """element => {
  const own = element.getBoundingClientRect();
  for (let around = element; around !== null; around = around.parentElement)
    if (getComputedStyle(around).overflow !== "visible") {
      const room = around.getBoundingClientRect();
      if (own.bottom > room.bottom + 1 || own.right > room.right + 1) return false;
    }
  const below = document.querySelector("[data-kind-name]").getBoundingClientRect();
  return element.scrollHeight <= element.clientHeight + 1 && own.bottom <= below.top + 1;
}"""
"""Whether nothing of an element is cut by what is around it, or lies under the kinds."""


@pytest.fixture
def opened(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Unserved]:
    """Return a page in a window and a language."""
    size, language = request.param
    page = Unserved(browser, settings={"language": language}, **SIZES[size])
    yield page
    page.close()


def at(page: Page, selector: str) -> FloatRect:
    """Return the box of something on the page."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box


@pytest.mark.parametrize(
    "opened", [(size, lang) for size in ("phone", "small", "wide") for lang in LONGEST], indirect=True
)
def test_duel_shows_all_it_asks_about_without_scrolling(opened: Unserved) -> None:
    """In every phase the cards, the gift, the kinds and the bonus cards are whole, in long languages."""
    found: dict[str, str] = {}
    for still in duels():
        opened.show(still)
        for fault in opened.page.evaluate(HIDDEN):
            found.setdefault(fault, still.name)

    assert "\n".join(f"{fault}  [{where}]" for fault, where in found.items()) == ""


@pytest.mark.parametrize("opened", [("small", "en"), ("wide", "en")], indirect=True)
def test_duel_has_one_place_for_each_part_through_the_phases(opened: Unserved) -> None:
    """Steps, bonus pile and the first card stand at one place, whatever the phase."""
    places: dict[str, set[tuple[int, int]]] = {}
    for still in duels(mine=True):
        if "trade" in still.name or "set-aside" in still.name:
            continue
        opened.show(still)
        edge = at(opened.page, ".duel")
        for part, (x, y) in opened.page.evaluate(PLACES).items():
            places.setdefault(part, set()).add((x - round(edge["x"]), y - round(edge["y"])))

    assert {part: len(found) for part, found in places.items()} == {"steps": 1, "pile": 1, "cards": 1}


@pytest.mark.parametrize("opened", [("small", "en"), ("wide", "ru")], indirect=True)
def test_gift_is_taken_elsewhere_than_a_kind_is_named(opened: Unserved) -> None:
    """A gift that comes after a kind was named is not taken with the place where that was clicked."""
    first = next(one for one in duels(mine=True) if one.name == "das-duell gift mine waits name-gift")
    opened.show(first)
    opened.page.locator("[data-kind-name][aria-disabled='false']").first.click()
    opened.drawn()
    name = at(opened.page, "[data-name]")
    opened.show(next(one for one in duels(mine=True) if one.name.endswith("waits name-gift take-gift")))
    take = at(opened.page, "[data-take]")

    assert take["x"] + take["width"] <= name["x"]


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_field_of_das_duell_shows_which_kinds_may_come_next(opened: Unserved) -> None:
    """Where a card does not fit the field names the kinds that do, and a press says why."""
    still = next(one for one in duels(mine=True) if one.name.endswith("plant-face-up plant-gift"))
    opened.show(still)
    field = opened.page.locator("[data-field]:not(.target):has([data-takes])").first
    field.locator(".plot").click(force=True)

    expect(field.locator("[data-takes] svg").first).to_be_visible()
    expect(opened.page.locator(".note")).to_contain_text("What may come next there:")


@pytest.mark.parametrize("opened", [("phone", "en")], indirect=True)
def test_bonus_card_says_its_pattern_in_words(opened: Unserved) -> None:
    """A press on a bonus card tells what a field must be, as it is at this table: no more than that."""
    opened.show(next(one for one in duels(mine=True) if one.name.endswith("plant-face-up plant-gift")))
    opened.page.locator("[data-bonus]").first.click(force=True)

    expect(opened.page.locator(".note")).to_contain_text("a whole field, yours or the other player’s, is")
    expect(opened.page.locator(".note")).to_contain_text("of one kind, then")


@pytest.mark.parametrize(
    "opened", [("phone", "en"), ("phone", "ru"), ("small", "de"), ("wide", "en")], indirect=True
)
def test_completed_bonus_card_carries_its_own_claim(opened: Unserved) -> None:
    """The completed card has the main button, above everything that discards a card."""
    opened.show(many("bonus theirs waits claim-bonus discard-bonus pass"))
    claim = opened.page.locator(".turn .complete [data-claim-bonus]")
    box, discards = at(opened.page, ".turn [data-claim-bonus]"), at(opened.page, "[data-discard-bonus]")

    expect(claim).to_have_class(re.compile(r"\bmain\b"))
    assert box["y"] + box["height"] <= discards["y"]
    expect(opened.page.locator(".turn .or")).to_be_visible()


COMPLETE = "bonus theirs waits claim-bonus discard-bonus pass"


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
@pytest.mark.parametrize("press", [".own [data-bonus].glows", "[data-claim-card]", "[data-claim-bonus]"])
def test_completed_bonus_card_is_claimed_wherever_it_is_shown(opened: Unserved, press: str) -> None:
    """The card above the fields, the card in the middle and its button all claim it."""
    opened.show(many("plant mine waits claim-bonus plant"))
    expect(opened.page.locator(".own [data-bonus]:not([aria-disabled='true'])")).to_have_count(1)
    opened.show(many(COMPLETE))
    expect(opened.page.locator("[data-claim-bonus]")).to_have_count(1)
    opened.page.locator(press).click()

    opened.page.wait_for_timeout(300)
    assert [frame["command"]["do"] for frame in opened.heard if "command" in frame] == ["claim-bonus"]


LOOKED_AT = ".duel li, [data-claim-bonus], [data-discard-bonus], .own :is([data-bonus], .field)"
"""All that is looked at or pressed while the tip stands there."""

TIPPED = [(size, lang) for size in ("phone",) for lang in ("en", "de", "is", "it", "ja", "ru", "sv")]


@pytest.mark.parametrize(("size", "language"), [*TIPPED, ("small", "de"), ("wide", "en")])
def test_tip_about_the_first_complete_bonus_card_covers_nothing_and_is_closed(
    browser: Browser, size: str, language: str
) -> None:
    """It stands where there is room, opens no explanation, hides nothing, and goes by its own button."""
    page = Unserved(browser, settings={"language": language, "hints": True}, **SIZES[size])
    page.show(many(COMPLETE))
    tip = page.page.locator("[data-told='hint-bonus']")
    expect(tip).to_be_visible()

    assert page.page.evaluate(covering.COVERED, ["[data-told='hint-bonus']", LOOKED_AT]) == []
    assert page.page.evaluate(HIDDEN) == []
    expect(page.page.locator(".note")).to_have_count(0)
    tip.locator("button").click()
    expect(tip).to_have_count(0)
    page.close()


@pytest.mark.parametrize("opened", [("phone", "de"), ("small", "de")], indirect=True)
def test_what_forgoes_a_coin_draws_less_attention_than_claiming(opened: Unserved) -> None:
    """The headline says that a card can be claimed; to keep it is a button without a face."""
    opened.show(many(COMPLETE))

    expect(opened.page.locator(".headline")).to_have_text("Bohnuskarte einlösen")
    expect(opened.page.locator(".context [data-key='.']")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(opened.page.locator("[data-claim-bonus]")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_keeping_a_completed_bonus_card_says_that_it_is_not_claimed(opened: Unserved) -> None:
    """The button's words and its hint say what becomes of the card; without one it says no more than that."""
    keep = opened.page.locator(".context [data-key='.']")
    opened.show(many("bonus mine waits discard-bonus pass"))
    expect(keep).to_have_text("Keep them all")
    opened.show(many("bonus theirs waits claim-bonus discard-bonus pass"))
    expect(keep).to_have_text("Keep without claiming")
    keep.hover()

    expect(opened.page.locator(".note")).to_contain_text("A complete bonus card stays unclaimed.")


@pytest.mark.parametrize(
    ("opened", "says"),
    [
        (("phone", "en"), "Discard one bonus card if you like, and draw up to three again."),
        (("phone", "ru"), "Сбрось одну бонусную карту, если хочешь, и снова добери до трёх."),
    ],
    indirect=["opened"],
)
def test_bonus_step_says_on_a_phone_what_is_asked(opened: Unserved, says: str) -> None:
    """Above the cards stands what may be done, and what one gets for it."""
    opened.show(many("bonus mine waits discard-bonus pass"))

    expect(opened.page.locator(".turn .say")).to_be_visible()
    expect(opened.page.locator(".turn .say")).to_have_text(says)


@pytest.mark.parametrize("opened", [("phone", "en"), ("phone", "ru")], indirect=True)
def test_gift_is_taken_at_its_place_whether_a_kind_is_chosen_or_not(opened: Unserved) -> None:
    """On a phone "Take" stays where it is, and the button that names a kind comes beside it."""
    opened.show(named("gift mine waits name-gift take-gift"))
    before = at(opened.page, "[data-take]")
    opened.page.locator("[data-kind-name][aria-disabled='false']").first.click()
    opened.drawn()
    name = at(opened.page, "[data-name]")

    assert at(opened.page, "[data-take]") == before
    assert before["x"] + before["width"] <= name["x"]


@pytest.mark.parametrize(
    "opened",
    [(size, lang) for size in ("phone", "small", "wide") for lang in ("en", *LONGEST)],
    indirect=True,
)
def test_steps_of_a_turn_have_names(opened: Unserved) -> None:
    """The present step says its name, and where there is room the others do; none is cut off."""
    narrow = opened.page.viewport_size is not None and opened.page.viewport_size["width"] <= 800
    for still in duels(mine=True):
        opened.show(still)
        found = opened.page.evaluate(STEPS)
        shown = [step for step in found if step["now"] or not narrow]
        assert [step["name"] for step in shown if not step["whole"]] == [], still.name


STEPS = """() => {
  const pile = document.querySelector(".duel .piles")?.getBoundingClientRect();
  return [...document.querySelectorAll(".steps li")].map(step => {
    const name = step.querySelector(".name"), box = name.getBoundingClientRect();
    const whole = box.width > 8 && (pile === undefined || box.right <= pile.left) && box.right <= innerWidth;
    const letters = document.createRange();
    letters.selectNodeContents(name);
    const lines = new Set([...letters.getClientRects()].map(line => Math.round(line.top))).size;
    const unbroken = lines <= name.textContent.trim().split(/\\s+/).length;
    return { now: step.ariaCurrent === "step", name: name.textContent, whole: whole && unbroken };
  });
}"""
"""The steps of a turn: which is the present one, and whether its name can be read whole."""


@pytest.mark.parametrize("opened", [("phone", "en"), ("wide", "en")], indirect=True)
def test_number_on_a_kind_is_how_many_cards_one_could_give(opened: Unserved) -> None:
    """In whole games it counts the own hand, and what lies face up in the own turn, equal cards each."""
    wrong: dict[str, object] = {}
    for still in (one for seed in SEEDS for one in whole_game("das-duell", 2, seed)):
        phase = still.state.phase
        if not isinstance(phase, GiftPhase) or len(phase.named) > 1:
            continue
        opened.show(still)
        named = [naming.bean for naming in phase.named]
        hand = still.state.players[0].hand
        lies = phase.face_up if still.state.active_player == 0 else ()
        for bean, text in opened.page.evaluate(NUMBERS):
            if bean not in named and sum(map(int, re.findall(r"\d+", text))) != (hand + lies).count(bean):
                wrong[still.name] = (bean, text, hand, lies)

    assert wrong == {}


SEEDS = (2, 5)
"""Games of Das Duell that are looked at as a whole."""

NUMBERS = """() => [...document.querySelectorAll("[data-kind-name]")].map(kind => [
  Number(kind.dataset.kindName),
  [...kind.querySelectorAll(".have [data-drawn]")].map(part => part.dataset.drawn).join(" "),
])"""
"""What stands on each kind that can be named."""


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_verdict_of_a_bluff_goes_when_the_next_thing_happens(opened: Unserved) -> None:
    """What a bluff cost is told once, and is gone with the next card that is planted."""
    games = (list(whole_game("das-duell", 2, seed)) for seed in range(20))
    caught, after = next(
        (still, later)
        for game in games
        for still, later in pairwise(game)
        if any(isinstance(event, BluffCaught) for event in still.told[-1])
    )
    opened.show(caught)
    expect(opened.page.locator(".verdict.caught")).to_be_visible()
    opened.show(after)

    expect(opened.page.locator(".verdict")).to_have_count(0)


@pytest.mark.parametrize("opened", [("phone", "en"), ("phone", "ru"), ("phone", "de")], indirect=True)
def test_bonus_cards_are_drawn_without_moving_the_board(opened: Unserved) -> None:
    """On a phone the bar is as high when cards may be drawn as when one may be discarded."""
    tops = []
    for state in ("discard-bonus pass", "pass refill-bonus"):
        opened.show(many(f"bonus mine waits {state}"))
        tops.append(at(opened.page, ".context")["y"])

    assert max(tops) - min(tops) <= 8


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_face_up_cards_are_called_so(opened: Unserved) -> None:
    """Neither what is asked nor the pile speaks of "what lies there" or of passes."""
    opened.show(named("plant-gift mine waits plant-face-up"))
    text = opened.page.inner_text("body")

    assert "Plant the face-up cards" in text
    assert re.search(r"lies there|\bpass \d|\d(st|nd) pass", text) is None


KINDS = """() => [...document.querySelectorAll("[data-kind-name]")].map(kind => {
  const { left, top, width, height } = kind.getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
})"""
"""Where the kinds lie that can be named."""

COVERED = """() => [...document.querySelectorAll(".own [data-field].target")].flatMap(field => {
  const here = field.querySelector(".here")?.getBoundingClientRect();
  const count = field.querySelector(".count")?.getBoundingClientRect();
  if (here === undefined || count === undefined) return [];
  const beside = here.left >= count.right || count.left >= here.right;
  return beside || here.bottom <= count.top || count.bottom <= here.top ? [] : [field.dataset.field];
})"""
"""The own fields on which "plant here" lies upon the number of beans."""


@pytest.mark.parametrize(
    "opened", [(size, lang) for size in ("phone", "small", "wide") for lang in ("en", "ru")], indirect=True
)
def test_kinds_keep_their_places_while_one_is_chosen(opened: Unserved) -> None:
    """What is said of a kind and its button have room before, so nothing moves under the pointer."""
    opened.show(named("gift mine waits name-gift"))
    before = opened.page.evaluate(KINDS)
    moved = []
    for at in range(len(before)):
        opened.page.locator("[data-kind-name]").nth(at).click()
        opened.drawn()
        moved += [at] if opened.page.evaluate(KINDS) != before else []

    assert moved == []


LANGUAGES = ("en", "de", "is", "it", "ja", "ru", "sv")


@pytest.mark.parametrize("opened", [("phone", language) for language in LANGUAGES], indirect=True)
def test_warning_of_a_bluff_is_whole_on_a_phone(opened: Unserved) -> None:
    """Whatever kind one does not hold is chosen, nothing of what that may cost is cut off."""
    opened.show(named("gift mine waits name-gift"))
    warning = opened.page.locator("p.bluff")
    for kind in opened.page.locator("[data-kind-name]").all():
        kind.click()
        opened.drawn()
        if warning.count() > 0:
            break

    expect(warning).to_be_visible()
    assert warning.evaluate(WHOLE_LINES)


@pytest.mark.parametrize("opened", [("small", "en"), ("phone", "en")], indirect=True)
def test_haggling_says_what_a_gift_is_for(opened: Unserved) -> None:
    """Beside the kinds stands why one is given, and a press tells what refusing and bluffing mean."""
    opened.show(named("gift mine waits name-gift"))
    expect(opened.page.locator(".say .why")).to_contain_text("Give away what you cannot use")
    opened.page.locator("[data-gift-help]").click(force=True)

    expect(opened.page.locator(".note")).to_contain_text("if it is refused, that costs nothing")
    expect(opened.page.locator(".note")).to_contain_text("you pay a coin to the other player")


@pytest.mark.parametrize("opened", [("small", "en")], indirect=True)
def test_kind_chosen_by_keyboard_leads_to_the_button_that_names_it(opened: Unserved) -> None:
    """The first Enter chooses, and the second names what was chosen."""
    opened.show(named("gift mine waits name-gift"))
    opened.page.locator("[data-kind-name]").first.focus()
    opened.page.keyboard.press("Enter")

    expect(opened.page.locator("[data-name]")).to_be_focused()


@pytest.mark.parametrize("opened", [("small", "en")], indirect=True)
def test_enter_on_the_chosen_gift_leads_to_a_field(opened: Unserved) -> None:
    """It is chosen already: what is wanting is a field."""
    still = next(
        one for one in duels(mine=True) if "plant-gift theirs" in one.name and one.name.endswith("plant-gift")
    )
    opened.show(still)
    opened.page.locator("[data-gift]").focus()
    opened.page.keyboard.press("Enter")

    expect(opened.page.locator(".target .plot").first).to_be_focused()


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en"), ("wide", "en")], indirect=True)
def test_fields_of_the_other_player_show_which_kinds_may_come_next(opened: Unserved) -> None:
    """As on one's own fields, small."""
    opened.show(named("gift mine waits name-gift"))
    fields = opened.page.locator("[data-seat] .field[data-kind]")

    assert fields.count() > 0
    expect(fields.locator("[data-takes]")).to_have_count(fields.count())


def written(field: Sequence[Bean]) -> str:
    """Return the numbers of the runs of a field, the oldest first, as they stand one behind the other."""
    return " ".join(str(len(list(run))) for _, run in groupby(field))


@pytest.mark.parametrize("opened", [("phone", "en")], indirect=True)
def test_fields_of_several_kinds_show_each_with_its_number_on_a_phone(opened: Unserved) -> None:
    """One's own and the other player's: a drawing of each kind, and how many of it there are."""
    grown = (((1, 1, 2, 3, 3, 4), (8, 8), (3, 3, 4, 4, 4, 5)), ((6,) * 10 + (7, 8), (2, 3), (1, 2, 3, 4, 5)))
    shown = named("gift mine waits name-gift")
    fields_of = [tuple(tuple(map(Bean, field)) for field in fields) for fields in grown]
    players = tuple(
        replace(player, fields=fields) for player, fields in zip(shown.state.players, fields_of, strict=True)
    )
    still = replace(shown, state=replace(shown.state, players=players))
    opened.show(still)
    for player, fields in zip(still.state.players, (".own .field", "[data-seat] .field"), strict=True):
        for at, field in enumerate(player.fields):
            kinds = opened.page.locator(fields).nth(at).locator("[data-kinds]")
            if len(set(field)) > 1:
                expect(kinds).to_have_text(written(field))
                expect(kinds.locator("svg")).to_have_count(len(set(field)))
                assert kinds.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= 66")
            else:
                expect(kinds).to_have_count(0)


@pytest.mark.parametrize("opened", [("phone", "en"), ("wide", "en")], indirect=True)
def test_cards_of_which_one_is_given_bear_their_numbers(opened: Unserved) -> None:
    """Where "card 2 of your hand" is to choose, the cards of that kind are numbered, and no others."""
    still = next(one for one in whole_game("das-duell", 2, 2) if pair(one) is not None)
    bean, hand = pair(still), still.state.players[0].hand
    assert bean is not None
    opened.show(still)
    numbers = opened.page.locator("[data-numbered]")
    expect(numbers).to_have_count(0)
    opened.page.locator(f"[data-kind-name='{int(bean)}']").click()

    expect(numbers).to_have_text([str(at + 1) for at, card in enumerate(hand) if card == bean])


@pytest.mark.parametrize("opened", [("phone", "en"), ("small", "en")], indirect=True)
def test_das_duell_shows_one_total_and_says_its_unit(opened: Unserved) -> None:
    """Coins and claimed bonus cards are added up, and an explanation says what a penny is."""
    opened.show(named("plant-gift mine waits plant-face-up plant-gift"))
    total = opened.page.locator(".context .coins")
    total.hover()

    expect(total.locator("[data-total]")).to_have_text(re.compile(r"^\s*\d+\s\+\s\d+ penn(y|ies)\s*$"))
    expect(opened.page.locator(".note")).to_contain_text("100 pennies are a coin")


@pytest.mark.parametrize("opened", [("phone", "de"), ("small", "de"), ("wide", "de")], indirect=True)
def test_plant_here_hides_no_number_of_beans(opened: Unserved) -> None:
    """In every game the mark of a target stands beside the count."""
    found = {}
    for still in stills():
        if " waits" not in still.name or "plant" not in still.name:
            continue
        opened.show(still)
        if hidden := opened.page.evaluate(COVERED):
            found[still.name] = hidden

    assert found == {}


@pytest.mark.parametrize("opened", [("small", "en"), ("wide", "en")], indirect=True)
def test_what_is_read_beside_the_table_uses_the_height_there_is(opened: Unserved) -> None:
    """Settings, like rules, are at least half as high as the window, and hide no own coins or buttons."""
    for still in (named("gift mine waits name-gift"), next(iter(stills()))):
        opened.show(still)
        opened.page.locator("[data-key='s']").click()
        expect(opened.page.locator(".sheet")).to_be_visible()
        sheet = at(opened.page, ".sheet")
        context = at(opened.page, ".context .coins")

        assert sheet["height"] >= opened.page.evaluate("innerHeight") / 2
        assert sheet["y"] + sheet["height"] <= context["y"]
        opened.page.locator(".sheet [aria-label='Close']").click()
