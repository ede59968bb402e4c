"""The contract of accounts: handles are unique, and what is used once is used by one."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from bohn.server.store.accounts import Account, Challenge, Passkey
from bohn.server.store.protocol import Store
from tests.server.store.samples import AT, line, report, session, user
from tests.server.store.telling import Stores, story

ACCOUNT = Account("anna", "anna", "anna", AT)
PASSKEY = Passkey("p1", "anna", b"\x00\xff key", 0, AT, AT, "Laptop")
CHALLENGE = Challenge("c1", "register", b"\x00\xff challenge", "s1", "anna", AT + 50)


async def opened(store: Store, who: str = "anna") -> None:
    """Store a user with an account, a passkey and two codes."""
    await store.put_user(replace(user(who), id=who))
    account = Account(who, who, who, AT)
    assert await store.open_account(
        account, replace(PASSKEY, id=f"p-{who}", user=who), (f"a-{who}", f"b-{who}")
    )


class AccountsContract(Stores):
    """What accounts are made of."""

    @story
    async def test_account_is_read_back_whole(self, store: Store) -> None:
        """With its passkey and the number of its codes."""
        await store.put_user(replace(user("Anna"), id="anna"))
        assert await store.open_account(ACCOUNT, PASSKEY, ("a", "b"))

        assert await store.account_of("anna") == ACCOUNT
        assert await store.account_by_key("anna") == ACCOUNT
        assert await store.passkey("p1") == PASSKEY
        assert await store.passkeys_of("anna") == (PASSKEY,)
        assert await store.codes_left("anna") == 2
        assert await store.handles_of(("anna", "ben")) == {"anna": "anna"}
        assert await store.account_of("ben") is None
        assert await store.account_by_key("ben") is None
        assert await store.passkey("p2") is None

    @story
    async def test_account_needs_a_user_with_a_name(self, store: Store) -> None:
        """Whoever is forgotten meanwhile gets none, and nothing of it is stored."""
        assert not await store.open_account(ACCOUNT, PASSKEY, ("a",))
        await store.put_user(replace(user(""), id="anna", name=""))
        assert not await store.open_account(ACCOUNT, PASSKEY, ("a",))

        assert await store.passkey("p1") is None
        assert await store.codes_left("anna") == 0

    @story
    async def test_handle_goes_to_one_of_two_at_once(self, one: Store, two: Store) -> None:
        """The other has no account, no passkey and no codes."""
        for name in ("anna", "ben"):
            await one.put_user(replace(user(name), id=name))
        got = await asyncio.gather(
            *(
                store.open_account(
                    replace(ACCOUNT, user=who), replace(PASSKEY, id=f"p-{who}", user=who), (f"c-{who}",)
                )
                for store, who in ((one, "anna"), (two, "ben"))
            )
        )

        assert sorted(got) == [False, True]
        loser = ("anna", "ben")[got.index(False)]
        assert await two.account_of(loser) is None
        assert await two.passkeys_of(loser) == ()
        assert await two.codes_left(loser) == 0

    @story
    async def test_user_has_one_account(self, store: Store) -> None:
        """A second handle is refused."""
        await opened(store)
        again = replace(ACCOUNT, handle="other", key="other")

        assert not await store.open_account(again, replace(PASSKEY, id="p2"), ())

    @story
    async def test_passkey_is_added_to_an_account_once(self, store: Store) -> None:
        """A guest has none, and an id that is there already stays whose it is."""
        await opened(store)
        await opened(store, "ben")
        second = replace(PASSKEY, id="p2", created=AT + 1, backed_up=True)
        assert await store.add_passkey(second)

        assert not await store.add_passkey(replace(second, user="ben"))
        assert not await store.add_passkey(replace(PASSKEY, id="p3", user="carla"))
        assert (await store.passkeys_of("anna"))[1] == second
        assert len(await store.passkeys_of("ben")) == 1

    @story
    async def test_count_of_a_passkey_only_goes_on(self, one: Store, two: Store) -> None:
        """Of two uses with the same count one is noted; authenticators that never count tell 0 for ever."""
        await opened(one)
        assert [await one.use_passkey("p-anna", 0, AT + 1) for _ in range(2)] == [True, True]
        together = [store.use_passkey("p-anna", 5, AT + 2) for store in (one, two) * 3]
        assert sum(await asyncio.gather(*together)) == 1

        assert not await one.use_passkey("p-anna", 4, AT + 3)
        assert not await one.use_passkey("p-anna", 0, AT + 3)
        assert not await one.use_passkey("unknown", 9, AT + 3)
        assert await two.passkey("p-anna") == replace(PASSKEY, id="p-anna", sign_count=5, used=AT + 2)

    @story
    async def test_last_passkey_stays(self, store: Store) -> None:
        """And nobody deletes another's."""
        await opened(store)
        await opened(store, "ben")
        assert not await store.drop_passkey("anna", "p-anna")
        await store.add_passkey(replace(PASSKEY, id="p2"))

        assert not await store.drop_passkey("anna", "p-ben")
        assert await store.drop_passkey("anna", "p-anna")
        assert not await store.drop_passkey("anna", "p2")

    @story
    async def test_challenge_is_taken_by_one(self, one: Store, two: Store) -> None:
        """However many try at once, each of two workers included."""
        await one.put_challenge(CHALLENGE, AT)
        got = await asyncio.gather(*(store.take_challenge("c1") for store in (one, two) * 4))

        assert [found for found in got if found is not None] == [CHALLENGE]
        assert await one.take_challenge("c1") is None

    @story
    async def test_expired_challenges_go_with_the_next(self, store: Store) -> None:
        """Whoever asks for one clears the others away; the end itself is outside."""
        await store.put_challenge(CHALLENGE, AT)
        await store.put_challenge(replace(CHALLENGE, digest="c2", expires=AT + 51), AT)
        await store.put_challenge(replace(CHALLENGE, digest="c3", expires=AT + 99), AT + 50)

        assert await store.take_challenge("c1") is None
        assert await store.take_challenge("c2") is not None

    @story
    async def test_recovery_code_is_used_by_one(self, one: Store, two: Store) -> None:
        """And tells whose it was."""
        await opened(one)
        got = await asyncio.gather(*(store.use_code("a-anna") for store in (one, two) * 4))

        assert [found for found in got if found is not None] == ["anna"]
        assert await two.codes_left("anna") == 1

    @story
    async def test_new_recovery_codes_end_the_old_ones(self, store: Store) -> None:
        """Those of others stay."""
        await opened(store)
        await opened(store, "ben")
        await store.replace_codes("anna", ("x", "y", "z"), AT)

        assert await store.codes_left("anna") == 3
        assert await store.use_code("a-anna") is None
        assert await store.use_code("a-ben") == "ben"

    @story
    async def test_confirmation_holds_until_its_end(self, store: Store) -> None:
        """A later one counts, and those that are over go."""
        await store.confirm("s1", AT + 10, AT)
        assert await store.confirmed_until("s1") == AT + 10
        await store.confirm("s1", AT + 20, AT + 5)
        assert await store.confirmed_until("s1") == AT + 20
        await store.confirm("s2", AT + 99, AT + 20)

        assert await store.confirmed_until("s1") == 0

    @story
    async def test_account_goes_with_its_user(self, store: Store) -> None:
        """Handle, passkeys and codes; the handle is free, and others keep theirs."""
        await opened(store)
        await opened(store, "ben")
        await store.put_session(session("s1", user="anna"))
        await store.forget_user("anna")

        assert await store.account_of("anna") is None
        assert await store.passkey("p-anna") is None
        assert await store.use_code("a-anna") is None
        assert await store.account_by_key("anna") is None
        assert await store.account_of("ben") is not None
        assert await store.use_code("a-ben") == "ben"

    @story
    async def test_account_is_known_to_retention(self, store: Store) -> None:
        """So that it does not go as a guest would."""
        await opened(store)
        await store.put_user(replace(user("Ben"), id="ben"))

        assert [(one.id, one.account) for one in await store.guests()] == [("anna", True), ("ben", False)]

    @story
    async def test_lines_and_reports_of_a_user_are_found(self, store: Store) -> None:
        """At every table, page by page."""
        for table, who in (("t1", "anna"), ("t1", "ben"), ("t2", "anna"), ("t2", "anna")):
            await store.say(line(table, who, "hello"))
        for who in ("anna", "ben"):
            await store.report(replace(report(), by=who))
        first = await store.lines_by("anna", ("", 0), 2)
        rest = await store.lines_by("anna", (first[-1].table, first[-1].id), 2)

        assert [(one.table, one.id) for one in first + rest] == [("t1", 1), ("t2", 1), ("t2", 2)]
        assert [one.by for one in await store.reports_by("anna")] == ["anna"]
