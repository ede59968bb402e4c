"""What can be asked of a store, as strategies, and the comparison of two stores' answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from bohn.server.store.protocol import Append, ChatLine, Link, Session, Store, StoreUnavailable, Timer, User
from tests.server.store.samples import head, listing, report, row

Ask = Callable[[Store], Awaitable[Any]]

TABLES = st.sampled_from(["t1", "t2"])
USERS = st.sampled_from(["anna", "ben", "carl"])
WHEN = st.integers(0, 50)
DIGESTS = st.sampled_from(["d1", "d2", "d3"])
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
LIMITS = st.integers(0, 4)
OVER = st.sampled_from(["finished", "abandoned"])

timers = st.lists(
    st.builds(Timer, st.sampled_from("abc"), st.none() | WHEN, st.none() | WHEN),
    max_size=3,
    unique_by=lambda timer: timer.key,
)
appends = st.builds(
    lambda table, seq, actor, name, text, clocks, shown, users, status, grants, moved: Append(
        row=replace(row(table, seq, actor, name), digest=text),
        timers=clocks,
        listing=listing(table, users=users, status=status, listed=seq % 2 == 0, moved=moved)
        if shown
        else None,
        grants=grants,
    ),
    TABLES,
    st.integers(1, 5),
    USERS,
    st.sampled_from(["c1", "c2", "c3", "c4", "c5", "c6"]),
    TEXTS,
    st.none() | timers.map(tuple),
    st.booleans(),
    st.lists(USERS, unique=True).map(tuple),
    st.sampled_from(["open", "playing", "finished"]),
    st.lists(USERS, max_size=2).map(tuple),
    WHEN,
)
sessions = st.builds(Session, DIGESTS, USERS, WHEN, st.booleans(), st.just(("read",)), TEXTS)
links = st.builds(Link, DIGESTS, TEXTS, USERS, WHEN, WHEN, st.none() | TABLES, st.none() | USERS)
lines = st.builds(ChatLine, st.just(0), TABLES, USERS, WHEN, TEXTS, TEXTS)
users = st.builds(User, USERS, TEXTS, TEXTS, WHEN, st.booleans())


def asking(
    method: str, *values: st.SearchStrategy[Any], **named: st.SearchStrategy[Any]
) -> st.SearchStrategy[Ask]:
    """Return questions to one method of a store."""
    return st.builds(
        lambda arguments, options: partial(_ask, method, arguments, options),
        st.tuples(*values),
        st.fixed_dictionaries(named),
    )


def _ask(method: str, arguments: tuple[Any, ...], options: dict[str, Any], store: Store) -> Awaitable[Any]:
    answer: Awaitable[Any] = getattr(store, method)(*arguments, **options)
    return answer


async def _keep(user: str, at: int, store: Store) -> object:
    """Keep a record under an id that is free, of a user who may have two."""
    taken = [one.id for name in ("anna", "ben", "carl") for one in await store.records_of(name)]
    free = next(f"r{number}" for number in range(1, 99) if f"r{number}" not in taken)
    return await store.keep_record(head(free, user, at), at.to_bytes(1), 2)


async def _at_once(store: Store, group: list[Append]) -> list[object]:
    return await asyncio.gather(*map(store.append, group))


bursts = st.lists(appends, min_size=1, max_size=6).map(lambda group: partial(_at_once, group=group))
writes = st.one_of(
    bursts,
    bursts,
    asking("beat", USERS, WHEN),
    asking("credit", USERS, WHEN, WHEN, WHEN),
    asking("grant", TABLES, USERS),
    asking("revoke_grants", TABLES, USERS),
    asking("put_user", users),
    asking("forget_user", USERS),
    asking("put_session", sessions),
    asking("revoke_session", DIGESTS),
    asking("put_link", links),
    asking("drop_link", DIGESTS),
    asking("say", lines),
    asking("delete_line", TABLES, st.integers(1, 4)),
    asking("set_mute", USERS, USERS, on=st.booleans()),
    asking("report", st.builds(report, st.integers(1, 3), WHEN)),
    st.builds(lambda user, at: partial(_keep, user, at), USERS, WHEN),
    asking("thin", TABLES.map(lambda table: (table,)) | st.just(("t1", "t2")), OVER, WHEN, st.integers(0, 5)),
    asking("drop_expired", WHEN, WHEN),
    asking("sweep_chat", WHEN, st.tuples(TABLES, LIMITS), st.integers(1, 4)),
    asking("sweep_records", WHEN, st.just(("", 0)), st.integers(1, 4)),
    asking("drop_users", st.lists(USERS, max_size=3).map(tuple)),
    asking("drop_reports", WHEN, st.integers(1, 4)),
    asking("drop_history", WHEN, st.just(1_000)),
    asking("drop_record", USERS, st.sampled_from(["r1", "r2", "r3"])),
)
reads = st.one_of(
    asking("rows", TABLES, LIMITS, st.none() | LIMITS),
    asking("find", TABLES, USERS, st.sampled_from(["c1", "c2"])),
    asking("due", WHEN, LIMITS),
    asking("listings", listed_only=st.booleans(), limit=LIMITS),
    asking("listings_of", USERS, LIMITS),
    asking("unowned", WHEN, WHEN, LIMITS),
    asking("unmoved", WHEN, LIMITS),
    asking("over", OVER, WHEN, st.tuples(WHEN, TABLES), st.integers(1, 4)),
    asking("guests", st.just("") | USERS, st.integers(1, 4)),
    asking("chat", TABLES, LIMITS, LIMITS),
    asking("reports", LIMITS),
)


async def everything(store: Store) -> list[Any]:
    """Return all that can be read of a store."""
    tables, people, digests = ("t1", "t2"), ("anna", "ben", "carl"), ("d1", "d2", "d3")
    found: list[Any] = [await store.heads(tables), await store.users(people), await store.last_beat()]
    for table in tables:
        found += [await store.rows(table), await store.timers(table), await store.listing(table)]
        found += [await store.links_of(table), await store.chat(table)]
        found.extend([await store.granted(table, user) for user in people])
    for user in people:
        found += [await store.listings_of(user), await store.sessions_of(user), await store.mutes(user)]
        found += [await store.records_of(user)]
    for digest in digests:
        found += [await store.identity(digest), await store.link(digest)]
    for record in ("r1", "r2", "r3"):
        found += [await store.record_head(record), await store.record_text(record)]
    return [*found, await store.due(1_000), await store.reports()]


async def compare(asked: list[Ask], one: Store, other: Store) -> None:
    """Every answer of one store is that of the other, and in the end they hold the same."""
    async with AsyncExitStack() as stack:
        for store in (one, other):
            await store.open()
            stack.push_async_callback(store.close)
        try:
            for ask in asked:
                assert await ask(one) == await ask(other), ask
            assert await everything(one) == await everything(other)
        except StoreUnavailable as error:  # a failure of the store is none of the contract
            pytest.fail(str(error))
