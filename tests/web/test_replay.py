"""After the game: its panel, the replay, records; and before all others the game that teaches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.web.support.clicking import finish
from tests.web.support.people import Person
from tests.web.support.replays import Replay
from tests.web.support.serving import Serving
from tests.web.support.texts import text

pytestmark = pytest.mark.e2e

RULES = ["exhaustions=1", "kinds=eight"]


@pytest.fixture(scope="module")
def ada(browser: Browser, server: Serving) -> Iterator[Person]:
    """Return somebody who has played a game to its end against two computer players."""
    person = Person(browser, server.url, "Ada")
    person.come_in()
    person.open_table(3, bots=2, house_rules=RULES)
    finish(person)
    yield person
    person.close()


@pytest.fixture(scope="module")
def replay(ada: Person) -> Replay:
    """Return what she saw of that game."""
    return Replay(ada, f"/api/tables/{ada.table}", ada.seat)


def slider(person: Person) -> Locator:
    """Return what shows and sets the moment of the replay."""
    return person.page.locator("input[type='range']")


def hand(person: Person) -> list[str]:
    """Return the kinds in the hand that is shown."""
    cards = person.page.locator("[data-card] [data-kind]")
    return [str(card.get_attribute("data-kind")) for card in cards.all()]


def open_at(person: Person, replay: Replay, stop: int, seat: int | None = None) -> None:
    """Open the replay by the link to a moment, and wait until it is there."""
    whose = "" if seat is None else f"&seat={seat}"
    person.page.goto(f"{person.url}/replay/{person.table}?at={replay.stops[stop]}{whose}")
    expect(slider(person)).to_have_value(str(stop))


def test_game_over_tells_what_the_server_has_counted(ada: Person) -> None:
    """Coins and deeds of everybody are those of the summary."""
    ada.page.goto(f"{ada.url}/t/{ada.table}")
    summary = ada.ask("GET", f"/api/tables/{ada.table}/summary")
    panel = ada.page.locator("[data-over]")
    expect(panel.locator("ol").first.locator("li")).to_have_count(3)
    coins = sorted(summary["result"]["coins"], reverse=True)
    shown = [row.split()[0] for row in panel.locator("ol").first.locator(".much b").all_inner_texts()]
    assert shown == [str(count) for count in coins]

    columns = (
        "trades",
        "gifts_given",
        "gifts_received",
        "offers_made",
        "offers_taken",
        "harvests",
        "fields_bought",
    )
    rows = panel.locator("table tbody tr").filter(has=ada.page.locator("td.best"))
    expect(rows).to_have_count(3)
    for row, player in zip(rows.all(), summary["players"], strict=True):
        assert row.locator("td.number").all_inner_texts() == [str(player[column]) for column in columns]


def test_game_over_leads_to_the_replay(ada: Person) -> None:
    """Whoever wants to watch it again is one click away from its deal."""
    ada.page.goto(f"{ada.url}/t/{ada.table}")
    ada.page.get_by_role("link", name=text("after.watch")).click()

    expect(slider(ada)).to_have_value("0")


def test_coin_chart_leads_to_the_moment_in_the_replay(ada: Person, replay: Replay) -> None:
    """A click on the chart, and Enter behind the arrow keys, open the replay where coins were earned last."""
    summary = ada.ask("GET", f"/api/tables/{ada.table}/summary")
    last = {row["turn"]: row["entry"] for row in summary["coins"] if row["entry"] > 0}
    turns = sorted(turn for turn in last if turn < summary["turns"])
    ada.page.goto(f"{ada.url}/t/{ada.table}")
    expect(ada.page.get_by_text(text("after.chart-how"))).to_be_visible()
    chart = ada.page.locator("figure [data-turn]")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    turn = turns[len(turns) // 2]
    chart.click(position={"x": box["width"] * turn / summary["turns"], "y": 60})
    expect(slider(ada)).to_have_value(str(replay.stop(last[turn])))

    ada.page.go_back()
    chart.focus()
    chart.press("Home")
    chart.press("ArrowRight")
    expect(chart).to_have_attribute("data-turn", str(turns[0]))
    chart.press("Enter")
    expect(slider(ada)).to_have_value(str(replay.stop(last[turns[0]])))


def test_coin_table_leads_to_the_moment_in_the_replay(ada: Person, replay: Replay) -> None:
    """Each turn of the table is a link; at the end of a replay it leads back into it."""
    summary = ada.ask("GET", f"/api/tables/{ada.table}/summary")
    row = next(row for row in reversed(summary["coins"]) if 0 < row["turn"] < summary["turns"])
    open_at(ada, replay, len(replay.stops) - 1)
    ada.page.get_by_text(text("after.chart-table"), exact=True).click()
    ada.page.get_by_role("link", name=text("after.chart-moment").format(turn=row["turn"]), exact=True).click()

    expect(slider(ada)).to_have_value(str(replay.stop(row["entry"])))


def test_replay_steps_and_scrubs(ada: Person, replay: Replay) -> None:
    """A step goes to the next thing that happened, the slider to any; the hand is what it was then."""
    open_at(ada, replay, 0)
    expect(slider(ada)).to_have_attribute("max", str(len(replay.stops) - 1))
    step = ada.page.get_by_role("button", name=text("replay.step-forward"), exact=True)
    for stop in range(1, 6):
        step.click()
        expect(slider(ada)).to_have_value(str(stop))
        assert hand(ada) == replay.hand(replay.stops[stop])
    ada.page.get_by_role("button", name=text("replay.step-back"), exact=True).click()
    expect(slider(ada)).to_have_value("4")

    middle = len(replay.stops) // 2
    slider(ada).fill(str(middle))
    expect(slider(ada)).to_have_value(str(middle))
    assert hand(ada) == replay.hand(replay.stops[middle])


def test_replay_leads_to_the_results_and_the_next_game(ada: Person, replay: Replay) -> None:
    """Whoever sat there finds the results, and the button that asks for another game of the same company."""
    open_at(ada, replay, 0)
    ada.button("Moments and more").click()
    ada.page.locator("[data-results]").click()

    expect(ada.page.locator("[data-over]")).to_be_visible()
    expect(ada.button("Play again together")).to_be_visible()


def test_replay_plays_by_itself(ada: Person, replay: Replay) -> None:
    """It runs until it is paused."""
    open_at(ada, replay, 0)
    ada.page.locator(".bar select").first.select_option("8")
    ada.page.get_by_role("button", name=text("replay.play"), exact=True).click()
    expect(slider(ada)).not_to_have_value("0")
    ada.page.get_by_role("button", name=text("replay.pause"), exact=True).click()

    expect(ada.page.get_by_role("button", name=text("replay.play"), exact=True)).to_be_visible()


def test_replay_shows_what_another_seat_saw(ada: Person, replay: Replay) -> None:
    """Through other eyes the moment is the same, and the hand is that of the other seat."""
    other = (ada.seat + 1) % 3
    through = Replay(ada, f"/api/tables/{ada.table}", other)
    stop = len(replay.stops) // 3
    open_at(ada, replay, stop)
    ada.page.locator(".bar .view select").select_option(str(other))
    theirs = through.hand(replay.stops[stop])
    assert theirs != replay.hand(replay.stops[stop])
    expect(slider(ada)).to_have_value(str(through.stop(replay.stops[stop])))
    expect(ada.page.locator(f"[data-card='0'] [data-kind='{theirs[0]}']")).to_be_visible()

    assert hand(ada) == theirs


def test_link_to_a_moment_opens_there(ada: Person, replay: Replay) -> None:
    """The link that is told for a moment shows that moment, through the same eyes, to somebody else too."""
    stop = len(replay.stops) - 9
    open_at(ada, replay, stop)
    ada.page.locator(".bar .more").click()
    link = ada.page.locator("#moment-link").input_value()
    assert f"at={replay.stops[stop]}&seat={ada.seat}" in link
    ada.page.goto(ada.url)
    ada.page.goto(link)
    expect(slider(ada)).to_have_value(str(stop))

    assert hand(ada) == replay.hand(replay.stops[stop])


def test_record_that_was_downloaded_can_be_uploaded(ada: Person, replay: Replay, tmp_path: Path) -> None:
    """A saved game is looked at in the lobby of any server, and shows the same."""
    ada.page.goto(f"{ada.url}/t/{ada.table}")
    with ada.page.expect_download() as downloading:
        ada.page.get_by_role("link", name=text("after.record")).click()
    saved = tmp_path / "game.bohn"
    downloading.value.save_as(saved)
    ada.page.goto(ada.url)
    ada.page.locator("input[type='file']").set_input_files(saved)
    expect(slider(ada)).to_have_attribute("max", str(len(replay.stops) - 1))
    stop = len(replay.stops) // 2
    slider(ada).fill(str(stop))
    ada.page.locator(".bar .view select").select_option(str(ada.seat))
    shown = replay.hand(replay.stops[stop])
    expect(ada.page.locator("[data-card]")).to_have_count(len(shown))

    assert "/replay/record/" in ada.page.url
    assert hand(ada) == shown


def test_play_on_leads_to_a_table_at_that_turn(ada: Person, replay: Replay) -> None:
    """From a moment of an old game one plays on with computer players, with the cards of then."""
    turn = max(view["turn"] for view in replay.moments) // 2
    entry = replay.turn(turn)
    open_at(ada, replay, replay.stops.index(entry))
    ada.page.locator(".bar .row").get_by_role("button", name=text("replay.play-on"), exact=True).click()
    ada.page.get_by_role("dialog").locator(".button.main").click()
    ada.page.wait_for_url("**/t/*")
    expect(ada.page.locator("[data-board]")).to_be_visible()
    table = ada.page.url.rpartition("/")[2]
    seen = ada.ask("GET", f"/api/tables/{table}")

    assert table != ada.table
    assert seen["room"]["origin"]["entry"] == entry
    assert seen["game"]["turn"] >= turn
    assert ada.seen()["room"]["status"] == "finished"


def test_first_game_can_be_started_and_skipped(browser: Browser, server: Serving) -> None:
    """Who is new is offered a game that teaches; its coach goes when told to, and does not come back."""
    bo = Person(browser, server.url, "Bo", settings={"seen": []})
    bo.page.goto(bo.url)
    bo.page.get_by_role("button", name=text("lobby.learn")).click()
    coach = bo.page.locator("[data-coach]")
    expect(coach).to_be_visible()
    coach.get_by_role("button", name=text("lesson.skip")).click()
    expect(coach).to_have_count(0)
    expect(bo.page.locator("[data-board]")).to_be_visible()
    bo.page.goto(bo.url)
    expect(bo.page.get_by_role("button", name=text("lobby.play-now"))).to_be_visible()

    expect(bo.page.get_by_role("button", name=text("lobby.learn"), exact=True)).to_have_count(0)
    again = bo.page.locator(".hero").get_by_role("button", name=text("lobby.learn-again"), exact=True)
    expect(again).to_be_in_viewport()
    bo.page.goto(f"{bo.url}/rules/full")
    bo.page.get_by_role("button", name=text("lobby.learn-again"), exact=True).click()
    expect(bo.page.locator("[data-coach]")).to_be_visible()
    bo.close()
