"""Requests of the client: what is sent again and what is not, who one is, and errors as types."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from bohn.client import Client, NotUnderstood, RefusedByTable, RetryPolicy, Unreachable
from bohn.client.transport import Backoff
from bohn.protocol.room import Options
from bohn.rules.commands import Harvest
from tests.client.fake import Drop, Fake, Json, Text

ME = {"user": "u1", "name": "Ada", "language": "en", "bot": False, "cookie": True, "scopes": ["read", "play"]}
DONE = {"id": "c1", "seq": 7}
COMMANDS = "POST /api/tables/t1/commands"


def refusal(reason: str, **params: Any) -> dict[str, Any]:
    """Return the body of a refusal."""
    return {"reason": reason, "clause": None, "params": params}


def bodies(fake: Fake) -> list[Any]:
    """Return what was posted, in order."""
    return [asked.body for asked in fake.asked if asked.method == "POST"]


# -- who one is ------------------------------------------------------------------------------------


def test_guest_keeps_the_cookie(fake: Fake, client: Client) -> None:
    """Whoever has come in is known from then on."""
    cookie = ("Set-Cookie", "bohn=secret; HttpOnly; SameSite=Lax; Path=/")
    fake.on("POST /api/guests", Json(ME, headers=(cookie,)))
    fake.on("GET /api/me", Json(ME))

    client.guest("Ada")
    client.me()

    assert fake.asked[0].body == {"name": "Ada", "language": "en"}
    assert fake.asked[1].headers["cookie"] == "bohn=secret"


def test_cookie_that_is_taken_away_is_forgotten(fake: Fake, client: Client) -> None:
    """A server that signs one out is believed."""
    given = ("Set-Cookie", "bohn=secret; Path=/")
    taken = ("Set-Cookie", 'bohn=""; Max-Age=0; Path=/')
    fake.on("GET /api/me", Json(ME, headers=(given,)), Json(ME, headers=(taken,)), Json(ME))

    for _ in range(3):
        client.me()

    assert [asked.headers.get("cookie") for asked in fake.asked] == [None, "bohn=secret", None]


def test_token_is_sent_instead_of_a_cookie(fake: Fake) -> None:
    """A program with a token is that user, whatever cookies come."""
    fake.on("GET /api/me", Json(ME, headers=(("Set-Cookie", "bohn=other; Path=/"),)))

    with Client(fake.url, token="abc") as client:  # noqa: S106 - not a secret of anybody
        client.me()
        client.me()

    assert [asked.headers.get("authorization") for asked in fake.asked] == ["Bearer abc"] * 2
    assert [asked.headers.get("cookie") for asked in fake.asked] == [None, None]


def test_bot_token_asks_for_a_user_of_its_own(fake: Fake, client: Client) -> None:
    """A program gets its own name, marked as a program."""
    fake.on("POST /api/me/tokens", Json({"token": "t", "id": "i", "user": "u2", "scopes": ["read", "play"]}))

    made = client.bot_token("Beanie")

    assert (made.token, made.user) == ("t", "u2")
    assert bodies(fake) == [{"scopes": ["read", "play"], "label": "", "bot": True, "name": "Beanie"}]


def test_open_table_sends_options_and_bots(fake: Fake, client: Client) -> None:
    """One request opens the table, seats everybody and deals."""
    fake.on("POST /api/tables", Json({"table": "t9", "seq": 4}))

    assert client.open_table(Options(players=3), bots=("pk", "pk"), start=True) == "t9"
    (body,) = bodies(fake)
    assert (body["options"]["players"], body["bots"], body["start"], body["sit"]) == (
        3,
        ["pk", "pk"],
        True,
        True,
    )


def test_paths_are_quoted(fake: Fake, client: Client) -> None:
    """A strange id of a table does not reach another route."""
    with pytest.raises(RefusedByTable, match="not-found"):
        client.look("../me?x=1")

    assert fake.paths() == ["/api/tables/..%2Fme%3Fx%3D1"]


# -- at most once ----------------------------------------------------------------------------------


def test_command_is_sent_again_under_its_id_after_a_lost_answer(fake: Fake, client: Client) -> None:
    """The server may have done it: the same id lets it answer without doing it twice."""
    fake.on(COMMANDS, Drop(), Drop(), Json(DONE))

    assert client.do("t1", Harvest(0, 1)) == 7
    sent = bodies(fake)
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]
    assert sent[0]["command"] == {"do": "harvest", "player": 0, "field": 1}


def test_commands_have_different_ids(fake: Fake, client: Client) -> None:
    """The same command meant twice is done twice."""
    fake.on(COMMANDS, Json(DONE))

    client.do("t1", Harvest(0, 1))
    client.do("t1", Harvest(0, 1))

    first, second = bodies(fake)
    assert first["id"] != second["id"]


def test_own_id_is_sent_as_it_is(fake: Fake, client: Client) -> None:
    """A program that notes its ids can send a command again after it was started anew."""
    fake.on(COMMANDS, Json(DONE))

    client.do("t1", Harvest(0, 1), id="turn-3.1")

    assert bodies(fake)[0]["id"] == "turn-3.1"


def test_full_server_is_tried_again_when_it_says(fake: Fake, client: Client) -> None:
    """Where the server tells when there may be room again, it is believed."""
    fake.on("GET /api/me", Json(refusal("server-full", retry_after=5), 503), Json(ME))

    assert client.me().name == "Ada"


@pytest.mark.parametrize("reason", ["not-saved", "server-stopping"])
def test_command_is_sent_again_after_a_refusal_that_passes(fake: Fake, client: Client, reason: str) -> None:
    """A full disk or a restart is waited for."""
    fake.on(COMMANDS, Json(refusal(reason), 503), Json(DONE))

    assert client.do("t1", Harvest(0, 1)) == 7


def test_command_is_sent_again_after_a_proxy_without_a_server(fake: Fake, client: Client) -> None:
    """While the server restarts, the proxy before it answers with a page."""
    fake.on(COMMANDS, Text(b"<h1>Bad gateway</h1>", 502), Json(DONE))

    assert client.do("t1", Harvest(0, 1)) == 7


def test_table_is_not_opened_again_after_a_lost_answer(fake: Fake, client: Client) -> None:
    """What has no id is not sent twice: there would be two tables."""
    fake.on("POST /api/tables", Drop(), Json({"table": "t9", "seq": 4}))

    with pytest.raises(Unreachable):
        client.open_table()

    assert len(bodies(fake)) == 1


def test_what_surely_was_not_done_is_sent_again(fake: Fake, client: Client) -> None:
    """A refusal that passes has changed nothing, so even opening a table is tried again."""
    fake.on("POST /api/tables", Json(refusal("server-stopping"), 503), Json({"table": "t9", "seq": 4}))

    assert client.open_table() == "t9"


def test_rate_limit_is_waited_for(fake: Fake) -> None:
    """The server says how many ms to wait, and the client does."""
    fake.on("GET /api/me", Json(refusal("rate-limited", retry_after=200), 429), Json(ME))
    impatient = RetryPolicy(first=0.01, longest=0.02, give_up=0.1)

    with Client(fake.url, retries=impatient) as client, pytest.raises(Unreachable, match="rate-limited"):
        client.me()
    with Client(fake.url, retries=RetryPolicy(first=0.01, give_up=5.0)) as client:
        assert client.me().name == "Ada"


def test_a_limit_that_does_not_pass_is_a_refusal(fake: Fake, client: Client) -> None:
    """Too many tables are no matter of waiting."""
    fake.on("POST /api/tables", Json(refusal("rate-limited", tables=8, retry_after=0), 429))

    with pytest.raises(RefusedByTable) as caught:
        client.open_table()

    assert (caught.value.reason, caught.value.params["tables"]) == ("rate-limited", 8)


# -- errors ----------------------------------------------------------------------------------------


def test_refusal_carries_code_clause_parameters_and_status(fake: Fake, client: Client) -> None:
    """A program can act on a refusal without reading a sentence."""
    body = {"reason": "single-bean-protected", "clause": "HARVEST-4", "params": {"field": 1}}
    fake.on(COMMANDS, Json(body, 409))

    with pytest.raises(RefusedByTable) as caught:
        client.do("t1", Harvest(0, 1))

    found = caught.value
    assert (found.reason, found.clause, found.params, found.status) == (
        "single-bean-protected", "HARVEST-4", {"field": 1}, 409,
    )  # fmt: skip
    assert str(found) == "single-bean-protected (HARVEST-4): field=1"
    assert len(bodies(fake)) == 1


def test_nobody_there_is_unreachable() -> None:
    """A server that never answers is given up on, in time."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    retries = RetryPolicy(first=0.01, longest=0.02, give_up=0.1)

    with Client(f"http://127.0.0.1:{port}", retries=retries) as client, pytest.raises(Unreachable):
        client.do("t1", Harvest(0, 1))


@pytest.mark.parametrize("reply", [Text(b"<h1>It works</h1>", 200), Text(b"no", 404), Json({"name": 1})])
def test_something_else_than_a_table_server_is_not_understood(
    fake: Fake, client: Client, reply: Json | Text
) -> None:
    """A wrong address is told from a refusal and from silence."""
    fake.on("GET /api/me", reply)

    with pytest.raises(NotUnderstood):
        client.me()


def test_closed_client_does_not_go_on_trying(fake: Fake) -> None:
    """To close a client ends its waiting."""
    fake.on("GET /api/me", Drop())
    client = Client(fake.url, retries=RetryPolicy(first=60.0, longest=60.0, give_up=600.0))
    client.close()

    with pytest.raises(Unreachable, match="closed"):
        client.me()


def test_pauses_grow_up_to_the_longest() -> None:
    """Each failure in a row is waited for about twice as long as the one before."""
    backoff = Backoff(RetryPolicy(first=1.0, longest=8.0, give_up=1e6))
    pauses = [backoff.pause("x") for _ in range(6)]

    for pause, most in zip(pauses, [1, 2, 4, 8, 8, 8], strict=True):
        assert most / 2 <= pause <= most


def test_pauses_begin_anew_after_an_answer() -> None:
    """One answer is enough to try quickly again."""
    backoff = Backoff(RetryPolicy(first=1.0, longest=8.0, give_up=1e6))
    for _ in range(5):
        backoff.pause("x")
    backoff.reset()

    assert backoff.pause("x") <= 1.0


def test_pause_is_at_least_what_was_asked_for() -> None:
    """A server that says when is not asked before."""
    assert Backoff(RetryPolicy(first=1.0)).pause("x", asked=3.0) >= 3.0
