"""Wishes and promises: public, and binding for nobody (TALK-1..TALK-3)."""

from __future__ import annotations

from bohn.rules.beans import Bean
from bohn.rules.commands import MakePromise, SetWish, WithdrawPromise
from bohn.rules.errors import IllegalCommand, Reason
from bohn.rules.events import Event, PromiseMade, PromiseWithdrawn, WishSet
from bohn.rules.ruleset import Rules
from bohn.rules.state import Promise, State


def _require_beans(rules: Rules, beans: tuple[Bean, ...], clause: str) -> None:
    for bean in beans:
        if beans.count(bean) > rules.deck[bean]:
            raise IllegalCommand(Reason.UNKNOWN_BEAN, clause, bean=bean.name.lower(), cards=rules.deck[bean])


def set_wish(rules: Rules, state: State, command: SetWish) -> tuple[Event, ...]:
    """Mark a kind as wanted, to spare, to keep, or as none of these (TALK-1)."""
    _require_beans(rules, (command.bean,), "TALK-1")
    now = state.talk.wishes[command.player].mark_of(command.bean)
    if now == command.mark:
        raise IllegalCommand(Reason.WISH_UNCHANGED, "TALK-1", bean=command.bean.name.lower(), mark=now)
    return (WishSet(command.player, command.bean, command.mark),)


def make_promise(rules: Rules, state: State, command: MakePromise) -> tuple[Event, ...]:
    """Make a public promise to another seat (TALK-2)."""
    if not 0 <= command.to < len(state.players) or command.to == command.player:
        others = tuple(p for p in range(len(state.players)) if p != command.player)
        raise IllegalCommand(Reason.UNKNOWN_ADDRESSEE, "TALK-2", expected=others)
    if not command.give and not command.get:
        raise IllegalCommand(Reason.PROMISE_EMPTY, "TALK-2")
    _require_beans(rules, command.give, "TALK-2")
    _require_beans(rules, command.get, "TALK-2")
    if sum(p.player == command.player for p in state.talk.promises) >= rules.promises_a_player:
        raise IllegalCommand(Reason.TOO_MANY_PROMISES, "TALK-2", limit=rules.promises_a_player)
    give, get = tuple(sorted(command.give)), tuple(sorted(command.get))
    return (
        PromiseMade(Promise(state.talk.next_promise, command.player, command.to, give, get, command.due)),
    )


def withdraw_promise(rules: Rules, state: State, command: WithdrawPromise) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """Withdraw an own promise (TALK-2)."""
    own = tuple(p.id for p in state.talk.promises if p.player == command.player)
    if command.promise not in own:
        raise IllegalCommand(Reason.NO_SUCH_PROMISE, "TALK-2", promise=command.promise, expected=own)
    return (PromiseWithdrawn(command.promise),)
