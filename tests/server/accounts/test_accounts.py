"""A guest becomes an account, comes back, looks after it, and takes his data or deletes them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from bohn.protocol.api import AccountsOffer
from bohn.protocol.refusals import Refusal
from bohn.server.accounts.service import Accounts
from bohn.server.entropy import SystemEntropy
from bohn.server.run import running
from bohn.server.settings import Limits, Settings, Times
from bohn.server.store.postgres.store import PostgresStore
from bohn.server.store.sqlite import SqliteStore
from tests.server.accounts.conftest import Visit
from tests.server.support.authenticator import Authenticator
from tests.server.support.clock import StillClock
from tests.server.support.entropy import RepeatableEntropy
from tests.server.support.memory_store import MemoryStore
from tests.server.support.owners import ORIGIN, SETTINGS, Owner, come, refused
from tests.server.support.postgres import emptied
from tests.server.support.site import Place, checked, of, until, visit


def test_guest_keeps_everything_when_he_becomes_an_account(at_a_server: Visit) -> None:
    """Seats, records, mutes and name are the same, and he has them in another browser by his passkey."""

    async def scenario(place: Place) -> None:
        key, anna, bert, there = Authenticator(), await come(place), await come(place, "Bert"), Owner(place)
        table = await anna.open_table()
        await anna.post("/api/me/mutes", {"user": bert.user, "on": True})
        await anna.become(key)

        me = checked(await there.sign_in(key))
        assert (me["user"], me["name"]) == (anna.user, "Anna")
        assert [one["table"] for one in (await there.get("/api/me/tables"))["tables"]] == [table]
        assert (await there.get("/api/me/mutes"))["users"] == [bert.user]

    at_a_server(scenario)


def test_account_is_shown_to_its_owner(at_a_server: Visit) -> None:
    """A guest has none; keys and codes themselves are shown to nobody."""

    async def scenario(place: Place) -> None:
        anna = await come(place)
        none = await anna.get("/api/account")
        assert none == {"handle": "", "created": 0, "passkeys": [], "codes": 0, "confirmed": 0}
        await anna.become(Authenticator(), "Anna")
        found, now = await anna.get("/api/account"), place.clock.now()

        (passkey,) = found.pop("passkeys")
        assert found == {"handle": "anna", "created": now, "codes": 8, "confirmed": now + 600_000}
        assert {key: passkey[key] for key in passkey if key != "id"} == {
            "label": "", "created": now, "used": now, "synced": False,
        }  # fmt: skip
        assert len(passkey["id"]) == 16

    at_a_server(scenario)


def test_last_passkey_stays(at_a_server: Visit) -> None:
    """Of two one may go, and signs nobody in any more."""

    async def scenario(place: Place) -> None:
        first, second = Authenticator("first"), Authenticator("second")
        anna, there = await come(place), Owner(place)
        await anna.become(first)
        (one,) = (await anna.get("/api/account"))["passkeys"]
        assert refused(await anna.ask("DELETE", f"/api/account/passkeys/{one['id']}")) == "last-passkey"
        checked(await anna.make(second))
        checked(await anna.ask("DELETE", f"/api/account/passkeys/{one['id']}"))

        assert refused(await there.sign_in(first)) == "passkey-not-valid"
        assert checked(await there.sign_in(second))["user"] == anna.user

    at_a_server(scenario)


def test_number_of_passkeys_is_limited() -> None:
    """As is said before the device is asked."""

    async def scenario(place: Place) -> None:
        anna = await come(place)
        await anna.become(Authenticator("first"))
        checked(await anna.make(Authenticator("second")))

        answer = await anna.ask("POST", "/api/account/passkeys/begin", {"handle": ""})
        assert refused(answer) == "too-many"

    limits = Limits(passkeys_a_user=2)
    visit(scenario, Settings(limits=limits, relying_party="bohn.example.org", origins=(ORIGIN,)))


def test_lookalike_handle_is_taken(at_a_server: Visit) -> None:
    """Told before the device makes a passkey; the guest stays a guest, and takes another."""

    async def scenario(place: Place) -> None:
        anna, bert = await come(place), await come(place, "Bert")
        await anna.become(Authenticator("anna"), "paul")
        for handle in ("paul", "PAUL", "pau1", "раul", "рau1"):
            answer = await bert.ask("POST", "/api/account/passkeys/begin", {"handle": handle})
            assert refused(answer) in {"handle-taken", "handle-mixed"}

        await bert.become(Authenticator("bert"), "bert")
        assert (await bert.get("/api/account"))["handle"] == "bert"

    at_a_server(scenario)


def test_handle_that_two_want_at_once_goes_to_one(at_a_server: Visit) -> None:
    """The other stays a guest, and has no passkey here."""

    async def scenario(place: Place) -> None:
        people = [await come(place), await come(place, "Bert")]
        begun = [await one.begin("passkeys", {"handle": "paul"}) for one in people]
        keys = [Authenticator("anna"), Authenticator("bert")]
        made = [key.make(one["options"], ORIGIN) for key, one in zip(keys, begun, strict=True)]
        answers = await asyncio.gather(
            *(who.finish("passkeys", *rest) for who, *rest in zip(people, begun, made, strict=True))
        )

        assert sorted(one.status for one in answers) == [200, 409]
        loser = next(place for place, one in enumerate(answers) if one.status == 409)
        assert refused(answers[loser]) == "handle-taken"
        assert refused(await Owner(place).sign_in(keys[loser])) == "passkey-not-valid"
        await people[loser].become(keys[loser], "bert")

    at_a_server(scenario)


def test_handle_is_shown_beside_the_name(at_a_server: Visit) -> None:
    """Whoever is at a table with him hears of it at once; two of one name are told apart by it."""

    async def scenario(place: Place) -> None:
        anna, other = await come(place), await come(place)
        table = await anna.open_table(options={"listed": True})
        socket = other.socket(table, headers={"origin": ORIGIN, "host": "bohn.example.org"})
        await until(lambda: of(socket, "welcome"))
        await anna.become(Authenticator())
        await until(lambda: of(socket, "people"))

        shown = {"name": "Anna", "bot": False, "handle": "anna"}
        assert of(socket, "people")[-1]["people"][anna.user] == shown
        assert (await other.get(f"/api/tables/{table}"))["people"][anna.user] == shown
        await socket.hang_up()

    at_a_server(scenario)


def test_session_is_listed_by_its_device_and_ended(at_a_server: Visit) -> None:
    """Whoever is signed out there is nobody at once."""

    async def scenario(place: Place) -> None:
        key, anna, there = Authenticator(), await come(place), Owner(place)
        await anna.become(key)
        begun = await there.begin("sign-in")
        body = {"ticket": begun["ticket"], "credential": key.sign(begun["options"], ORIGIN)}
        answer = await there.ask("POST", "/api/account/sign-in", body | {"label": "Firefox,\x00 Linux"})
        there.again(answer.cookie)
        (other,) = [one for one in await anna.get("/api/me/tokens") if not one["current"]]
        assert other["label"] == "Firefox, Linux"
        checked(await anna.ask("DELETE", f"/api/me/tokens/{other['id']}"))

        assert refused(await there.ask("GET", "/api/me")) == "no-guest"

    at_a_server(scenario)


def test_signing_in_again_replaces_the_session(at_a_server: Visit) -> None:
    """A browser has one session of an account; that of a guest who was here before stays his."""

    async def scenario(place: Place) -> None:
        key, anna, bert = Authenticator(), await come(place), await come(place, "Bert")
        await anna.become(key)
        first = anna.headers["cookie"]
        checked(await anna.sign_in(key))
        assert len(await anna.get("/api/me/tokens")) == 1
        assert await place.services.people.who(first.partition("=")[2], cookie=True) is None

        guest = bert.headers["cookie"].partition("=")[2]
        checked(await bert.sign_in(key))
        assert await place.services.people.who(guest, cookie=True) is not None

    at_a_server(scenario)


def test_deleted_account_lets_nobody_in(at_a_server: Visit) -> None:
    """Its sessions are nobody, its passkeys and codes are unknown, and its handle is free."""

    async def scenario(place: Place) -> None:
        key, anna, there, bert = Authenticator(), await come(place), Owner(place), await come(place, "Bert")
        codes = await anna.become(key)
        checked(await there.sign_in(key))
        begun = await there.begin("sign-in")
        checked(await anna.ask("DELETE", "/api/me"))

        assert refused(await there.ask("GET", "/api/me")) == "no-guest"
        late = await there.finish("sign-in", begun, key.sign(begun["options"], ORIGIN))
        assert refused(late) == "passkey-not-valid"
        assert refused(await there.recover(codes[0])) == "code-not-valid"
        await bert.become(Authenticator("bert"), "anna")

    at_a_server(scenario)


def test_export_has_what_one_has_left_and_no_secret(at_a_server: Visit) -> None:
    """Everything of one's own, and nothing that others wrote."""

    async def scenario(place: Place) -> None:
        key, anna, bert = Authenticator(), await come(place), await come(place, "Bert")
        codes = await anna.become(key)
        table = await anna.open_table(options={"listed": True})
        await anna.post(f"/api/tables/{table}/chat", {"text": "mine"})
        await bert.post(f"/api/tables/{table}/chat", {"text": "another's"})
        await anna.post(f"/api/tables/{table}/chat/2/report", {"reason": "why"})
        await anna.post("/api/me/mutes", {"user": bert.user, "on": True})
        answer = await anna.ask("GET", "/api/me/export")
        found, text = checked(answer), answer.body.decode()

        assert (found["me"]["user"], found["account"]["handle"]) == (anna.user, "anna")
        assert [one["table"] for one in found["tables"]] == [table]
        assert [one["text"] for one in found["lines"]] == ["mine"]
        assert [one["reason"] for one in found["reports"]] == ["why"]
        assert found["mutes"] == [bert.user]
        assert len(found["sessions"]) == 1
        assert codes[0] not in text
        assert anna.headers["cookie"].partition("=")[2] not in text

    at_a_server(scenario)


def test_device_link_of_an_account_confirms_the_new_session(at_a_server: Visit) -> None:
    """It was made in a session that was confirmed: the other device may make its own passkey."""

    async def scenario(place: Place) -> None:
        anna, there = await come(place), Owner(place)
        await anna.become(Authenticator())
        link = await anna.post("/api/me/links")
        there.again((await there.ask("POST", "/api/links", {"token": link["token"]})).cookie)

        checked(await there.make(Authenticator("second")))
        assert len((await anna.get("/api/account"))["passkeys"]) == 2

    at_a_server(scenario)


def test_device_link_made_by_a_guest_confirms_nothing_later(at_a_server: Visit) -> None:
    """One that somebody found before there was an account changes nobody's passkeys."""

    async def scenario(place: Place) -> None:
        anna, there = await come(place), Owner(place)
        link = await anna.post("/api/me/links")
        await place.clock.advance(1_000)
        await anna.become(Authenticator())
        there.again((await there.ask("POST", "/api/links", {"token": link["token"]})).cookie)

        answer = await there.ask("POST", "/api/account/passkeys/begin", {"handle": ""})
        assert refused(answer) == "confirm-first"

    at_a_server(scenario)


def test_suspended_owner_takes_his_data_and_goes(at_a_server: Visit) -> None:
    """He confirms who he is, exports and deletes; he makes no passkey meanwhile."""

    async def scenario(place: Place) -> None:
        key, anna = Authenticator(), await come(place)
        await anna.become(key)
        await place.sanction(anna.user, "suspend")
        await place.clock.advance(600_000)
        begun = await anna.begin("confirm")
        checked(await anna.finish("confirm", begun, key.sign(begun["options"], ORIGIN)))

        assert refused(await anna.ask("POST", "/api/account/codes")) == "suspended"
        assert (await anna.get("/api/me/export"))["me"]["user"] == anna.user
        checked(await anna.ask("DELETE", "/api/me"))

    at_a_server(scenario)


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        (Settings(), "offered"),
        (Settings(relying_party=""), "no-relying-party"),
        (Settings(origins=(ORIGIN,)), "no-relying-party"),
        (Settings(host="0.0.0.0", lan=True), "offered"),  # noqa: S104 - as --lan sets it
        (Settings(host="0.0.0.0"), "no-relying-party"),  # noqa: S104 - as --host sets it
    ],
)
def test_catalog_tells_whether_accounts_are_offered(settings: Settings, state: str) -> None:
    """Where only this machine comes by a name it is localhost; elsewhere it is set, or there are none."""

    async def scenario(place: Place) -> None:
        anna = await place.guest()
        offer = (await anna.get("/api/catalog"))["accounts"]
        assert offer["state"] == state
        assert offer["relying_party"] == ("localhost" if state == "offered" else "")
        begun = await anna.ask("POST", "/api/account/passkeys/begin", {"handle": "anna"})

        assert begun.status == (200 if state == "offered" else 409)
        assert state == "offered" or refused(begun) == "no-accounts"

    visit(scenario, settings)


def test_account_is_deleted_where_none_are_offered_any_more(tmp_path: Path) -> None:
    """There is no way left to confirm who one is, and one's data are one's own all the same."""
    cookies: list[str] = []

    async def before(place: Place) -> None:
        anna = await come(place)
        await anna.become(Authenticator())
        assert refused(await anna.ask("DELETE", "/api/me")) == "confirm-first"
        cookies.append(anna.headers["cookie"])

    async def after(place: Place) -> None:
        anna = Owner(place, cookies[0])
        assert (await anna.get("/api/account"))["handle"] == "anna"
        checked(await anna.ask("DELETE", "/api/me"))
        assert refused(await anna.ask("GET", "/api/me")) == "no-guest"

    never = Times(confirmed=0)
    visit(before, replace(SETTINGS, times=never), SqliteStore(tmp_path / "tables.sqlite"))
    visit(after, replace(SETTINGS, times=never, relying_party=""), SqliteStore(tmp_path / "tables.sqlite"))


def test_server_without_the_library_offers_no_accounts() -> None:
    """As `make play` has none: the catalog says why, and nothing is missing but that."""
    accounts = Accounts(MemoryStore(), StillClock(), RepeatableEntropy(), Settings(), lambda: False)

    assert accounts.offer == AccountsOffer("not-installed")
    with pytest.raises(Refusal, match="no-accounts"):
        asyncio.run(accounts.begin_sign_in(ORIGIN))


@pytest.mark.parametrize(
    "name", ["192.0.2.7", "[::1]", "https://bohn.example.org", "example", "a b.org", "A.org"]
)
def test_relying_party_is_a_host_name(name: str) -> None:
    """No address, no port, no scheme: passkeys could not be made for it."""
    with pytest.raises(ValueError, match="host name"):
        Settings(relying_party=name)


@pytest.mark.postgres
def test_challenge_of_one_worker_is_answered_at_another(postgres_database: str) -> None:
    """Nothing of a ceremony is in the memory of a process; an answer sent to both counts once."""

    async def scenario() -> None:
        clock = StillClock()
        stores = PostgresStore(postgres_database), PostgresStore(postgres_database)
        async with (
            running(SETTINGS, stores[0], clock, SystemEntropy()) as first,
            running(SETTINGS, stores[1], clock, SystemEntropy()) as second,
        ):
            places = Place(first, clock, stores[0]), Place(second, clock, stores[1])
            key, anna = Authenticator(), await come(places[0])
            begun = await anna.begin("passkeys", {"handle": "anna"})
            elsewhere = Owner(places[1], anna.headers["cookie"])
            checked(await elsewhere.finish("passkeys", begun, key.make(begun["options"], ORIGIN)))
            begun = await anna.begin("sign-in")
            credential = key.sign(begun["options"], ORIGIN)
            answers = await asyncio.gather(
                *(Owner(place).finish("sign-in", begun, credential) for place in places)
            )

            assert sorted(one.status for one in answers) == [200, 403]

    emptied(postgres_database)
    asyncio.run(scenario())
