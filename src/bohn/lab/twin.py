"""The twin: the rules once more, as plain functions over fixed-size rows, fast enough for search.

It is one long file because it is one engine, compiled together and read beside ``bench/twin_loop.c``.

It plays the main game and the bean duel on the floor (:mod:`bohn.play.floor`), one direct offer at a
time. Every decision is a small integer; :func:`legal` gives the legal ones as bits of one number.
``rules`` is one row of tables, ``states`` rows of games (:mod:`bohn.lab.row`), ``i`` the game meant.

=============  ==========================================================================================
action         meaning
=============  ==========================================================================================
0 - 2          plant on this field: the front hand card, or the selected bean
3 - 5          harvest a field
6              buy a field with the topmost coins
7              go on: turn beans over, keep the hand, leave the rest, pass
8, 9           accept, decline the offer
10             make the composed offer
11 - 17        compose an offer to this seat
18 - 28        a face-up bean of a kind: give it, or select it (a set-aside bean, a leftover) for planting
29 - 39        a hand card of a kind: give it, or discard it (bean duel)
40 - 50        ask for a kind
51             discard the selected leftover
=============  ==========================================================================================

An offer is composed partner first, then cards in rising order of their actions, so that every offer has
one composition. Cards of a kind are the front-most ones, face-up beans before hand cards. A counter-offer
is a refusal and a new offer. A seat that is asked because of an offer is still asked again in its own turn.
Everything is integers, so that compiled and interpreted games are the same. The engine trusts its
caller: :func:`step` checks nothing, and what :func:`legal` does not name is undefined.
"""

from __future__ import annotations

from typing import Any

from bohn.lab.compiling import compiled
from bohn.lab.row import (
    ANSWER,
    ASKED,
    AT_ONCE,
    BEAN_DUEL,
    COMPOSE,
    DUE,
    END,
    FACE_UP,
    KINDS,
    LEFTOVERS,
    MOMENT,
    PLANT,
    PLANT_FIRST,
    PLANT_TRADED,
    REVEAL,
    SEATS,
    TOKEN,
    TRADE,
)
from bohn.rules.resolve import MOST_CARDS

Row = Any
"""One game or one rule set inside compiled code: a row of ``ROW`` or ``TABLES``."""

A_PLANT, A_HARVEST, A_BUY, A_GO_ON, A_ACCEPT, A_DECLINE, A_PROPOSE = 0, 3, 6, 7, 8, 9, 10
A_PARTNER, A_FACE, A_HAND, A_WANT, A_DISCARD = 11, 18, 29, 40, 51
ACTIONS = 52

_LOW = (1 << 48) - 1


# -- chance: a 48-bit linear congruential generator; it never deals a real table ---------------------


@compiled
def below(g: Row, bound: int) -> int:
    """Return a number from 0 to ``bound - 1`` and move the game's generator on."""
    x = (int(g["rng"]) * 25214903917 + 11) & _LOW
    g["rng"] = x
    return ((x >> 16) * bound) >> 32


@compiled
def seed_row(g: Row, seed: int) -> None:
    """Start the game's generator; near seeds give unrelated games."""
    x = (seed ^ 25214903917) & _LOW
    for _ in range(4):
        x = (x * 25214903917 + 11) & _LOW
        x ^= x >> 21
    g["rng"] = x


# -- small facts -----------------------------------------------------------------------------------


@compiled
def is_over(r: Row, g: Row) -> bool:
    """Tell whether the draw pile has run out for the last time (END-1)."""
    return bool(g["exhaustions"] >= r["exhaustions"])


@compiled
def fitting(r: Row, g: Row, p: int, k: int) -> int:
    """Return the fields on which a bean may be planted, as bits (PLANT-2, FIELD-3)."""
    same, empty = 0, 0
    for f in range(g["fields"][p]):
        planted = g["beans"][p, f] > 0
        same |= int(planted and g["kind"][p, f] == k) << f
        empty |= int(not planted) << f
    return same if same and r["must_join"] else same | empty


@compiled
def harvestable(r: Row, g: Row, p: int) -> int:
    """Return the fields a seat may harvest now, as bits (HARVEST-1, HARVEST-4, HARVEST-5, DUEL-2)."""
    if r["own_turn"] and p != g["active"]:
        return 0
    several, singles, fields = 0, 0, int(g["fields"][p])
    for f in range(fields):
        beans = g["beans"][p, f]
        singles |= int(beans == 1) << f
        several |= int(beans > 1) << f
    if r["all_single"]:
        return singles if singles == (1 << fields) - 1 else several
    return several or singles


@compiled
def may_buy(r: Row, g: Row, p: int) -> bool:
    """Tell whether a seat may buy a field now (BUY-1, BUY-6, BUY-7)."""
    return bool(g["fields"][p] < r["max_fields"] and g["coins"][p] >= r["price"])


@compiled
def can_serve(g: Row, p: int) -> bool:
    """Tell whether a seat has what the offer asks for; the active player also from the face-up beans."""
    lacks, lying = 0, int(p == g["active"])
    for k in range(KINDS):
        lacks |= int(g["want"][k] > g["held"][p, k] + lying * int(g["face_up"][k]))
    return lacks == 0


@compiled
def due_seat(g: Row) -> int:
    """Return the seat the game waits for outside the trading: the first in order that has to plant."""
    active = int(g["active"])
    if g["phase"] != PLANT_TRADED:
        return active
    players = int(g["players"])
    for n in range(players):
        p = active + n
        if p >= players:
            p -= players
        if has_set_aside(g, p):
            return p
    return active


@compiled
def waits_for(g: Row, p: int) -> bool:
    """Tell whether the game waits for a seat outside the trading."""
    return bool(has_set_aside(g, p) if g["phase"] == PLANT_TRADED else p == g["active"])


@compiled
def has_set_aside(g: Row, p: int) -> bool:
    """Tell whether a seat has set-aside beans to plant."""
    some = 0
    for k in range(KINDS):
        some |= int(g["set_aside"][p, k])
    return some != 0


# -- piles -----------------------------------------------------------------------------------------


@compiled
def shuffle_discards(g: Row) -> None:
    """Make the discard pile the draw pile, in the order given from outside or by chance (RESHUFFLE-1)."""
    n = int(g["discards"])
    scripted = g["script_at"] < g["script_end"]
    start = int(g["script_at"])
    for j in range(n):
        g["draw"][j] = g["script"][start + j] if scripted else g["discard"][j]
    if scripted:
        g["script_at"] = start + n
    else:
        shuffle_draw_pile(g, n)
    g["draws"] = n
    g["discards"] = 0


@compiled
def shuffle_draw_pile(g: Row, n: int) -> None:
    """Shuffle the lowest ``n`` cards of the draw pile."""
    for j in range(n - 1, 0, -1):
        other = below(g, j + 1)
        card = g["draw"][j]
        g["draw"][j] = g["draw"][other]
        g["draw"][other] = card


@compiled
def take(r: Row, g: Row, count: int, face_up: bool) -> None:
    """Turn over or draw ``count`` cards for the active player (DRAW-1, DRAW-3, REVEAL-1, END-3)."""
    owed, p = count, int(g["active"])
    while owed > 0 and g["exhaustions"] < r["exhaustions"]:
        if g["draws"] == 0:
            if g["discards"] == 0:
                g["exhaustions"] += 1
                return
            shuffle_discards(g)
        top = int(g["draws"]) - 1
        card = g["draw"][top]
        g["draws"] = top
        owed -= 1
        if face_up:
            g["face_up"][card] += 1
        else:
            g["hand"][p, g["hands"][p]] = card
            g["hands"][p] += 1
            g["held"][p, card] += 1
        if top == 0:
            g["exhaustions"] += 1
            if r["eager"] and g["discards"] and g["exhaustions"] < r["exhaustions"]:
                shuffle_discards(g)


@compiled
def discard(g: Row, k: int) -> None:
    """Lay a card on the discard pile."""
    g["discard"][g["discards"]] = k
    g["discards"] += 1


# -- farming ---------------------------------------------------------------------------------------


@compiled
def plant_on(g: Row, p: int, f: int, k: int) -> None:
    """Lay a bean on a field."""
    g["kind"][p, f] = k
    g["beans"][p, f] += 1


@compiled
def harvest(r: Row, g: Row, p: int, f: int) -> None:
    """Sell a field: coins to the treasury, the rest to the discard pile (HARVEST-2, HARVEST-3)."""
    k, beans, coins = g["kind"][p, f], int(g["beans"][p, f]), int(g["coins"][p])
    pay = int(r["pays"][k, beans])
    for n in range(pay):
        g["treasury"][p, coins + n] = k
    g["coins"][p] = coins + pay
    for _ in range(beans - pay):
        discard(g, k)
    g["beans"][p, f] = 0


@compiled
def buy(r: Row, g: Row, p: int) -> None:
    """Buy a field with the topmost coins, newest first; tokens leave the game (BUY-1, BUY-3, HOUSE-7)."""
    coins = int(g["coins"][p])
    for _ in range(r["price"]):
        coins -= 1
        card = g["treasury"][p, coins]
        if card == TOKEN:
            continue
        if r["to_box"]:
            g["box"][card] += 1
        else:
            discard(g, card)
    g["coins"][p] = coins
    f = g["fields"][p]
    g["kind"][p, f] = 0
    g["beans"][p, f] = 0
    g["fields"][p] = f + 1
    g["purchases"] += 1


@compiled
def from_front(g: Row, p: int) -> int:
    """Take the front card of a hand."""
    k = int(g["hand"][p, 0])
    hands = int(g["hands"][p]) - 1
    for j in range(hands):
        g["hand"][p, j] = g["hand"][p, j + 1]
    g["hands"][p] = hands
    g["held"][p, k] -= 1
    return k


@compiled
def take_out(g: Row, p: int, k: int, count: int) -> None:
    """Take the front-most copies of a kind out of a hand; the order of the rest is unchanged (TRADE-4)."""
    hands, left, to = int(g["hands"][p]), count, 0
    for j in range(hands):
        card = g["hand"][p, j]
        if left > 0 and card == k:
            left -= 1
        else:
            g["hand"][p, to] = card
            to += 1
    g["hands"][p] = to
    g["held"][p, k] -= count


# -- the course of a game --------------------------------------------------------------------------


@compiled
def begin_turn(g: Row, p: int) -> None:
    """Begin a turn: leftovers first where there are any (TURN-2, DUEL-5)."""
    g["active"] = p
    g["turn"] += 1
    g["planted"] = 0
    g["phase"] = PLANT
    for k in range(KINDS):
        if g["face_up"][k]:
            g["phase"] = LEFTOVERS


@compiled
def next_turn(g: Row) -> None:
    """Pass the turn to the left (TURN-2)."""
    following = int(g["active"]) + 1
    begin_turn(g, 0 if following == g["players"] else following)


@compiled
def end_game(r: Row, g: Row) -> None:
    """Sell every field, the active player's first, and end the game (SCORE-2)."""
    players = int(g["players"])
    for n in range(players):
        p = (int(g["active"]) + n) % players
        for f in range(g["fields"][p]):
            if g["beans"][p, f]:
                harvest(r, g, p, f)
    g["phase"] = END
    g["seat"] = -1


@compiled
def reveal(r: Row, g: Row) -> None:
    """Turn beans over; then trade, or in the bean duel sweep and plant (REVEAL-1, END-2, DUEL-8, DUEL-9)."""
    take(r, g, r["reveal"], True)
    if r["game"] == BEAN_DUEL:
        sweep(g)
        g["phase"] = FACE_UP
        return
    if is_over(r, g) and r["end"] == AT_ONCE:
        end_game(r, g)
        return
    begin_trading(g)
    if is_over(r, g) and r["end"] == PLANT_FIRST:
        close_trading(r, g)


@compiled
def sweep(g: Row) -> None:
    """Take from the top of the discard pile what is of a revealed kind (DUEL-9)."""
    revealed = 0
    for k in range(KINDS):
        if g["face_up"][k]:
            revealed |= 1 << k
    while g["discards"] > 0:
        card = int(g["discard"][g["discards"] - 1])
        if not revealed >> card & 1:
            return
        g["discards"] -= 1
        g["face_up"][card] += 1


@compiled
def begin_trading(g: Row) -> None:
    """Ask every seat that trades, the active player first (REVEAL-3)."""
    g["phase"] = TRADE
    g["waiting"] = 0
    g["fresh"] = g["traders"]
    g["exchanges"] = 0
    g["patience"] = 0
    for p in range(SEATS):
        g["made"][p] = 0
        g["since"][p] = 0
    clear_offer(g)


@compiled
def clear_offer(g: Row) -> None:
    """Take the offer off the table."""
    g["maker"] = -1
    g["partner"] = -1
    g["last"] = 0
    for k in range(KINDS):
        g["give_face"][k] = 0
        g["give_hand"][k] = 0
        g["want"][k] = 0


@compiled
def close_trading(r: Row, g: Row) -> None:
    """End the trading; what lies face up is the active player's to plant (TRADE-11, OFFER-13)."""
    p = g["active"]
    for k in range(KINDS):
        g["set_aside"][p, k] += g["face_up"][k]
        g["face_up"][k] = 0
    g["phase"] = PLANT_TRADED
    finish_planting(r, g)


@compiled
def finish_planting(r: Row, g: Row) -> None:
    """When nothing is set aside any more: draw, or end the game (SETASIDE-4, DRAW-1, END-2)."""
    for p in range(g["players"]):
        if has_set_aside(g, p):
            return
    draw_and_go_on(r, g)


@compiled
def draw_and_go_on(r: Row, g: Row) -> None:
    """Draw and begin the next turn, unless the game is over (DRAW-1, END-1, DUEL-11)."""
    if not is_over(r, g):
        take(r, g, r["draw"], False)
    if is_over(r, g):
        end_game(r, g)
    else:
        next_turn(g)


# -- offers ----------------------------------------------------------------------------------------


@compiled
def tries(r: Row, g: Row, p: int) -> int:
    """Return how many more offers the floor takes from a seat now."""
    return int(min(r["offers_a_turn"] - g["made"][p], r["offers_between"] - g["since"][p]))


@compiled
def count_offer(g: Row) -> None:
    """Count the offer that lies on the table now."""
    p = g["maker"]
    g["made"][p] += 1
    g["since"][p] += 1
    g["offers"] += 1


@compiled
def exchange(g: Row) -> None:
    """Execute the offer, both sides at once; received beans are set aside (TRADE-5, TRADE-6, GIFT-3)."""
    maker, partner, active = int(g["maker"]), int(g["partner"]), int(g["active"])
    gives, takes = False, False
    for k in range(KINDS):
        face, hand, wanted = int(g["give_face"][k]), int(g["give_hand"][k]), int(g["want"][k])
        if face + hand > 0:
            gives = True
            g["face_up"][k] -= face
            if hand > 0:
                take_out(g, maker, k, hand)
            g["set_aside"][partner, k] += face + hand
        if wanted > 0:
            takes = True
            g["set_aside"][maker, k] += wanted
            if partner == active:
                lying = min(wanted, int(g["face_up"][k]))
                g["face_up"][k] -= lying
                wanted -= lying
            if wanted > 0:
                take_out(g, partner, k, wanted)
    if gives and takes:
        g["trades"] += 1
    else:
        g["gifts"] += 1
    g["exchanges"] += 1
    for p in range(SEATS):
        g["since"][p] = 0
    g["fresh"] = g["traders"]
    clear_offer(g)


# -- whose decision it is ----------------------------------------------------------------------------


@compiled
def next_in_order(g: Row, mask: int) -> int:
    """Return the first seat of a set of bits, the active player first, then clockwise; -1 for none."""
    players, p = int(g["players"]), int(g["active"])
    for _ in range(players):
        if mask >> p & 1:
            return p
        p += 1
        if p == players:
            p = 0
    return -1


@compiled
def settle(r: Row, g: Row) -> None:
    """Find out who decides next, and why; a trading nobody wants to go on with is closed on the way."""
    while True:
        if g["phase"] == END:
            g["seat"] = -1
            return
        if g["phase"] == TRADE:
            if g["partner"] >= 0:
                g["seat"] = g["partner"]
                g["mode"] = ANSWER
                return
            p = next_in_order(g, int(g["fresh"]))
            if p >= 0:
                g["seat"] = p
                g["mode"] = ASKED
                return
            close_trading(r, g)
            continue
        if g["waiting"] and has_moment(r, g):
            return
        g["seat"] = due_seat(g)
        g["mode"] = DUE
        select_the_only_one(g)
        return


@compiled
def has_moment(r: Row, g: Row) -> bool:
    """Give the next waiting seat its moment, if it can harvest or buy and the game does not wait for it."""
    while g["waiting"]:
        p = next_in_order(g, int(g["waiting"]))
        g["waiting"] = g["waiting"] & ~(1 << p)
        if not waits_for(g, p) and (harvestable(r, g, p) or may_buy(r, g, p)):
            g["seat"] = p
            g["mode"] = MOMENT
            return True
    return False


@compiled
def select_the_only_one(g: Row) -> None:
    """Select the bean to be planted where there is only one kind to choose from."""
    phase = g["phase"]
    if g["selected"] >= 0 or (phase not in {PLANT_TRADED, LEFTOVERS}):
        return
    only, p = -1, g["seat"]
    for k in range(KINDS):
        if (g["set_aside"][p, k] if phase == PLANT_TRADED else g["face_up"][k]) > 0:
            if only >= 0:
                return
            only = k
    g["selected"] = only


# -- what is legal -------------------------------------------------------------------------------------


@compiled
def legal(rules: Row, states: Row, i: int) -> int:
    """Return the legal actions of the seat that decides in a game, as bits; 0 after the end."""
    return legal_in(rules[0], states[i])


@compiled
def legal_in(r: Row, g: Row) -> int:
    """Return the legal actions in one game."""
    mode = g["mode"]
    if g["phase"] == END:
        return 0
    if mode == COMPOSE:
        return composing(r, g)
    p = int(g["seat"])
    mask = harvestable(r, g, p) << A_HARVEST
    if may_buy(r, g, p):
        mask |= 1 << A_BUY
    if mode == DUE:
        return mask | due_actions(r, g, p)
    if mode == MOMENT:
        return mask | 1 << A_GO_ON
    if mode == ANSWER:
        mask |= 1 << A_DECLINE
        return mask | 1 << A_ACCEPT if can_serve(g, p) else mask
    mask |= 1 << A_GO_ON
    if tries(r, g, p) > 0:
        active = int(g["active"])
        others = ((1 << int(g["players"])) - 1) & ~(1 << p) if p == active else 1 << active
        mask |= others << A_PARTNER
    return mask


@compiled
def due_actions(r: Row, g: Row, p: int) -> int:
    """Return what a seat may do when the game waits for it, besides harvest and purchase."""
    phase, k = g["phase"], int(g["selected"])
    if k >= 0:
        mask = fitting(r, g, p, k) << A_PLANT
        return mask | 1 << A_DISCARD if phase == LEFTOVERS else mask
    if phase == PLANT:
        return planting(r, g, p)
    if phase == REVEAL:
        return 1 << A_GO_ON
    mask = 1 << A_GO_ON if phase == FACE_UP else 0
    for kind in range(KINDS):
        lies = (g["set_aside"][p, kind] if phase == PLANT_TRADED else g["face_up"][kind]) > 0
        if lies and (phase == LEFTOVERS or fitting(r, g, p, kind)):
            mask |= 1 << A_FACE + kind
    return mask


@compiled
def planting(r: Row, g: Row, p: int) -> int:
    """Return what the active player may do in phase 1 (PLANT-1..PLANT-6, DUEL-7)."""
    mask, hands = 0, g["hands"][p]
    if hands > 0 and g["planted"] < 2:
        mask = fitting(r, g, p, int(g["hand"][p, 0])) << A_PLANT
    if g["planted"] > 0 or hands == 0:
        mask |= 1 << A_GO_ON
        if r["game"] == BEAN_DUEL and g["planted"] > 0:
            for k in range(KINDS):
                if g["held"][p, k]:
                    mask |= 1 << A_HAND + k
    return mask


@compiled
def composing(r: Row, g: Row) -> int:
    """Return how an offer may be composed further: kinds in rising order, then it is made (TRADE-9)."""
    p, last, mask = int(g["maker"]), int(g["last"]), 0
    if last < A_HAND and p == g["active"]:
        for k in range(KINDS):
            mask |= int(g["face_up"][k] > g["give_face"][k]) << A_FACE + k
    if last < A_WANT:
        for k in range(KINDS):
            mask |= int(g["held"][p, k] > g["give_hand"][k]) << A_HAND + k
    for k in range(KINDS):
        mask |= int(g["want"][k] < r["deck"][k]) << A_WANT + k
    mask = (mask >> last) << last
    # the composition begins at the first kind: only there it may still be empty
    some = last > A_FACE or g["give_face"][0] > 0
    return mask | 1 << A_PROPOSE if some else mask


# -- steps -------------------------------------------------------------------------------------------


@compiled
def step(rules: Row, states: Row, i: int, action: int) -> int:
    """Play one legal action in a game; return the next legal actions, as bits, 0 after the end."""
    r, g = rules[0], states[i]
    apply_to(r, g, action)
    return legal_in(r, g)


@compiled
def apply_to(r: Row, g: Row, action: int) -> None:
    """Play one legal action in one game."""
    g["decisions"] += 1
    mode = g["mode"]
    if mode == COMPOSE:
        compose(g, action)
        if g["mode"] == COMPOSE:
            return
        g["commands"] += 1
        settle(r, g)
        return
    if mode == ASKED and A_PARTNER <= action < A_FACE:
        g["mode"] = COMPOSE
        g["maker"] = g["seat"]
        g["partner"] = action - A_PARTNER
        g["last"] = A_FACE
        return
    p = int(g["seat"])
    if mode == DUE:
        if A_FACE <= action < A_HAND:
            g["selected"] = action - A_FACE
            return
        g["waiting"] = g["attentive"] & ~(1 << p)
    g["commands"] += 1
    if action < A_BUY and action >= A_HARVEST:
        harvest(r, g, p, action - A_HARVEST)
        concern_everybody(g)
    elif action == A_BUY:
        buy(r, g, p)
        concern_everybody(g)
    elif mode == DUE:
        move_on(r, g, p, action)
    elif mode == ANSWER:
        answer(r, g, action)
    else:
        pass_on(r, g, p)
    settle(r, g)


@compiled
def concern_everybody(g: Row) -> None:
    """Ask all again after a harvest or a purchase."""
    if g["phase"] == TRADE:
        g["fresh"] = g["traders"]
    elif g["mode"] == MOMENT:
        g["waiting"] = g["attentive"]


@compiled
def pass_on(r: Row, g: Row, p: int) -> None:
    """Note that a seat that was asked passes."""
    if g["mode"] == MOMENT:
        g["commands"] -= 1
        return
    g["fresh"] = g["fresh"] & ~(1 << p)
    g["patience"] += 1
    g["commands"] -= 1
    if g["fresh"] == 0 or g["patience"] >= r["patience"]:
        g["commands"] += 1
        close_trading(r, g)


@compiled
def compose(g: Row, action: int) -> None:
    """Add a card to the offer, or lay the offer open (OFFER-1)."""
    if action == A_PROPOSE:
        count_offer(g)
        g["mode"] = ANSWER
        return
    g["last"] = action
    if action < A_HAND:
        g["give_face"][action - A_FACE] += 1
    elif action < A_WANT:
        g["give_hand"][action - A_HAND] += 1
    else:
        g["want"][action - A_WANT] += 1


@compiled
def answer(r: Row, g: Row, action: int) -> None:
    """Accept or decline the offer; the maker of a declined one is asked again (OFFER-3, OFFER-8)."""
    g["answers"] += 1
    g["patience"] += 1
    if action == A_DECLINE:
        g["fresh"] = g["fresh"] | 1 << g["maker"]
        clear_offer(g)
        if g["patience"] >= r["patience"]:
            close_trading(r, g)
        return
    exchange(g)
    if g["exchanges"] >= r["exchanges_a_turn"]:
        close_trading(r, g)


@compiled
def move_on(r: Row, g: Row, p: int, action: int) -> None:
    """Play what the game waits for: planting, discarding, going on."""
    phase = g["phase"]
    if action == A_GO_ON:
        go_on(r, g)
    elif A_HAND <= action < A_WANT:
        take_out(g, p, action - A_HAND, 1)
        discard(g, action - A_HAND)
        g["phase"] = REVEAL
    elif phase == PLANT:
        plant_on(g, p, action, from_front(g, p))
        g["planted"] += 1
    else:
        place_selected(r, g, p, action)


@compiled
def go_on(r: Row, g: Row) -> None:
    """End the planting, turn over, or leave the rest (TURN-3, DUEL-7, DUEL-8, DUEL-10)."""
    if g["phase"] == FACE_UP:
        draw_and_go_on(r, g)
    elif g["phase"] == PLANT and r["game"] == BEAN_DUEL:
        g["phase"] = REVEAL
    else:
        reveal(r, g)


@compiled
def place_selected(r: Row, g: Row, p: int, action: int) -> None:
    """Plant or discard the selected bean (SETASIDE-1, DUEL-5, DUEL-10)."""
    k = int(g["selected"])
    g["selected"] = -1
    if action == A_DISCARD:
        discard(g, k)
    else:
        plant_on(g, p, action, k)
    if g["phase"] == PLANT_TRADED:
        g["set_aside"][p, k] -= 1
        finish_planting(r, g)
        return
    g["face_up"][k] -= 1
    if g["phase"] == LEFTOVERS:
        for kind in range(KINDS):
            if g["face_up"][kind]:
                return
        g["phase"] = PLANT


# -- set-up and result ---------------------------------------------------------------------------------


@compiled
def clear(r: Row, g: Row) -> None:
    """Clear a row for a new game of these rules; nobody is asked off-turn, everybody trades."""
    players = int(r["players"])
    g["players"] = players
    for p in range(SEATS):
        g["hands"][p] = 0
        g["coins"][p] = 0
        g["fields"][p] = r["start_fields"]
        for f in range(3):
            g["beans"][p, f] = 0
            g["kind"][p, f] = 0
        for k in range(KINDS):
            g["set_aside"][p, k] = 0
            g["held"][p, k] = 0
    for k in range(KINDS):
        g["face_up"][k] = 0
        g["box"][k] = r["boxed"][k]
    g["exhaustions"] = 0
    g["turn"] = 0
    g["discards"] = 0
    g["script_at"] = 0
    g["script_end"] = 0
    g["selected"] = -1
    g["waiting"] = 0
    g["fresh"] = 0
    g["traders"] = (1 << players) - 1
    g["attentive"] = 0
    g["decisions"] = 0
    g["commands"] = 0
    g["offers"] = 0
    g["answers"] = 0
    g["trades"] = 0
    g["gifts"] = 0
    g["purchases"] = 0
    clear_offer(g)


@compiled
def deal(rules: Row, states: Row, i: int, seed: int) -> None:
    """Deal a game from a seed of the twin's own chance (SETUP-1..SETUP-5)."""
    deal_in(rules[0], states[i], seed)


@compiled
def deal_in(r: Row, g: Row, seed: int) -> None:
    """Deal one game."""
    clear(r, g)
    seed_row(g, seed)
    n = 0
    for k in range(KINDS):
        for _ in range(r["deck"][k]):
            g["draw"][n] = k
            n += 1
    shuffle_draw_pile(g, n)
    players = int(r["players"])
    starter = int(r["begins"])
    if starter < 0:
        starter = below(g, players)
    g["starter"] = starter
    for card in range(12):
        for turn in range(players):
            if card < r["deal"][turn]:
                p = (starter + turn) % players
                n -= 1
                k = g["draw"][n]
                g["hand"][p, card] = k
                g["hands"][p] += 1
                g["held"][p, k] += 1
    n = deal_head_starts(r, g, n)
    g["draws"] = n
    begin_turn(g, starter)
    settle(r, g)


@compiled
def deal_head_starts(r: Row, g: Row, n: int) -> int:
    """Deal the cards and coins of head starts; return the cards that are left (HOUSE-7)."""
    players = int(r["players"])
    for card in range(MOST_CARDS):
        for turn in range(players):
            p = (int(g["starter"]) + turn) % players
            if card < r["more_cards"][p]:
                n -= 1
                k = g["draw"][n]
                g["hand"][p, g["hands"][p]] = k
                g["hands"][p] += 1
                g["held"][p, k] += 1
    for p in range(players):
        for coin in range(r["tokens"][p]):
            g["treasury"][p, coin] = TOKEN
        g["coins"][p] = r["tokens"][p]
    return n


@compiled
def best_of(r: Row, g: Row) -> int:
    """Return the winners of a finished game, as bits (GOAL-1, TIE-1, TIE-3)."""
    best, mask = -1, 0
    for p in range(g["players"]):
        worth = int(g["coins"][p]) * 256
        if not r["shared_ties"]:
            worth += int(g["hands"][p])
        if worth > best:
            best, mask = worth, 0
        if worth == best:
            mask |= 1 << p
    return mask
