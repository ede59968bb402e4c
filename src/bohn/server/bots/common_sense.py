"""What everybody at a table sees at once, and what nobody would understand of a computer player.

Traders weigh an exchange by what they expect of the whole game, and often a row on a field is worth little to
them. People see the row. So beside people a computer player takes a gift that it grows, ploughs up no row of
its own for a trade (those that are to be good company; a hard one may have its reasons), and does not ask
again for what it was refused at a worse price. What it sees is its own fields and what must be planted: a
field is worth its coins and, of the next coin, the part of the way that is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from bohn.bots.bargaining import own_useful, useful
from bohn.bots.farming import coins_ahead, hand, lying_before, seat, worth
from bohn.rules.beans import Bean, Field, on_the_way
from bohn.rules.commands import AcceptOffer, AnyCommand, Claim, DeclineOffer
from bohn.rules.policies import PROTECTED
from bohn.rules.ruleset import Rules
from bohn.server.bots.levels import is_hard
from bohn.server.bots.manners import repeats_itself
from bohn.server.bots.messages import Question, Terms
from bohn.server.bots.said import breaks_promise, of_use, promised_by, said_to_give
from bohn.views.view import OfferView, TradeView, View

GAIN = 0.2
"""Coins from which on everybody sees that an exchange helps."""

HOPE = 0.25
"""Coins that a field counts beside its beans while it may bring more."""

RICH = 0.75
"""Coins on somebody's fields from which on a bean is too much for a gift."""

RUIN = 0.4
"""Coins from which on everybody sees that an exchange ruins a row."""

WORTH_MORE = 0.5
"""Coins that a card must bring somebody who is asked for two for it."""

LEADS = 3
"""Coins by which somebody leads so far that he is given nothing for little."""

Cards = Counter[Bean]


class Planted(NamedTuple):
    """The fields of a player after planting.

    ``forced`` are the places of those that took the place of another row; ``ploughed`` is how many rows went,
    ``earned`` what they brought, in coins.
    """

    beds: list[Field]
    forced: set[int]
    ploughed: int
    earned: int

    @property
    def growing(self) -> set[Bean]:
        """The kinds on rows that took the place of no other."""
        return {bed[-1] for place, bed in enumerate(self.beds) if bed and place not in self.forced}


def planted(view: View, player: int, comes: Cards | None = None, goes: Cards | None = None) -> Planted:
    """Plant in thought what a player must: each kind on its row, else where least is lost.

    That is what he has set aside, what lies before him, what ``comes`` to him by an exchange, and not what
    ``goes`` of what lies before him.
    """
    own = view.players[player]
    coming = Counter(own.set_aside + lying_before(view, player)) + (comes or Counter()) - (goes or Counter())
    beds = list(own.fields)
    for place, bed in enumerate(beds):
        if bed:
            beds[place] = bed + (bed[-1],) * coming.pop(bed[-1], 0)
    earned, ploughed, forced = 0, 0, set[int]()
    for bean, number in sorted(coming.items(), key=lambda one: _on_the_way(view.rules, (one[0],) * one[1])):
        place = _cheapest(view, beds)
        earned += worth(view.rules, beds[place])
        if beds[place]:
            forced.add(place)
            ploughed += 1
        beds[place] = (bean,) * number
    return Planted(beds, forced, ploughed, earned)


def worth_after_planting(
    view: View, player: int, comes: Cards | None = None, goes: Cards | None = None
) -> float:
    """Return what a player's fields are worth after he has planted what he must, in coins.

    A row that takes the place of another counts its coins alone: that it may grow comforts nobody who sees
    what it cost. Every other field counts a little besides, as long as it may still bring more.
    """
    rules = view.rules
    beds, forced, _, earned = planted(view, player, comes, goes)
    return earned + sum(
        worth(rules, bed) if place in forced else _prospect(view, bed) for place, bed in enumerate(beds)
    )


def trades_next(view: View) -> bool:
    """Tell whether the next player will trade: not if the last pass of the deck runs out before that."""
    rules = view.rules
    passes = rules.exhaustions - view.exhaustions
    ending = 0 if rules.end == "after_planting" else rules.reveal  # with the last card turned over
    return passes > 1 or (passes == 1 and view.draw_pile > rules.draw + ending)


def plants_again(view: View) -> bool:
    """Tell whether the viewer will plant cards of his hand once more before the game ends."""
    rules = view.rules
    passes = rules.exhaustions - view.exhaustions
    if passes != 1:
        return passes > 1
    turns = (seat(view) - view.active_player) % len(view.players) or len(view.players)
    return view.draw_pile > rules.draw + (turns - 1) * (rules.reveal + rules.draw)


def _prospect(view: View, field: Field) -> float:
    """Return what a field counts that stays: a little more than its beans while it may bring more."""
    rules = view.rules
    if not (trades_next(view) or plants_again(view)):
        return worth(rules, field)
    if not field:
        return HOPE
    meter = rules.beanometers[field[-1]]
    return on_the_way(meter, len(field)) + (HOPE if len(field) < meter[-1][0] else 0.0)


def rows_kept(view: View, player: int, goes: Cards | None = None) -> set[Bean]:
    """Return the kinds that grow on a player's fields, and still will when he has planted what he must.

    That is without what ``goes`` of what lies before him.
    """
    return planted(view, player, goes=goes).growing


def harmful(view: View) -> list[Bean]:
    """Return the kinds before the viewer that cost him a row, worst first: all together, else each alone.

    Those are kinds that he does not grow, or on a row that will have to go for another one.
    """
    me = seat(view)
    kept = rows_kept(view, me) & own_useful(view)
    unwanted = Counter(bean for bean in lying_before(view, me) if bean not in kept)
    before = worth_after_planting(view, me)
    saves = {
        bean: worth_after_planting(view, me, goes=Counter({bean: number})) - before
        for bean, number in unwanted.items()
    }
    if worth_after_planting(view, me, goes=unwanted) - before < GAIN:
        saves = {bean: saved for bean, saved in saves.items() if saved >= GAIN}
    return sorted(saves, key=lambda bean: (-saves[bean], bean))


def front_card(view: View, goes: Cards | None = None) -> Bean | None:
    """Return the card of the viewer's hand that he must plant first in his next turn, if he has any.

    ``goes`` are given away, front-most copies first.
    """
    left = Counter(goes or ())
    for bean in hand(view):
        if not left[bean]:
            return bean
        left[bean] -= 1
    return None


def costs_a_row(
    view: View, bean: Bean | None, comes: Cards | None = None, goes: Cards | None = None
) -> float:
    """Return what the viewer loses by having to plant a card next turn, in coins: a row that makes way.

    That is after an exchange by which beans come and others of those before him go.
    """
    if bean is None or not plants_again(view):
        return 0.0
    me = seat(view)
    without = worth_after_planting(view, me, comes, goes)
    return max(0.0, without - worth_after_planting(view, me, (comes or Counter()) + Counter((bean,)), goes))


def unwanted_card(view: View) -> Bean | None:
    """Return the front card of the viewer's hand if it will cost him a row."""
    front = front_card(view)
    return front if costs_a_row(view, front) >= GAIN else None


def _cheapest(view: View, beds: list[Field]) -> int:
    """Return the field for another kind: an empty one, else the one that loses least when it is sold."""
    rules = view.rules
    if not all(beds):
        return next(place for place, bed in enumerate(beds) if not bed)
    protected, fields = PROTECTED[rules.singles], tuple(beds)
    free = [at for at, bed in enumerate(beds) if len(bed) > 1 or not protected(fields, at)]
    return min(
        free, key=lambda at: (_prospect(view, beds[at]) - worth(rules, beds[at]), worth(rules, beds[at]))
    )


def _on_the_way(rules: Rules, field: Field) -> float:
    return on_the_way(rules.beanometers[field[-1]], len(field)) if field else 0.0


def plain_gain(
    view: View, comes: Collection[Bean], goes: Collection[Bean], *, with_front: bool = False
) -> float:
    """Return what an exchange brings the viewer by what everybody sees of his fields, in coins.

    What ``goes`` comes from what lies before him as far as it can; a card of the hand counts what it would
    add to its field, and nothing where its kind does not grow or he plants no more. Where cards of the
    hand go, ``with_front`` also counts the row that the front one will cost, before and after; that shows in
    what he agrees to.
    """
    me = seat(view)
    lies = Counter(goes) & Counter(lying_before(view, me))
    held, coming = Counter(goes) - lies, Counter(comes)
    gain = worth_after_planting(view, me, coming, lies) - worth_after_planting(view, me)
    if with_front and held:
        gain += costs_a_row(view, front_card(view)) - costs_a_row(view, front_card(view, held), coming, lies)
    return gain - sum(_missed(view, bean, count) for bean, count in held.items())


def _missed(view: View, bean: Bean, count: int) -> float:
    """Return what some cards of the hand would add to the field of their kind, nothing if none grows."""
    beds = [len(field) for field in view.players[seat(view)].fields if field and field[-1] == bean]
    if not beds or not plants_again(view):
        return 0.0
    meter, beans = view.rules.beanometers[bean], max(beds)
    return on_the_way(meter, beans + count) - on_the_way(meter, beans)


def lacks(view: View, offer: OfferView) -> Bean | None:
    """Return a kind that an offer wants more of than the viewer has, if there is one."""
    missing = Counter(offer.want) - Counter(hand(view) + lying_before(view, seat(view)))
    return min(missing, default=None)


def second_thought(question: Question, command: AnyCommand | None) -> AnyCommand | None:
    """Return what a player answers to an offer once it has looked at it as everybody does."""
    view, bot = question.view, question.bot
    if not isinstance(command, AcceptOffer | Claim | DeclineOffer) or not isinstance(view.phase, TradeView):
        return command
    offer = next((one for one in view.phase.offers if one.id == command.offer), None)
    if offer is None:
        return command
    gain = plain_gain(view, offer.given, offer.want, with_front=not is_hard(bot))
    if isinstance(command, DeclineOffer):
        helps = gain >= GAIN or (gain >= 0 and (_rids(view, bot, offer) or _joins(view, offer)))
        agrees = offers_it_too(view, offer) or asks_for_spared(view, offer)
        agrees = agrees or (helps and is_plainly_good(view, bot, offer))
        return _yes(question, offer) or command if agrees else command
    refuse = DeclineOffer(seat(view), offer.id, offer.revision)
    if breaks_promise(view, offer.want, (offer.maker,)):
        return refuse
    if offers_it_too(view, offer) or asks_for_spared(view, offer):
        return command
    refuses = gain < GAIN and ploughs_more(view, offer.given, offer.want)
    refuses = refuses or (not offer.given and enriches(view, offer.maker, offer.want))
    if not is_hard(bot):
        refuses = refuses or gain <= -RUIN or _denies_itself(view, offer.given, offer.want, gain)
        refuses = refuses or _is_better_given(view, offer, gain)
    return refuse if refuses else command


def offers_it_too(view: View, offer: OfferView) -> bool:
    """Tell whether an offer of the viewer's own to its maker stands that brings no more for no less.

    What is offered besides does no harm, by what all see.
    """
    standing = view.phase.offers if isinstance(view.phase, TradeView) else ()
    mine = [one for one in standing if one.maker == view.viewer and offer.maker in one.to]
    return lacks(view, offer) is None and any(
        Counter(offer.want) <= Counter(own.given)
        and Counter(own.want) <= Counter(offer.given)
        and plain_gain(view, offer.given, offer.want) >= plain_gain(view, own.want, offer.want)
        for own in mine
    )


def asks_for_spared(view: View, offer: OfferView) -> bool:
    """Tell whether somebody who does not lead asks for one of what the viewer says it can spare."""
    own = Counter(hand(view) + lying_before(view, seat(view)))
    spared = Counter(view.talk.wishes[seat(view)].spare) & (own - promised_by(view, (offer.maker,)))
    if not offer.want or not Counter(offer.want) <= spared:
        return False
    return plain_gain(view, offer.given, offer.want) >= 0 and not leads(view, offer.maker)


def _rids(view: View, bot: str, offer: OfferView) -> bool:
    """Tell whether an offer asks as a gift for face-up beans that do the viewer harm, alone or together.

    Or, of good company, for the card of the hand that will.
    """
    return not offer.given and bool(offer.want) and set(offer.want) <= burdens_of(view, bot)


def _is_better_given(view: View, offer: OfferView, gain: float) -> bool:
    """Tell whether what an offer brings would cost a row that stays if what it asks for is a gift.

    Nobody would understand who says that he has no field for a bean, and takes another one for it.
    """
    if not offer.want or leads(view, offer.maker) or enriches(view, offer.maker, offer.want):
        return False
    return plain_gain(view, (), offer.want, with_front=True) >= gain + GAIN


def _joins(view: View, offer: OfferView) -> bool:
    """Tell whether an offer is a gift of kinds that the viewer must plant in any case."""
    return not offer.want and {*offer.given} <= {*lying_before(view, seat(view))}


def burdens_of(view: View, bot: str) -> set[Bean]:
    """Return the kinds that cost the viewer a row; a hard player does not show it of its hand."""
    front = None if is_hard(bot) else unwanted_card(view)
    return {*harmful(view), *(() if front is None else (front,))}


def planted_after(view: View, comes: Collection[Bean], goes: Collection[Bean]) -> Planted:
    """Return the viewer's fields after an exchange and all planting."""
    me = seat(view)
    return planted(view, me, Counter(comes), Counter(goes) & Counter(lying_before(view, me)))


def ploughs_more(view: View, comes: Collection[Bean], goes: Collection[Bean]) -> bool:
    """Tell whether more of the viewer's rows have to go after an exchange than without it."""
    return planted_after(view, comes, goes).ploughed > planted_after(view, (), ()).ploughed


def finds_no_field(view: View, comes: Collection[Bean], goes: Collection[Bean]) -> bool:
    """Tell whether a row of the viewer's would have to go for a kind that an exchange brings."""
    return not {*comes} <= planted_after(view, comes, goes).growing


def enriches(view: View, player: int, beans: Collection[Bean]) -> bool:
    """Tell whether some beans bring somebody so much that nobody would understand that he gets them free."""
    return _brings(view, player, Terms((player,), tuple(beans), ())) >= RICH


def is_plainly_good(view: View, bot: str, offer: OfferView) -> bool:
    """Tell whether nobody would understand a no to what helps: a gift, or as much for what does not grow.

    Whoever takes a face-up bean that does harm helps as well. A hard player trades only that, or fairly, and
    nobody gives the leader anything for little. What is spared is given in any case.
    """
    if lacks(view, offer) is not None:
        return False
    me = seat(view)
    if not offer.want:
        return True
    if not offer.given and set(offer.want) <= {*lying_before(view, me), *burdens_of(view, bot)}:
        return not enriches(view, offer.maker, offer.want) and not leads(view, offer.maker)
    rids = set(offer.want) <= {*harmful(view)}
    if (is_hard(bot) and not rids and not _is_fair(view, offer)) or leads(view, offer.maker):
        return False
    return len(offer.want) <= len(offer.given) and own_useful(view).isdisjoint(offer.want)


def _is_fair(view: View, offer: OfferView) -> bool:
    """Tell whether an exchange brings its maker no more than the viewer, by what everybody sees."""
    return _gains_of(view, offer) <= plain_gain(view, offer.given, offer.want)


def _gains_of(view: View, offer: OfferView) -> float:
    """Return what an offer to the viewer brings its maker, by what everybody sees."""
    return _brings(view, offer.maker, Terms((offer.maker,), offer.want, offer.given))


def leads(view: View, player: int) -> bool:
    """Tell whether a player leads all others so far that he is given nothing for little."""
    return coins_ahead(view, player) >= LEADS


def _yes(question: Question, offer: OfferView) -> AnyCommand | None:
    """Return the legal command that agrees to an offer, if there is one."""
    agreeing = (one for one in question.legal if isinstance(one, AcceptOffer | Claim))
    return next((one for one in agreeing if one.offer == offer.id), None)


def is_senseless(question: Question, terms: Terms) -> bool:
    """Tell whether people would not understand an offer of this player.

    It asks for more cards than what it gives is worth to whoever is asked, begs in vain, burdens somebody, is
    no better than what was offered before in this turn, gives what was promised to another or had better be
    kept, or is too much for a gift; or it harms its maker.
    """
    view = question.view
    if (
        asks_much(view, terms)
        or begs_in_vain(view, question.bot, terms, question.people)
        or repeats_itself(terms, question.made)
        or burdens(view, terms)
    ):
        return True
    if not terms.want and any(enriches(view, asked, terms.give) for asked in terms.to):
        return True
    if breaks_promise(view, terms.give, terms.to) or gives_too_much(view, terms):
        return True
    return harms_itself(view, question.bot, terms)


def gives_too_much(view: View, terms: Terms) -> bool:
    """Tell whether a gift has a bean that its maker had better keep: all see that it leaves him less."""
    gain = plain_gain(view, (), terms.give)
    rest = [tuple((Counter(terms.give) - Counter((bean,))).elements()) for bean in {*terms.give}]
    return not terms.want and any(one and plain_gain(view, (), one) >= gain + GAIN for one in rest)


def harms_itself(view: View, bot: str, terms: Terms) -> bool:
    """Tell whether all see that an offer of the viewer's would do himself harm.

    It brings him what he has no field for, or ploughs up a row of his; or he gives what he grows or wants as
    a gift or, where he is to be good company, for what he does not.
    """
    gain = plain_gain(view, terms.want, terms.give, with_front=not is_hard(bot))
    if gain < GAIN and (
        finds_no_field(view, terms.want, terms.give) or ploughs_more(view, terms.want, terms.give)
    ):
        return True
    denies = _denies_itself(view, terms.want, terms.give, gain)
    if is_hard(bot):
        return not terms.want and denies
    return gain <= -RUIN or denies


def asks_much(view: View, terms: Terms) -> bool:
    """Tell whether an offer asks for more cards than it gives, for less than half a coin on a field.

    For two cards more nobody would listen.
    """
    more = len(terms.want) - len(terms.give)
    if not terms.give or more <= 0:
        return False
    return more > 1 or not all(_brings(view, asked, terms) >= WORTH_MORE for asked in terms.to)


def _brings(view: View, player: int, terms: Terms) -> float:
    """Return what an offer brings somebody by what everybody sees of his fields, his hand left out."""
    lies = Counter(terms.want) & Counter(lying_before(view, player))
    after = worth_after_planting(view, player, Counter(terms.give), lies)
    return after - worth_after_planting(view, player)


def _denies_itself(view: View, comes: Collection[Bean], goes: Collection[Bean], gain: float) -> bool:
    """Tell whether the viewer would give what grows on its fields, or what it wants, for what does not."""
    grows = own_useful(view)
    loses = not grows.isdisjoint(goes) and grows.isdisjoint(comes)
    return gain < GAIN and (loses or not {*view.talk.wishes[seat(view)].want}.isdisjoint(goes))


def burdens(view: View, terms: Terms) -> bool:
    """Tell whether an offer gives somebody more that he has no use and no field for than it takes from him.

    What he grows, wishes for or is to be paid is of use; a face-up bean that he does not grow is one less.
    """
    return any(_burdened(view, asked, terms) for asked in terms.to)


def _burdened(view: View, player: int, terms: Terms) -> bool:
    rid = (Counter(terms.want) & Counter(lying_before(view, player))).keys() - useful(view, player)
    room = sum(not bed for bed in view.players[player].fields)
    return len({*terms.give} - of_use(view, player)) > room + len(rid)


def begs_in_vain(view: View, bot: str, terms: Terms, people: Collection[int]) -> bool:
    """Tell whether an offer asks for a gift that nobody would give: a card he may want, or has not shown.

    One of what a person says he can spare may be asked for (computer players spare cards for others), and by
    good company a face-up bean that its owner does not grow. A hard player pays, or waits until it is given.
    """
    if terms.give:
        return False
    return not any(_may_give(view, bot, asked, Counter(terms.want), people) for asked in terms.to)


def _may_give(view: View, bot: str, player: int, wanted: Cards, people: Collection[int]) -> bool:
    lying = () if is_hard(bot) else lying_before(view, player)
    free = Counter(bean for bean in lying if bean not in useful(view, player))
    said = said_to_give(view, player) if player in people else ()
    return wanted <= free + Counter({*said})
