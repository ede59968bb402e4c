/* The twin's rules, its random policy and its loop of whole games once more, as plain C.
 *
 * A hand translation of src/bohn/lab/twin.py and of `play_games` in src/bohn/lab/batch.py: the same
 * functions in the same order, the same data layout, the same generator. It exists only to be compared with
 * the compiled Python: `python -m bench.twin` builds it, checks that every game ends the same, and times both.
 * Two things are left out because this loop never meets them: orders of shuffles given from outside, and the
 * moments of seats that are attentive off-turn.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { KINDS = 11, SEATS = 7, FIELDS = 3, CARDS = 160, SCRIPT = 320, COLUMNS = 16 };
enum { PLANT, REVEAL, TRADE, PLANT_TRADED, LEFTOVERS, FACE_UP, END };
enum { DUE, ASKED, ANSWER, COMPOSE, MOMENT };
enum { MAIN_GAME, BEAN_DUEL };
enum { AFTER_PLANTING, AT_ONCE, PLANT_FIRST };
enum {
    A_PLANT = 0, A_HARVEST = 3, A_BUY = 6, A_GO_ON = 7, A_ACCEPT = 8, A_DECLINE = 9, A_PROPOSE = 10,
    A_PARTNER = 11, A_FACE = 18, A_HAND = 29, A_WANT = 40, A_DISCARD = 51
};

typedef struct {
    int64_t rng, script_at, script_end;
    int64_t players, phase, active, planted, exhaustions, turn, starter, draws, discards;
    int64_t seat, mode, selected;
    int64_t traders, attentive, fresh, waiting, exchanges, patience;
    int32_t made[SEATS], since[SEATS];
    int64_t maker, partner, last;
    int8_t give_face[KINDS], give_hand[KINDS], want[KINDS];
    int64_t decisions, commands, offers, answers, trades, gifts, purchases;
    int32_t fields[SEATS], hands[SEATS], coins[SEATS];
    int8_t kind[SEATS][FIELDS], beans[SEATS][FIELDS];
    int8_t set_aside[SEATS][KINDS], held[SEATS][KINDS];
    int8_t face_up[KINDS], box[KINDS];
    int8_t hand[SEATS][CARDS], treasury[SEATS][CARDS];
    int8_t draw[CARDS], discard[CARDS], script[SCRIPT];
} Row;

typedef struct {
    int64_t game, players, start_fields, max_fields, price, reveal, draw, exhaustions;
    int64_t eager, all_single, must_join, own_turn, to_box, end, shared_ties, begins;
    int64_t offers_a_turn, offers_between, exchanges_a_turn, patience, cards;
    int32_t deal[SEATS], deck[KINDS], boxed[KINDS], pays[KINDS][26], most[KINDS];
} Tables;

static const int64_t LOW = (INT64_C(1) << 48) - 1;

static inline int64_t bit(int64_t n) { return INT64_C(1) << n; }

/* -- chance ----------------------------------------------------------------------------------------- */

static int64_t below(Row *g, int64_t bound)
{
    int64_t x = (int64_t)((uint64_t)g->rng * 25214903917u + 11u) & LOW;
    g->rng = x;
    return (int64_t)((uint64_t)(x >> 16) * (uint64_t)bound) >> 32;
}

static void seed_row(Row *g, int64_t seed)
{
    int64_t x = (seed ^ INT64_C(25214903917)) & LOW;
    for (int n = 0; n < 4; n++) {
        x = (int64_t)((uint64_t)x * 25214903917u + 11u) & LOW;
        x ^= x >> 21;
    }
    g->rng = x;
}

/* -- small facts ------------------------------------------------------------------------------------ */

static bool is_over(const Tables *r, const Row *g) { return g->exhaustions >= r->exhaustions; }

static int64_t fitting(const Tables *r, const Row *g, int64_t p, int64_t k)
{
    int64_t same = 0, empty = 0;
    for (int f = 0; f < g->fields[p]; f++) {
        bool planted = g->beans[p][f] > 0;
        same |= (int64_t)(planted && g->kind[p][f] == k) << f;
        empty |= (int64_t)!planted << f;
    }
    return same && r->must_join ? same : same | empty;
}

static int64_t harvestable(const Tables *r, const Row *g, int64_t p)
{
    if (r->own_turn && p != g->active)
        return 0;
    int64_t several = 0, singles = 0, fields = g->fields[p];
    for (int f = 0; f < fields; f++) {
        int8_t beans = g->beans[p][f];
        singles |= (int64_t)(beans == 1) << f;
        several |= (int64_t)(beans > 1) << f;
    }
    if (r->all_single)
        return singles == bit(fields) - 1 ? singles : several;
    return several ? several : singles;
}

static bool may_buy(const Tables *r, const Row *g, int64_t p)
{
    return g->fields[p] < r->max_fields && g->coins[p] >= r->price;
}

static bool can_serve(const Row *g, int64_t p)
{
    int lacks = 0, lying = p == g->active;
    for (int k = 0; k < KINDS; k++)
        lacks |= g->want[k] > g->held[p][k] + lying * g->face_up[k];
    return !lacks;
}

static bool has_set_aside(const Row *g, int64_t p)
{
    int8_t some = 0;
    for (int k = 0; k < KINDS; k++)
        some |= g->set_aside[p][k];
    return some != 0;
}

static int64_t due_seat(const Row *g)
{
    int64_t active = g->active;
    if (g->phase != PLANT_TRADED)
        return active;
    int64_t players = g->players;
    for (int64_t n = 0; n < players; n++) {
        int64_t p = active + n;
        if (p >= players)
            p -= players;
        if (has_set_aside(g, p))
            return p;
    }
    return active;
}

/* -- piles ------------------------------------------------------------------------------------------ */

static void shuffle_draw_pile(Row *g, int64_t n)
{
    for (int64_t j = n - 1; j > 0; j--) {
        int64_t other = below(g, j + 1);
        int8_t card = g->draw[j];
        g->draw[j] = g->draw[other];
        g->draw[other] = card;
    }
}

static void shuffle_discards(Row *g)
{
    int64_t n = g->discards;
    for (int64_t j = 0; j < n; j++)
        g->draw[j] = g->discard[j];
    shuffle_draw_pile(g, n);
    g->draws = n;
    g->discards = 0;
}

static void take(const Tables *r, Row *g, int64_t count, bool face_up)
{
    int64_t owed = count, p = g->active;
    while (owed > 0 && g->exhaustions < r->exhaustions) {
        if (g->draws == 0) {
            if (g->discards == 0) {
                g->exhaustions++;
                return;
            }
            shuffle_discards(g);
        }
        int64_t top = g->draws - 1;
        int8_t card = g->draw[top];
        g->draws = top;
        owed--;
        if (face_up)
            g->face_up[card]++;
        else {
            g->hand[p][g->hands[p]++] = card;
            g->held[p][card]++;
        }
        if (top == 0) {
            g->exhaustions++;
            if (r->eager && g->discards && g->exhaustions < r->exhaustions)
                shuffle_discards(g);
        }
    }
}

static void discard(Row *g, int64_t k) { g->discard[g->discards++] = (int8_t)k; }

/* -- farming ---------------------------------------------------------------------------------------- */

static void plant_on(Row *g, int64_t p, int64_t f, int64_t k)
{
    g->kind[p][f] = (int8_t)k;
    g->beans[p][f]++;
}

static void harvest(const Tables *r, Row *g, int64_t p, int64_t f)
{
    int64_t k = g->kind[p][f], beans = g->beans[p][f], coins = g->coins[p];
    int64_t pay = r->pays[k][beans];
    for (int64_t n = 0; n < pay; n++)
        g->treasury[p][coins + n] = (int8_t)k;
    g->coins[p] = (int32_t)(coins + pay);
    for (int64_t n = 0; n < beans - pay; n++)
        discard(g, k);
    g->beans[p][f] = 0;
}

static void buy(const Tables *r, Row *g, int64_t p)
{
    int64_t coins = g->coins[p];
    for (int64_t n = 0; n < r->price; n++) {
        int8_t card = g->treasury[p][--coins];
        if (r->to_box)
            g->box[card]++;
        else
            discard(g, card);
    }
    g->coins[p] = (int32_t)coins;
    int f = g->fields[p];
    g->kind[p][f] = 0;
    g->beans[p][f] = 0;
    g->fields[p] = f + 1;
    g->purchases++;
}

static int64_t from_front(Row *g, int64_t p)
{
    int64_t k = g->hand[p][0];
    int hands = g->hands[p] - 1;
    memmove(g->hand[p], g->hand[p] + 1, (size_t)hands);
    g->hands[p] = hands;
    g->held[p][k]--;
    return k;
}

static void take_out(Row *g, int64_t p, int64_t k, int64_t count)
{
    int hands = g->hands[p], to = 0;
    int64_t left = count;
    for (int j = 0; j < hands; j++) {
        int8_t card = g->hand[p][j];
        if (left > 0 && card == k)
            left--;
        else
            g->hand[p][to++] = card;
    }
    g->hands[p] = to;
    g->held[p][k] -= (int8_t)count;
}

/* -- the course of a game --------------------------------------------------------------------------- */

static void begin_turn(Row *g, int64_t p)
{
    g->active = p;
    g->turn++;
    g->planted = 0;
    g->phase = PLANT;
    for (int k = 0; k < KINDS; k++)
        if (g->face_up[k])
            g->phase = LEFTOVERS;
}

static void next_turn(Row *g)
{
    int64_t following = g->active + 1;
    begin_turn(g, following == g->players ? 0 : following);
}

static void end_game(const Tables *r, Row *g)
{
    int64_t players = g->players;
    for (int64_t n = 0; n < players; n++) {
        int64_t p = (g->active + n) % players;
        for (int f = 0; f < g->fields[p]; f++)
            if (g->beans[p][f])
                harvest(r, g, p, f);
    }
    g->phase = END;
    g->seat = -1;
}

static void draw_and_go_on(const Tables *r, Row *g)
{
    if (!is_over(r, g))
        take(r, g, r->draw, false);
    if (is_over(r, g))
        end_game(r, g);
    else
        next_turn(g);
}

static void finish_planting(const Tables *r, Row *g)
{
    for (int64_t p = 0; p < g->players; p++)
        if (has_set_aside(g, p))
            return;
    draw_and_go_on(r, g);
}

static void close_trading(const Tables *r, Row *g)
{
    int64_t p = g->active;
    for (int k = 0; k < KINDS; k++) {
        g->set_aside[p][k] += g->face_up[k];
        g->face_up[k] = 0;
    }
    g->phase = PLANT_TRADED;
    finish_planting(r, g);
}

static void clear_offer(Row *g)
{
    g->maker = -1;
    g->partner = -1;
    g->last = 0;
    for (int k = 0; k < KINDS; k++) {
        g->give_face[k] = 0;
        g->give_hand[k] = 0;
        g->want[k] = 0;
    }
}

static void begin_trading(Row *g)
{
    g->phase = TRADE;
    g->waiting = 0;
    g->fresh = g->traders;
    g->exchanges = 0;
    g->patience = 0;
    for (int p = 0; p < SEATS; p++) {
        g->made[p] = 0;
        g->since[p] = 0;
    }
    clear_offer(g);
}

static void sweep(Row *g)
{
    int64_t revealed = 0;
    for (int k = 0; k < KINDS; k++)
        if (g->face_up[k])
            revealed |= bit(k);
    while (g->discards > 0) {
        int64_t card = g->discard[g->discards - 1];
        if (!(revealed >> card & 1))
            return;
        g->discards--;
        g->face_up[card]++;
    }
}

static void reveal(const Tables *r, Row *g)
{
    take(r, g, r->reveal, true);
    if (r->game == BEAN_DUEL) {
        sweep(g);
        g->phase = FACE_UP;
        return;
    }
    if (is_over(r, g) && r->end == AT_ONCE) {
        end_game(r, g);
        return;
    }
    begin_trading(g);
    if (is_over(r, g) && r->end == PLANT_FIRST)
        close_trading(r, g);
}

/* -- offers ----------------------------------------------------------------------------------------- */

static int64_t tries(const Tables *r, const Row *g, int64_t p)
{
    int64_t turn = r->offers_a_turn - g->made[p], between = r->offers_between - g->since[p];
    return turn < between ? turn : between;
}

static void count_offer(Row *g)
{
    int64_t p = g->maker;
    g->made[p]++;
    g->since[p]++;
    g->offers++;
}

static void exchange(Row *g)
{
    int64_t maker = g->maker, partner = g->partner, active = g->active;
    bool gives = false, takes = false;
    for (int k = 0; k < KINDS; k++) {
        int8_t face = g->give_face[k], hand = g->give_hand[k], wanted = g->want[k];
        if (face + hand > 0) {
            gives = true;
            g->face_up[k] -= face;
            if (hand > 0)
                take_out(g, maker, k, hand);
            g->set_aside[partner][k] += face + hand;
        }
        if (wanted > 0) {
            takes = true;
            g->set_aside[maker][k] += wanted;
            if (partner == active) {
                int8_t lying = wanted < g->face_up[k] ? wanted : g->face_up[k];
                g->face_up[k] -= lying;
                wanted -= lying;
            }
            if (wanted > 0)
                take_out(g, partner, k, wanted);
        }
    }
    if (gives && takes)
        g->trades++;
    else
        g->gifts++;
    g->exchanges++;
    for (int p = 0; p < SEATS; p++)
        g->since[p] = 0;
    g->fresh = g->traders;
    clear_offer(g);
}

/* -- whose decision it is --------------------------------------------------------------------------- */

static int64_t next_in_order(const Row *g, int64_t mask)
{
    int64_t players = g->players, p = g->active;
    for (int64_t n = 0; n < players; n++) {
        if (mask >> p & 1)
            return p;
        p++;
        if (p == players)
            p = 0;
    }
    return -1;
}

static void select_the_only_one(Row *g)
{
    int64_t phase = g->phase;
    if (g->selected >= 0 || (phase != PLANT_TRADED && phase != LEFTOVERS))
        return;
    int64_t only = -1, p = g->seat;
    for (int k = 0; k < KINDS; k++)
        if ((phase == PLANT_TRADED ? g->set_aside[p][k] : g->face_up[k]) > 0) {
            if (only >= 0)
                return;
            only = k;
        }
    g->selected = only;
}

static void settle(const Tables *r, Row *g)
{
    for (;;) {
        if (g->phase == END) {
            g->seat = -1;
            return;
        }
        if (g->phase == TRADE) {
            if (g->partner >= 0) {
                g->seat = g->partner;
                g->mode = ANSWER;
                return;
            }
            int64_t p = next_in_order(g, g->fresh);
            if (p >= 0) {
                g->seat = p;
                g->mode = ASKED;
                return;
            }
            close_trading(r, g);
            continue;
        }
        g->seat = due_seat(g);
        g->mode = DUE;
        select_the_only_one(g);
        return;
    }
}

/* -- what is legal ---------------------------------------------------------------------------------- */

static int64_t planting(const Tables *r, const Row *g, int64_t p)
{
    int64_t mask = 0;
    int hands = g->hands[p];
    if (hands > 0 && g->planted < 2)
        mask = fitting(r, g, p, g->hand[p][0]) << A_PLANT;
    if (g->planted > 0 || hands == 0) {
        mask |= bit(A_GO_ON);
        if (r->game == BEAN_DUEL && g->planted > 0)
            for (int k = 0; k < KINDS; k++)
                if (g->held[p][k])
                    mask |= bit(A_HAND + k);
    }
    return mask;
}

static int64_t due_actions(const Tables *r, const Row *g, int64_t p)
{
    int64_t phase = g->phase, k = g->selected;
    if (k >= 0) {
        int64_t mask = fitting(r, g, p, k) << A_PLANT;
        return phase == LEFTOVERS ? mask | bit(A_DISCARD) : mask;
    }
    if (phase == PLANT)
        return planting(r, g, p);
    if (phase == REVEAL)
        return bit(A_GO_ON);
    int64_t mask = phase == FACE_UP ? bit(A_GO_ON) : 0;
    for (int kind = 0; kind < KINDS; kind++) {
        bool lies = (phase == PLANT_TRADED ? g->set_aside[p][kind] : g->face_up[kind]) > 0;
        if (lies && (phase == LEFTOVERS || fitting(r, g, p, kind)))
            mask |= bit(A_FACE + kind);
    }
    return mask;
}

static int64_t composing(const Tables *r, const Row *g)
{
    int64_t p = g->maker, last = g->last, mask = 0;
    if (last < A_HAND && p == g->active)
        for (int k = 0; k < KINDS; k++)
            mask |= (int64_t)(g->face_up[k] > g->give_face[k]) << (A_FACE + k);
    if (last < A_WANT)
        for (int k = 0; k < KINDS; k++)
            mask |= (int64_t)(g->held[p][k] > g->give_hand[k]) << (A_HAND + k);
    for (int k = 0; k < KINDS; k++)
        mask |= (int64_t)(g->want[k] < r->deck[k]) << (A_WANT + k);
    mask = (mask >> last) << last;
    bool some = last > A_FACE || g->give_face[0] > 0;
    return some ? mask | bit(A_PROPOSE) : mask;
}

static int64_t legal(const Tables *r, const Row *g)
{
    int64_t mode = g->mode;
    if (g->phase == END)
        return 0;
    if (mode == COMPOSE)
        return composing(r, g);
    int64_t p = g->seat;
    int64_t mask = harvestable(r, g, p) << A_HARVEST;
    if (may_buy(r, g, p))
        mask |= bit(A_BUY);
    if (mode == DUE)
        return mask | due_actions(r, g, p);
    if (mode == MOMENT)
        return mask | bit(A_GO_ON);
    if (mode == ANSWER) {
        mask |= bit(A_DECLINE);
        return can_serve(g, p) ? mask | bit(A_ACCEPT) : mask;
    }
    mask |= bit(A_GO_ON);
    if (tries(r, g, p) > 0) {
        int64_t active = g->active;
        int64_t others = p == active ? (bit(g->players) - 1) & ~bit(p) : bit(active);
        mask |= others << A_PARTNER;
    }
    return mask;
}

/* -- steps ------------------------------------------------------------------------------------------ */

static void concern_everybody(Row *g)
{
    if (g->phase == TRADE)
        g->fresh = g->traders;
    else if (g->mode == MOMENT)
        g->waiting = g->attentive;
}

static void pass_on(const Tables *r, Row *g, int64_t p)
{
    if (g->mode == MOMENT) {
        g->commands--;
        return;
    }
    g->fresh &= ~bit(p);
    g->patience++;
    g->commands--;
    if (g->fresh == 0 || g->patience >= r->patience) {
        g->commands++;
        close_trading(r, g);
    }
}

static void compose(Row *g, int64_t action)
{
    if (action == A_PROPOSE) {
        count_offer(g);
        g->mode = ANSWER;
        return;
    }
    g->last = action;
    if (action < A_HAND)
        g->give_face[action - A_FACE]++;
    else if (action < A_WANT)
        g->give_hand[action - A_HAND]++;
    else
        g->want[action - A_WANT]++;
}

static void answer(const Tables *r, Row *g, int64_t action)
{
    g->answers++;
    g->patience++;
    if (action == A_DECLINE) {
        g->fresh |= bit(g->maker);
        clear_offer(g);
        if (g->patience >= r->patience)
            close_trading(r, g);
        return;
    }
    exchange(g);
    if (g->exchanges >= r->exchanges_a_turn)
        close_trading(r, g);
}

static void go_on(const Tables *r, Row *g)
{
    if (g->phase == FACE_UP)
        draw_and_go_on(r, g);
    else if (g->phase == PLANT && r->game == BEAN_DUEL)
        g->phase = REVEAL;
    else
        reveal(r, g);
}

static void place_selected(const Tables *r, Row *g, int64_t p, int64_t action)
{
    int64_t k = g->selected;
    g->selected = -1;
    if (action == A_DISCARD)
        discard(g, k);
    else
        plant_on(g, p, action, k);
    if (g->phase == PLANT_TRADED) {
        g->set_aside[p][k]--;
        finish_planting(r, g);
        return;
    }
    g->face_up[k]--;
    if (g->phase == LEFTOVERS) {
        for (int kind = 0; kind < KINDS; kind++)
            if (g->face_up[kind])
                return;
        g->phase = PLANT;
    }
}

static void move_on(const Tables *r, Row *g, int64_t p, int64_t action)
{
    int64_t phase = g->phase;
    if (action == A_GO_ON)
        go_on(r, g);
    else if (A_HAND <= action && action < A_WANT) {
        take_out(g, p, action - A_HAND, 1);
        discard(g, action - A_HAND);
        g->phase = REVEAL;
    } else if (phase == PLANT) {
        plant_on(g, p, action, from_front(g, p));
        g->planted++;
    } else
        place_selected(r, g, p, action);
}

static void apply_to(const Tables *r, Row *g, int64_t action)
{
    g->decisions++;
    int64_t mode = g->mode;
    if (mode == COMPOSE) {
        compose(g, action);
        if (g->mode == COMPOSE)
            return;
        g->commands++;
        settle(r, g);
        return;
    }
    if (mode == ASKED && A_PARTNER <= action && action < A_FACE) {
        g->mode = COMPOSE;
        g->maker = g->seat;
        g->partner = action - A_PARTNER;
        g->last = A_FACE;
        return;
    }
    int64_t p = g->seat;
    if (mode == DUE) {
        if (A_FACE <= action && action < A_HAND) {
            g->selected = action - A_FACE;
            return;
        }
        g->waiting = g->attentive & ~bit(p);
    }
    g->commands++;
    if (action < A_BUY && action >= A_HARVEST) {
        harvest(r, g, p, action - A_HARVEST);
        concern_everybody(g);
    } else if (action == A_BUY) {
        buy(r, g, p);
        concern_everybody(g);
    } else if (mode == DUE)
        move_on(r, g, p, action);
    else if (mode == ANSWER)
        answer(r, g, action);
    else
        pass_on(r, g, p);
    settle(r, g);
}

static int64_t step(const Tables *r, Row *g, int64_t action)
{
    apply_to(r, g, action);
    return legal(r, g);
}

/* -- set-up and result ------------------------------------------------------------------------------ */

static void clear(const Tables *r, Row *g)
{
    int64_t players = r->players;
    g->players = players;
    for (int p = 0; p < SEATS; p++) {
        g->hands[p] = 0;
        g->coins[p] = 0;
        g->fields[p] = (int32_t)r->start_fields;
        for (int f = 0; f < FIELDS; f++) {
            g->beans[p][f] = 0;
            g->kind[p][f] = 0;
        }
        for (int k = 0; k < KINDS; k++) {
            g->set_aside[p][k] = 0;
            g->held[p][k] = 0;
        }
    }
    for (int k = 0; k < KINDS; k++) {
        g->face_up[k] = 0;
        g->box[k] = (int8_t)r->boxed[k];
    }
    g->exhaustions = g->turn = g->discards = g->script_at = g->script_end = 0;
    g->selected = -1;
    g->waiting = g->fresh = 0;
    g->traders = bit(players) - 1;
    g->attentive = 0;
    g->decisions = g->commands = g->offers = g->answers = g->trades = g->gifts = g->purchases = 0;
    clear_offer(g);
}

static void deal(const Tables *r, Row *g, int64_t seed)
{
    clear(r, g);
    seed_row(g, seed);
    int64_t n = 0;
    for (int k = 0; k < KINDS; k++)
        for (int c = 0; c < r->deck[k]; c++)
            g->draw[n++] = (int8_t)k;
    shuffle_draw_pile(g, n);
    int64_t players = r->players, starter = r->begins;
    if (starter < 0)
        starter = below(g, players);
    g->starter = starter;
    for (int card = 0; card < 12; card++)
        for (int64_t turn = 0; turn < players; turn++)
            if (card < r->deal[turn]) {
                int64_t p = (starter + turn) % players;
                int8_t k = g->draw[--n];
                g->hand[p][card] = k;
                g->hands[p]++;
                g->held[p][k]++;
            }
    g->draws = n;
    begin_turn(g, starter);
    settle(r, g);
}

static int64_t best_of(const Tables *r, const Row *g)
{
    int64_t best = -1, mask = 0;
    for (int64_t p = 0; p < g->players; p++) {
        int64_t worth = (int64_t)g->coins[p] * 256;
        if (!r->shared_ties)
            worth += g->hands[p];
        if (worth > best) {
            best = worth;
            mask = 0;
        }
        if (worth == best)
            mask |= bit(p);
    }
    return mask;
}

/* -- the random policy ------------------------------------------------------------------------------ */

static const int64_t RARE = INT64_C(15) << A_HARVEST, RARELY = 8;
static const int64_t PARTNERS = ((INT64_C(1) << SEATS) - 1) << A_PARTNER, PROPOSES = 48;
static const int64_t CARDS_OF_A_GROUP = ((INT64_C(1) << KINDS) - 1) << A_FACE, MADE = 192;
static const int64_t PLANTS = ((INT64_C(1) << FIELDS) - 1) << A_PLANT;

static int64_t game_seed(int64_t seed, int64_t number)
{
    int64_t x = (int64_t)((uint64_t)seed * 25214903917u + 11u) & LOW;
    x ^= x >> 23;
    x = (int64_t)(((uint64_t)x + (uint64_t)number) * UINT64_C(181783497276652981)) & LOW;
    x ^= x >> 25;
    return (int64_t)((uint64_t)x * 25214903917u + 11u) & LOW;
}

static int64_t popcount(int64_t mask) { return __builtin_popcountll((unsigned long long)mask); }

static int64_t pick(int64_t mask, int64_t chance)
{
    for (int64_t n = (chance * popcount(mask)) >> 23; n > 0; n--)
        mask &= mask - 1;
    return popcount((mask & -mask) - 1);
}

static int64_t random_part(int64_t mask, int64_t coin, int64_t chance)
{
    if (mask >> A_PROPOSE & 1 && coin >= 256 - MADE)
        return A_PROPOSE;
    for (int64_t n = 0; n < 3; n++) {
        int64_t group = mask & (CARDS_OF_A_GROUP << (coin + n) % 3 * KINDS);
        if (group)
            return pick(group, chance);
    }
    return A_PROPOSE;
}

static int64_t random_action(Row *g, int64_t mask)
{
    if ((mask & (mask - 1)) == 0)
        return popcount(mask - 1);
    int64_t chance = below(g, INT64_C(1) << 31), coin = chance >> 23;
    chance &= 0x7FFFFF;
    int64_t rare = mask & RARE;
    if (rare) {
        if (rare == mask || coin < RARELY)
            return pick(rare, chance);
        mask ^= rare;
    }
    int64_t mode = g->mode;
    if (mode == ASKED) {
        int64_t partners = mask & PARTNERS;
        return partners && coin >= 256 - PROPOSES ? pick(partners, chance) : A_GO_ON;
    }
    if (mode == COMPOSE)
        return random_part(mask, coin, chance);
    int64_t plants = mask & PLANTS;
    if (plants && plants != mask)
        mask = coin & 1 ? plants : mask ^ plants;
    return pick(mask, chance);
}

/* -- the loop --------------------------------------------------------------------------------------- */

int64_t row_size(void) { return sizeof(Row); }

int64_t tables_size(void) { return sizeof(Tables); }

void play_games(const Tables *r, int64_t first, int64_t n, int64_t seed, int64_t *results)
{
    static _Thread_local Row row;
    Row *g = &row;
    for (int64_t j = 0; j < n; j++) {
        deal(r, g, game_seed(seed, first + j));
        int64_t mask = legal(r, g);
        while (mask)
            mask = step(r, g, random_action(g, mask));
        int64_t *line = results + j * COLUMNS;
        for (int p = 0; p < SEATS; p++)
            line[p] = g->coins[p];
        line[SEATS] = best_of(r, g);
        line[SEATS + 1] = g->decisions;
        line[SEATS + 2] = g->commands;
        line[SEATS + 3] = g->offers;
        line[SEATS + 4] = g->answers;
        line[SEATS + 5] = g->trades;
        line[SEATS + 6] = g->gifts;
        line[SEATS + 7] = g->purchases;
        line[SEATS + 8] = g->turn;
    }
}
