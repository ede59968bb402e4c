"""What bots at a table say, and who hears it."""

from __future__ import annotations

from typing import Any

from bohn.bots.reasons import Reason
from bohn.rules.commands import AcceptOffer, AnyCommand, DeclineOffer, MakeOffer, Plant, Reveal
from bohn.server.bots.asks import Ask
from tests.server.bots.stage import Stage, accept, ask_for, decline, gift, staged
from tests.server.support.tables import Ear

NEED = Reason("says.need", {"bean": 8, "count": 2})
USELESS = Reason("says.useless")


def told(ear: Ear) -> list[tuple[int, str, dict[str, int]]]:
    """Return what somebody has heard bots say: seat, key, parameters."""
    return [(frame["seat"], frame["key"], frame["params"]) for frame in ear.of("remark")]


async def ears(stage: Stage, *users: str) -> list[Ear]:
    """Let these users watch the table from now on."""
    found = [Ear() for _ in users]
    for user, ear in zip(users, found, strict=True):
        await stage.tables.watch(stage.table_id, user, ear, None)
    return found


def once(seat: int, command: AnyCommand) -> Any:
    """Return a script in which one seat makes one offer."""

    def says(ask: Ask) -> AnyCommand | None:
        return command if ask.seat == seat and ask.tries > 0 and not ask.made else None

    return says


def test_reason_of_an_offer_is_heard_by_everybody_behind_it() -> None:
    """Players and spectators hear why a bot offers, after the batch with the offer."""

    async def act(stage: Stage) -> None:
        await stage.trading("anna", "pk", "pk")
        stage.actors.says, stage.actors.reason = once(1, ask_for(1, 0)), NEED
        anna, guest = await ears(stage, "anna", "guest")
        await stage.wait(4_000)

        assert told(anna) == told(guest) == [(1, "says.need", {"bean": 8, "count": 2})]
        kinds = [frame["type"] for frame in anna.frames]
        assert kinds.index("remark") == kinds.index("batch") + 1

    staged(act)


def test_reason_of_a_refusal_is_heard_by_the_maker_alone() -> None:
    """That a bot has refused, and why, nobody else learns."""

    async def act(stage: Stage) -> None:
        await stage.trading("anna", "bert", "pk")
        stage.actors.says, stage.actors.reason = decline, USELESS
        anna, bert, guest = await ears(stage, "anna", "bert", "guest")
        await stage.person(ask_for(0, 2))
        await stage.wait(10_000)

        assert [kind for _, kind in await stage.commands() if isinstance(kind, DeclineOffer)]
        assert told(anna) == [(2, "says.useless", {})]
        assert told(bert) == told(guest) == []

    staged(act)


def test_reasons_among_bots_are_not_said() -> None:
    """What bots offer each other while people sit by is offered without a word."""

    async def act(stage: Stage) -> None:
        await stage.trading("pk", "pk", "anna")
        stage.actors.says, stage.actors.reason = once(0, ask_for(0, 1)), NEED
        (anna,) = await ears(stage, "anna")
        await stage.wait(8_000)

        assert [command for _, command in await stage.commands() if isinstance(command, MakeOffer)]
        assert told(anna) == []

    staged(act)


def test_exchange_with_a_person_is_thanked_for() -> None:
    """A bot that is given something and has no reason of its own says thanks."""

    async def act(stage: Stage) -> None:
        await stage.trading("anna", "pk", "pk")
        stage.actors.says = accept
        (anna,) = await ears(stage, "anna")
        await stage.person(gift(await stage.phase(), 0, 1))
        await stage.wait(8_000)

        assert [kind for _, kind in await stage.commands() if isinstance(kind, AcceptOffer)]
        assert told(anna) == [(1, "phrase.thanks", {})]

    staged(act)


def test_reason_that_is_none_is_not_passed_on() -> None:
    """What a bot gives as a reason and is no text of the catalogs is dropped, and what it does is done."""

    async def act(stage: Stage) -> None:
        await stage.trading("anna", "pk", "pk")
        stage.actors.says, stage.actors.reason = once(1, ask_for(1, 0)), Reason("event.passed", {"card": 3})
        (anna,) = await ears(stage, "anna")
        await stage.wait(4_000)

        assert await stage.offers()
        assert told(anna) == []

    staged(act)


def test_late_spectators_hear_reasons_late() -> None:
    """A delayed spectator hears what was said when he sees what it was said about."""

    async def act(stage: Stage) -> None:
        stage.table_id = await stage.company("anna", "pk", "pk", house_rules=("starter=seat:0",), delay=30)
        anna, guest = await ears(stage, "anna", "guest")
        await stage.person(Plant(0, 0))
        stage.actors.says, stage.actors.reason = once(1, ask_for(1, 0)), NEED
        await stage.person(Reveal(0))
        await stage.wait(4_000)
        assert (len(told(anna)), len(told(guest))) == (1, 0)
        await stage.wait(30_000)
        assert len(told(guest)) == 1

    staged(act)
