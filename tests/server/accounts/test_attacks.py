"""What is forged, replayed, stolen or from elsewhere: clear words, nothing lost, nothing doubled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.accounts.conftest import Visit
from tests.server.support.authenticator import PRESENT, Authenticator, text_of
from tests.server.support.owners import ORIGIN, Owner, come, refused
from tests.server.support.site import Place, checked

FORGED: dict[str, dict[str, Any]] = {
    "another origin": {"origin": "https://bohn.example.com"},
    "an origin below": {"origin": "https://evil.bohn.example.org"},
    "the origin without TLS": {"origin": "http://bohn.example.org"},
    "another relying party": {"party": "example.com"},
    "another key": {"by": Authenticator().key},
    "nobody was verified": {"flags": PRESENT},
    "an answer for making a passkey": {"kind": "webauthn.create"},
}
"""What is wrong with an assertion, each by itself."""


@pytest.mark.parametrize("what", FORGED)
def test_forged_assertion_signs_nobody_in(at_a_server: Visit, what: str) -> None:
    """It is refused in the same words whatever is wrong, and the owner still signs in."""

    async def scenario(place: Place) -> None:
        key, anna, thief = Authenticator(), await come(place), Owner(place)
        await anna.become(key)

        assert refused(await thief.sign_in(key, **FORGED[what])) == "passkey-not-valid"
        assert refused(await thief.ask("GET", "/api/me")) == "no-guest"
        assert checked(await thief.sign_in(key))["user"] == anna.user

    at_a_server(scenario)


def test_replayed_assertion_is_refused(at_a_server: Visit) -> None:
    """A challenge is used up by its first answer; with another's ticket it answers something else."""

    async def scenario(place: Place) -> None:
        key, anna, thief = Authenticator(), await come(place), Owner(place)
        await anna.become(key)
        begun = await anna.begin("sign-in")
        credential = key.sign(begun["options"], ORIGIN)
        assert (await anna.finish("sign-in", begun, credential)).status == 200
        fresh = await thief.begin("sign-in")

        assert refused(await thief.finish("sign-in", begun, credential)) == "passkey-not-valid"
        assert refused(await thief.finish("sign-in", fresh, credential)) == "passkey-not-valid"
        assert len(await place.store.sessions_of(anna.user)) == 1

    at_a_server(scenario)


def test_wrong_answer_uses_the_challenge_up(at_a_server: Visit) -> None:
    """Nobody may try several keys on one challenge."""

    async def scenario(place: Place) -> None:
        key, anna = Authenticator(), await come(place)
        await anna.become(key)
        begun = await anna.begin("sign-in")
        wrong = key.sign(begun["options"], ORIGIN, by=Authenticator().key)
        right = key.sign(begun["options"], ORIGIN)

        assert refused(await anna.finish("sign-in", begun, wrong)) == "passkey-not-valid"
        assert refused(await anna.finish("sign-in", begun, right)) == "passkey-not-valid"

    at_a_server(scenario)


def test_late_answer_is_refused(at_a_server: Visit) -> None:
    """A challenge holds for five minutes."""

    async def scenario(place: Place) -> None:
        key, anna = Authenticator(), await come(place)
        await anna.become(key)
        begun = await anna.begin("sign-in")
        await place.clock.advance(300_000)

        answer = await anna.finish("sign-in", begun, key.sign(begun["options"], ORIGIN))
        assert refused(answer) == "passkey-not-valid"

    at_a_server(scenario)


def test_count_that_goes_back_is_refused(at_a_server: Visit) -> None:
    """A copy of a key that counts is found out; one that never counts is taken each time."""

    async def scenario(place: Place) -> None:
        key, anna, thief = Authenticator(), await come(place), Owner(place)
        await anna.become(key)
        for _ in range(2):
            checked(await thief.sign_in(key))
        checked(await thief.sign_in(key, counts=5))

        assert refused(await thief.sign_in(key)) == "passkey-not-valid"
        assert refused(await thief.sign_in(key, counts=-1)) == "passkey-not-valid"
        assert checked(await thief.sign_in(key, counts=2))["user"] == anna.user

    at_a_server(scenario)


def test_passkey_that_names_another_user_is_refused(at_a_server: Visit) -> None:
    """The user in the answer is the one whose passkey it is."""

    async def scenario(place: Place) -> None:
        key, anna, bert = Authenticator(), await come(place), await come(place, "Bert")
        await anna.become(key)
        begun = await bert.begin("sign-in")
        credential = key.sign(begun["options"], ORIGIN)
        credential["response"]["userHandle"] = text_of(bert.user.encode())

        assert refused(await bert.finish("sign-in", begun, credential)) == "passkey-not-valid"

    at_a_server(scenario)


def test_passkey_of_somebody_else_confirms_nothing(at_a_server: Visit) -> None:
    """Nor is it deleted by whoever knows what it is called."""

    async def scenario(place: Place) -> None:
        mine, other = Authenticator("mine"), Authenticator("other")
        anna, bert = await come(place), await come(place, "Bert")
        await anna.become(mine)
        await bert.become(other, "bert")
        (passkey,) = (await bert.get("/api/account"))["passkeys"]
        begun = await anna.begin("confirm")
        answer = await anna.finish("confirm", begun, other.sign(begun["options"], ORIGIN))

        assert refused(answer) == "passkey-not-valid"
        dropped = await anna.ask("DELETE", f"/api/account/passkeys/{passkey['id']}")
        assert refused(dropped) == "not-found"
        assert len((await bert.get("/api/account"))["passkeys"]) == 1

    at_a_server(scenario)


def test_challenge_of_another_session_makes_no_passkey(at_a_server: Visit) -> None:
    """What was begun in one browser is not finished in another."""

    async def scenario(place: Place) -> None:
        key, anna, bert = Authenticator(), await come(place), await come(place, "Bert")
        begun = await anna.begin("passkeys", {"handle": "anna"})
        answer = await bert.finish("passkeys", begun, key.make(begun["options"], ORIGIN))

        assert refused(answer) == "passkey-not-valid"
        assert (await bert.get("/api/account"))["handle"] == ""

    at_a_server(scenario)


@pytest.mark.parametrize("end", ["sign-in", "confirm"])
def test_challenge_for_another_end_makes_no_passkey(at_a_server: Visit, end: str) -> None:
    """Not even in the session that has asked for it."""

    async def scenario(place: Place) -> None:
        key, second, anna = Authenticator(), Authenticator("second"), await come(place)
        await anna.become(key)
        begun = await anna.begin(end)
        options = begun["options"] | {"user": {"id": text_of(anna.user.encode())}}
        credential = second.make(options, ORIGIN, party="bohn.example.org")

        assert refused(await anna.finish("passkeys", begun, credential)) == "passkey-not-valid"
        assert len((await anna.get("/api/account"))["passkeys"]) == 1

    at_a_server(scenario)


@pytest.mark.parametrize("what", [{"party": "example.com"}, {"flags": PRESENT}])
def test_passkey_made_elsewhere_makes_no_account(at_a_server: Visit, what: dict[str, Any]) -> None:
    """For another relying party, or by a device that has not asked who is there."""

    async def scenario(place: Place) -> None:
        anna = await come(place)

        assert refused(await anna.make(Authenticator(), "anna", **what)) == "passkey-not-valid"
        assert (await anna.get("/api/account"))["handle"] == ""

    at_a_server(scenario)


def test_passkey_belongs_to_one_account(at_a_server: Visit) -> None:
    """Its id is taken once."""

    async def scenario(place: Place) -> None:
        key, anna, bert = Authenticator(), await come(place), await come(place, "Bert")
        await anna.become(key)

        assert refused(await bert.make(key, "bert")) == "passkey-not-valid"
        assert (await bert.get("/api/account"))["handle"] == ""

    at_a_server(scenario)


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": 7},
        {"id": "\x00"},
        {"id": "x" * 5_000},
        {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": []},
        {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {"clientDataJSON": "?"}},
    ],
)
def test_nonsense_is_refused(at_a_server: Visit, credential: dict[str, Any]) -> None:
    """Whatever stands in place of an answer."""

    async def scenario(place: Place) -> None:
        anna = await come(place)
        begun = await anna.begin("sign-in")
        assert refused(await anna.finish("sign-in", begun, credential)) == "passkey-not-valid"
        begun = await anna.begin("passkeys", {"handle": "anna"})
        assert refused(await anna.finish("passkeys", begun, credential)) == "passkey-not-valid"

    at_a_server(scenario)


def test_stolen_cookie_does_not_change_who_signs_in(at_a_server: Visit) -> None:
    """After ten minutes that wants the passkey again; the owner then does it."""

    async def scenario(place: Place) -> None:
        key, anna = Authenticator(), await come(place)
        await anna.become(key)
        await anna.make(Authenticator("second"))
        await place.clock.advance(600_000)
        passkeys = (await anna.get("/api/account"))["passkeys"]
        asked = [
            ("POST", "/api/account/passkeys/begin", {"handle": ""}),
            ("DELETE", f"/api/account/passkeys/{passkeys[0]['id']}", None),
            ("POST", "/api/account/codes", None),
            ("POST", "/api/me/links", None),
            ("DELETE", "/api/me", None),
        ]

        assert [refused(await anna.ask(*one)) for one in asked] == ["confirm-first"] * 5
        begun = await anna.begin("confirm")
        checked(await anna.finish("confirm", begun, key.sign(begun["options"], ORIGIN)))
        assert [(await anna.ask(*one)).status for one in asked] == [200] * 5

    at_a_server(scenario)


def test_recovery_code_is_used_once(at_a_server: Visit) -> None:
    """However it is typed; a wrong one is told in the same words as a used one."""

    async def scenario(place: Place) -> None:
        anna, found, thief = await come(place), Owner(place), Owner(place)
        codes = await anna.become(Authenticator())
        typed = codes[0].lower().replace("-", " ").replace("0", "o").replace("1", "l")

        assert checked(await found.recover(typed))["user"] == anna.user
        assert refused(await thief.recover(codes[0])) == "code-not-valid"
        assert refused(await thief.recover("0000-0000-0000-0000")) == "code-not-valid"
        assert (await found.get("/api/account"))["codes"] == len(codes) - 1

    at_a_server(scenario)


def test_new_codes_void_the_old_ones(at_a_server: Visit) -> None:
    """A list that was found by others is worth nothing then."""

    async def scenario(place: Place) -> None:
        anna, thief = await come(place), Owner(place)
        old = await anna.become(Authenticator())
        new = (await anna.post("/api/account/codes"))["codes"]

        assert refused(await thief.recover(old[1])) == "code-not-valid"
        assert checked(await thief.recover(new[1]))["user"] == anna.user

    at_a_server(scenario)


def test_sign_ins_of_one_address_are_limited(at_a_server: Visit) -> None:
    """So that nobody tries codes by the thousand."""

    async def scenario(place: Place) -> None:
        thief = Owner(place)
        refusals = [refused(await thief.recover("0000-0000-0000-0000")) for _ in range(31)]

        assert refusals == ["code-not-valid"] * 30 + ["rate-limited"]

    at_a_server(scenario)
