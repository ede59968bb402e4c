"""docs/protocol.md says what is so: examples decode, tables are whole, numbers are those of the settings."""

from __future__ import annotations

import re
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from bohn.protocol import account, alerts, api, away, frames, replay
from bohn.protocol.endpoints import ENDPOINTS
from bohn.protocol.refusals import STATUS, Problem, Refusal
from bohn.protocol.room import ClockName, Options, Room, Seat, Status
from bohn.protocol.room_commands import AnyRoomCommand
from bohn.protocol.room_events import AnyRoomEvent
from bohn.protocol.shown import ShownEvent
from bohn.rules.errors import Reason
from bohn.rules.events import AnyEvent
from bohn.rules.legal import OfferSpace
from bohn.server.bots.pace import FIRST_LOOKS, HOLDING, READING, THINKING
from bohn.server.people.names import LONGEST_NAME
from bohn.server.room.clocks import lengths
from bohn.server.room.decide import Context, decide_room
from bohn.server.room.options import LONGEST_DELAY
from bohn.server.settings import Limits, Settings, Times
from bohn.server.tables.plan import ANSWER, ANSWERS_MOST, BOT_CALL, CALL, MISSES
from bohn.server.tables.table_signs import LEAST
from bohn.server.web.socket_connection import CODES
from bohn.server.web.stream import KEEP_ALIVE
from bohn.views.view import View
from bohn.views.visible import VisibleEvent
from bohn.views.worth import FieldWorth
from tests.protocol.document import DOCUMENT, examples, rows, section, tags, text
from tests.protocol.values import keys_kept, sample

TYPES: dict[str, Any] = {
    **{name: kind for name, kind in vars(api).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(account).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(alerts).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(away).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(frames).items() if isinstance(kind, type)},
    **{name: kind for name, kind in vars(replay).items() if isinstance(kind, type)},
    "DraftBody": api.Draft,
    "ErrorBody": api.Error,
    "FieldWorth": FieldWorth,
    "OfferSpace": OfferSpace,
    "View": View,
}
SENT_BY_CLIENTS = (api.Body, frames.ClientFrame)


# -- examples --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "example"), examples(), ids=[name for name, _ in examples()])
def test_example_is_of_its_type(name: str, example: str) -> None:
    """An example can be sent as it stands; one of the server's has all its parts and no others."""
    said = msgspec.json.decode(example)
    decoded = msgspec.json.decode(example, type=TYPES[name])
    again = msgspec.json.decode(msgspec.json.encode(decoded))

    if issubclass(TYPES[name], SENT_BY_CLIENTS):
        assert keys_kept(said, again) == []
    else:
        assert said == again


@pytest.mark.parametrize("example", [text for name, text in examples() if name == "Batch"])
def test_events_of_an_example_are_events(example: str) -> None:
    """What stands under ``events`` is what viewers are shown."""
    said = msgspec.json.decode(example).get("events", [])
    decoded = msgspec.convert(said, tuple[ShownEvent, ...])

    assert said == msgspec.json.decode(msgspec.json.encode(decoded))


@pytest.mark.parametrize("name", ["Refused", "Checked", "ErrorBody"])
def test_codes_of_examples_exist(name: str) -> None:
    """An example of a refusal is one that can come."""
    codes = re.findall(r'"reason": "([a-z-]+)"', dict(examples())[name])

    assert set(codes) <= {*Reason, *Problem}


def test_most_frames_have_an_example() -> None:
    """Only what says nothing beside its id or its names has none."""
    shown = {name for name, _ in examples()}
    kinds = (*get_args(frames.AnyClientFrame), *get_args(frames.AnyServerFrame))

    assert {kind.__name__ for kind in kinds} - shown == {"Ping", "Pong", "People"}


# -- tables ----------------------------------------------------------------------------------------


def test_every_problem_is_explained() -> None:
    """Each code of the server stands in the table, with its status and a meaning."""
    told = {code: (int(status), bool(meaning)) for code, status, meaning in rows("Refusals")}

    assert told == {problem.value: (STATUS.get(problem, 409), True) for problem in Problem}


def test_every_route_is_listed() -> None:
    """The table of routes is the one the server is made of."""
    told = {(method, path, access) for method, path, access, _, _ in rows("Routes")}
    served = {(one.method, one.path, "stranger" if one.stranger else one.access) for one in ENDPOINTS}

    assert told == served


def test_routes_name_bodies_and_answers() -> None:
    """What is sent and what comes back is what the server decodes and encodes."""
    told = {(method, path): (body, answer) for method, path, _, body, answer in rows("Routes")}
    for one in ENDPOINTS:
        body, answer = told[one.method, one.path]
        named = {None: "", api.Draft: "DraftBody"}.get(one.body, getattr(one.body, "__name__", ""))
        assert body == named
        if isinstance(one.result, type) and issubclass(one.result, msgspec.Struct):
            assert re.match(rf"{one.result.__name__}\b", answer)


def test_every_frame_of_a_client_is_explained() -> None:
    """The first table of the frames is what a client may send."""
    assert [row[0] for row in rows("Frames") if len(row) == 4] == tags(frames.AnyClientFrame)


def test_every_frame_of_the_server_is_explained() -> None:
    """The second is what may come."""
    assert [row[0] for row in rows("Frames") if len(row) == 2] == tags(frames.AnyServerFrame)


def test_every_field_of_a_batch_is_explained() -> None:
    """Nothing may come with a batch that is not told."""
    told = {name.strip() for row in rows("Batches") for name in row[0].split(",")}

    assert told == set(frames.Batch.__struct_fields__) - {"seq"}


def test_every_goodbye_is_explained() -> None:
    """Each reason has its meaning, and the code a socket is closed with."""
    told = {reason: int(code) for reason, _, code in rows("Reconnecting")}

    assert told == CODES
    assert set(told) == set(get_args(get_type_hints(frames.Goodbye)["reason"]))


def test_every_shown_version_of_an_event_is_explained() -> None:
    """What a viewer gets instead of an event is told, for each, and of which."""
    told = {row[0]: re.findall(r"[a-z]+-?[a-z]+", row[1]) for row in rows("Events")}

    assert set(told) == {kind.__struct_config__.tag for kind in VisibleEvent.__subclasses__()}
    assert all(set(names) & set(tags(AnyEvent)) for names in told.values())


def test_every_event_of_the_room_is_named() -> None:
    """The list of room events is whole."""
    listed = section("Events").partition("Events of the room are all public:")[2]

    assert re.findall(r"`([a-z-]+)`", listed) == tags(AnyRoomEvent)


def test_every_room_command_is_explained() -> None:
    """The table of room commands is whole."""
    assert [row[0] for row in rows("The room")] == tags(AnyRoomCommand)


def test_host_commands_are_the_hosts() -> None:
    """Whatever the table gives to the host is refused to everybody else, and nothing else is."""
    refused: dict[str, set[bool]] = {}
    statuses: tuple[Status, ...] = ("open", "playing")
    for kind in get_args(AnyRoomCommand):
        for status in statuses:
            refused.setdefault(kind.__struct_config__.tag, set()).add(_refused_as_guest(kind, status))

    assert {row[0]: row[1] == "host" for row in rows("The room")} == {
        tag: True in found for tag, found in refused.items()
    }


def _refused_as_guest(kind: Any, status: Status) -> bool:
    """Whether somebody who is seated is refused because he is not the host."""
    seats = (Seat("host"), Seat("guest"), Seat())
    room = Room("t1", Options(players=3), "host", seats, "", 0, status)
    command = replace(sample(kind), seat=0) if hasattr(sample(kind), "seat") else sample(kind)
    try:
        decide_room(room, "guest", command, 0, Context(frozenset({"a"})))
    except Refusal as refusal:
        return refusal.problem is Problem.NOT_HOST
    return False


@pytest.mark.parametrize("status", ["open", "playing", "finished"])
def test_room_commands_are_possible_when_the_table_says(status: Status) -> None:
    """A command is refused for the state of the table outside the times that are told, and only there."""
    too = {Problem.ALREADY_STARTED, Problem.NOT_STARTED, Problem.TABLE_OVER, Problem.NOT_FINISHED}
    for tag, who, when, _ in rows("The room"):
        kind = next(one for one in get_args(AnyRoomCommand) if one.__struct_config__.tag == tag)
        user = "host" if who == "host" else "nobody" if who == "anybody" else "guest"
        times = {"over": "finished"}.get(when, when).split(", ")
        assert (_problem(kind, status, user) in too) == (status not in times), tag


def _problem(kind: Any, status: Status, user: str) -> Problem | None:
    seats = (Seat("host"), Seat("guest"), Seat())
    room = Room("t1", Options(players=3), "host", seats, "", 0, status)
    try:
        decide_room(room, user, sample(kind), 0, Context(frozenset({"a"})))
    except Refusal as refusal:
        return refusal.problem
    return None


# -- numbers ---------------------------------------------------------------------------------------


def test_every_limit_is_told_as_it_is_set() -> None:
    """The table of limits is whole, and its numbers are those of a server that nobody has configured."""
    told = {name: float(value) for name, value, _ in rows("Limits") if name in Limits.__struct_fields__}

    assert told == msgspec.structs.asdict(Limits())


def test_every_time_is_told_as_it_is_set() -> None:
    """So are the times; those that are left out no client notices."""
    times = msgspec.structs.asdict(Times())
    told = {name: int(value) for name, value, _ in rows("Limits") if name not in Limits.__struct_fields__}

    assert told == {name: times[name] for name in told}
    assert set(times) - set(told) == {
        "bot_move", "bot_delay", "bot_chatter", "bot_beside_people", "bot_quiet", "bot_open", "bot_asks",
        "bot_first_market", "bot_limit", "poll", "sweep", "beat", "lease", "notice", "stop", "idle_table",
        "stale_table",
    }  # fmt: skip


def test_numbers_in_the_text_are_those_of_the_settings() -> None:
    """What is said in words is so."""
    limits, times = Settings().limits, Settings().times
    ping = f"every {times.ping // 1000} seconds"
    said = {
        "Users": [f"at most {LONGEST_NAME}\nletters"],
        "Links": ["seven days", "within an hour"],
        "Tables": [f"at most {LONGEST_DELAY}"],
        "Reconnecting": [f"longer than {limits.gap_rows} batches", f"every {KEEP_ALIVE:g} seconds", ping],
        "Trading with people": [f"for {times.collect} ms", "nine where a bot", "0.8 to 2.5 seconds",
                                "3 to 4.5", "two offers", "two seconds", "six seconds", "12 to 15 seconds",
                                "twelve seconds", "eight behind an offer or exchange", "forty seconds",
                                "for 1.6 seconds more", "leaves 1.1 to 2.8", "after 1.75 to 2 ",
                                "9 to 13.5 seconds", "has nine seconds",
                                "24 seconds later"],
        "Signs": [f"{times.composing // 1000} seconds after", "for a minute", "three seconds at least"],
        "Clocks": [f"after {times.silence // 1000} seconds of silence", "After three in a row",
                   f"at most {times.absence // 86_400_000} days"],
        "Chat": [f"at most {limits.chat_letters} characters"],
        "Presence": [f"until {times.away // 1000} seconds after"],
        "The room": ["away for a minute"],
        "Tables at which nobody looks": ["for five minutes", "for a day"],
    }  # fmt: skip
    missing = [words for title, all_ in said.items() for words in all_ if words not in section(title)]

    assert missing == []
    assert (times.link, times.device_link, times.host_grace) == (7 * 86_400_000, 3_600_000, 60_000)
    assert (times.last_call, times.bot_delay, times.bot_beside_people) == (3000, (800, 2500), (3000, 4500))
    assert (times.bot_asks, times.bot_quiet, times.bot_open) == (2, 2000, (12_000, 15_000))
    assert [times.bot_quiet * one for one in (READING, HOLDING, THINKING)] == [12_000, 12_000, 8_000]
    assert (times.bot_delay[0] * FIRST_LOOKS, times.collect) == (1600, 400)
    assert (times.bot_chatter, times.bot_move) == ((150, 400), (300, 700))
    assert times.bot_first_market == 40_000
    assert (times.composing_most, LEAST) == (60_000, 3000)
    assert (times.unowned_table, times.unowned_game) == (5 * 60_000, 86_400_000)
    assert MISSES == 3
    assert (times.last_call * CALL, times.last_call * BOT_CALL) == (6000, 9000)
    assert (times.last_call * ANSWER, times.last_call * ANSWERS_MOST) == (9000, 24_000)


def test_clocks_are_told_as_they_run() -> None:
    """The table of clocks has their seconds, or their hours."""
    units = {"s": 1_000, "h": 3_600_000}
    told = {
        name: tuple(int(text.split()[0]) * units[text.split()[1]] for text in both)
        for name, *both in rows("Clocks")
    }

    assert told == {clock: lengths(clock, Times()) for clock in get_args(ClockName) if clock != "none"}


def test_document_is_of_this_version() -> None:
    """A new version of the protocol needs a new document."""
    assert text().startswith(f"# The protocol, version {frames.PROTOCOL}\n")
    assert f"in the catalog is {frames.PROTOCOL}." in section("Versions")


def test_links_within_the_documents_lead_somewhere() -> None:
    """Every link names a file beside this one, and a heading that is there."""
    links = re.findall(r"\]\(((?:[\w-]+\.md)?)(?:#([\w-]+))?\)", text())
    assert len(links) > 10
    for target, anchor in links:
        page = DOCUMENT if not target else DOCUMENT.parent / target
        headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, (target, anchor)
