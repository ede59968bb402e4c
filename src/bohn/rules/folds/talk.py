"""Folds of talk: how wishes and promises change the state. No rule reads them (TALK-3)."""

from __future__ import annotations

from msgspec.structs import replace

from bohn.rules import events as e
from bohn.rules.folds.course import Fold
from bohn.rules.state import State


def _wish_set(state: State, event: e.WishSet) -> State:
    wishes = list(state.talk.wishes)
    wishes[event.player] = wishes[event.player].marked(event.bean, event.mark)
    return replace(state, talk=replace(state.talk, wishes=tuple(wishes)))


def _promise_made(state: State, event: e.PromiseMade) -> State:
    promises = (*state.talk.promises, event.promise)
    return replace(state, talk=replace(state.talk, promises=promises, next_promise=event.promise.id + 1))


def _promise_withdrawn(state: State, event: e.PromiseWithdrawn) -> State:
    promises = tuple(p for p in state.talk.promises if p.id != event.promise)
    return replace(state, talk=replace(state.talk, promises=promises))


TALK: dict[type[e.Event], Fold] = {
    e.WishSet: _wish_set,
    e.PromiseMade: _promise_made,
    e.PromiseWithdrawn: _promise_withdrawn,
}
"""The fold of each event of talk."""
