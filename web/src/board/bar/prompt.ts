/** The sentence in the bar that tells the viewer what the game waits for. */
import type { Bean, PromiseNote } from "../../generated/protocol";
import { openGift } from "../duel/gifts";
import { kind } from "../../lib/beans";
import { bonusPrompt, giftPrompt } from "../duel/prompts";
import { askedText, doingText } from "../../lib/doing";
import { t } from "../../lib/i18n.svelte";
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import { listed, nameOf } from "../../lib/names";
import { beanWord } from "../../lib/sentences";
import { size } from "../size.svelte";
import type { Targets } from "../targets.svelte";
import { lastCall, ownClaimedOffers } from "../../table/offers/closing";
import { offersWaiting } from "../../table/offers/offers";
import { toldOverDays } from "../../lib/overdays.svelte";
import { obstacleOf } from "../../table/obstacle";
import { endedBy, isMissed, isStandIn } from "../../table/people";
import { briefPromiser, brieflyPromised, promisesToKeep, promiseText } from "../../table/talk/talk";
import { isAsked, isDone, othersWaitedFor, waitsForViewer } from "../../table/waiting";

/** What is said in the bar: the words, and whether they are for oneself. */
export interface Prompt {
  readonly text: string;
  readonly mine: boolean;
  /** Whether it names people who are away: what can be done about that stands in the sheet of the people. */
  readonly away?: boolean;
  /** Whether the line above the board says who has the word, so that a wide window need not say it twice. */
  readonly inHead?: boolean;
  /** Whether a wide window has it above the viewer's hand, though nothing waits for him. */
  readonly atHand?: boolean;
  /** Whether it tells what became of offers, in less room than what is asked. */
  readonly told?: boolean;
}

const mine = (text: string): Prompt => ({ text, mine: true });

/** Say what is waited for, and what one can do about it. */
export function prompt(table: TableModel, targets: Targets): Prompt {
  const { view, seat } = table;
  if (view === null || view.phase.phase === "end") return { text: "", mine: false };
  const { clearing } = targets;
  if (clearing !== null && targets.held === null && targets.undoable) {
    const coins = table.worth[clearing.player]?.[clearing.field]?.coins ?? 0;
    return mine(t("table.say.harvested", { coins: t("words.coins", { count: coins }) }));
  }
  if (targets.held !== null && targets.undoable) return mine(t("table.say.held"));
  // a replay asks nobody to do anything
  return (seat === null || table.choices === null ? null : own(table, targets, seat)) ?? waiting(table);
}

/**
 * Tell whether what is asked stands under the cards it is about, where there is room for it, so that the bar
 * need not say it.
 */
export function underCards({ view, seat, mine }: TableModel): boolean {
  if (view === null || seat === null) return false;
  const { phase } = view;
  if (phase.phase === "gift") return phase.word === seat && openGift(phase) !== null;
  if (phase.phase === "bonus") return view.waiting.includes(seat);
  return mine && (phase.phase === "leftovers" || phase.phase === "plant-face-up");
}

/**
 * Return what is asked of the viewer where that stands above his hand, in a wide window: else nothing, as where it
 * stands under the cards it is about, or where something keeps him from doing it. In a lesson the bar says it: the
 * ring of the coach lies around the cards.
 */
export function askedAtHand(table: TableModel, targets: Targets, live: LiveTable | null): string {
  if (size.narrow || live === null || table.seat === null || obstacleOf(live) !== null) return "";
  if (table.room?.lesson != null || (underCards(table) && !targets.undoable)) return "";
  const asked = prompt(table, targets);
  return asked.mine || asked.atHand === true ? asked.text : "";
}

function own(table: TableModel, targets: Targets, seat: number): Prompt | null {
  const { view } = table;
  if (view === null) return null;
  const { phase } = view;
  if (phase.phase === "trade") return trading(table, targets);
  if (!view.waiting.includes(seat)) return null;
  switch (phase.phase) {
    case "plant":
      return planting(table, targets, phase.planted);
    case "reveal":
      return mine(t("table.say.reveal"));
    case "plant-traded":
      return (
        roomFirst(table, targets) ??
        (targets.mindsOrder ? mindingOrder(table) : null) ??
        mine(t("table.say.plant-traded", { count: table.player(seat)?.set_aside.length ?? 0 }))
      );
    case "leftovers":
      return mine(t("table.say.leftovers"));
    case "plant-face-up":
      return mine(
        t("table.say.plant-face-up", {
          fits: targets.sources.length > 0 || targets.held !== null ? "yes" : "no",
          ...making(table, targets),
        }),
      );
    case "gift":
      return mine(
        openGift(phase) !== null && phase.word === seat ? t("duel.take-or-name") : giftPrompt(table),
      );
    case "plant-gift":
      return roomFirst(table, targets) ?? mine(t("table.say.plant-gift", { what: toPlant(table) }));
    case "bonus":
      return mine(bonusPrompt(table));
    default:
      return null;
  }
}

function planting(table: TableModel, targets: Targets, planted: number): Prompt {
  const front = table.view?.own?.hand[0];
  const choice = table.allowed("keep-hand").length > 0;
  if (front === undefined) return mine(t("table.say.hand-empty"));
  const bean = beanWord(front);
  if (targets.sources.some((source) => source.do === "plant"))
    return mine(planted === 0 ? t("table.say.plant-first", { bean }) : t("table.say.plant-second", { bean }));
  if (choice) return mine(t("table.say.discard"));
  if (targets.room !== null) return mine(t("table.say.fits-nowhere", { bean, ...making(table, targets) }));
  return mine(t("table.say.reveal"));
}

/** Say that room must be made first, where a card must be planted and fits nowhere. */
function roomFirst(table: TableModel, targets: Targets): Prompt | null {
  if (targets.sources.length > 0 || targets.held !== null) return null;
  const kinds = homeless(table);
  const [bean, other] = kinds;
  if (bean !== undefined && other === undefined)
    return mine(t("table.say.fits-nowhere", { bean: beanWord(bean), ...making(table, targets) }));
  const beans = listed(kinds.map((one) => t(`table.short.${kind(one)}`)));
  return mine(t("table.say.no-room", { beans, ...making(table, targets) }));
}

/** Say what to harvest before two lie on a field: the bean that is alone, if there is but one that nothing joins. */
function mindingOrder(table: TableModel): Prompt {
  const own = table.seat === null ? undefined : table.player(table.seat);
  const alone = (own?.fields ?? []).flatMap((field) => (field.length === 1 ? field : []));
  const [bean, other] = alone.filter((one) => !homeless(table).includes(one));
  return bean !== undefined && other === undefined
    ? mine(t("table.say.harvest-lone", { bean: beanWord(bean) }))
    : mine(t("table.say.mind-order"));
}

/** Return the kinds that the viewer has received and must still plant. */
function homeless({ view, seat }: TableModel): readonly Bean[] {
  if (view === null || seat === null) return [];
  const { phase } = view;
  const gift = phase.phase === "plant-gift" && phase.receiver === seat ? phase.gift : [];
  const rest = phase.phase === "plant-gift" && view.active_player === seat ? phase.face_up : [];
  return [...new Set([...gift, ...rest, ...(view.players[seat]?.set_aside ?? [])])];
}

/** Return which of the gift and the rest the viewer has still to plant; what is planted is no longer asked for. */
function toPlant({ view, seat }: TableModel): "gift" | "rest" | "both" {
  const phase = view?.phase;
  if (phase?.phase !== "plant-gift") return "both";
  const gift = phase.gift.length > 0 && phase.receiver === seat;
  const rest = phase.face_up.length > 0 && view?.active_player === seat;
  return gift && rest ? "both" : gift ? "gift" : "rest";
}

/** How room can be made now, and what a field costs. */
function making(table: TableModel, targets: Targets): { readonly room: string; readonly coins: number } {
  return { room: targets.room ?? "none", coins: table.view?.rules.field_price ?? 0 };
}

/** Say what counts while beans are traded; in a last call that is to answer and to choose, and no new offer. */
function trading(table: TableModel, targets: Targets): Prompt | null {
  const phase = table.view?.phase;
  if (phase?.phase !== "trade") return null;
  const called = lastCall(table) !== null;
  // on a phone the seconds beside it say that it is the last call
  const calls = called && !size.narrow;
  const claimers = ownClaimedOffers(table).flatMap((offer) => offer.claimers);
  if (claimers.length > 0) {
    if (calls) return mine(t("table.say.call-choose"));
    if (!size.narrow && claimers.length > 1) return mine(t("table.say.choose"));
    return mine(t("table.say.claims", { count: claimers.length, name: nameOf(table, claimers[0] ?? 0) }));
  }
  const count = offersWaiting(table).length;
  if (count > 0) return mine(t(calls ? "table.say.call-offers" : "table.say.offers", { count }));
  const passed = isDone(table.room, table.seat) || phase.passes.some((seat) => seat === table.seat);
  const [word] = called || passed || table.room?.lesson != null ? [] : promisesToKeep(table);
  const promised = word === undefined ? null : promisedText(word, table);
  if (table.mine && (called || !passed))
    return mine(promised ?? t(called ? answering(calls) : "table.say.trade"));
  const done = passed || table.enough.some((seat) => seat === table.seat);
  const noted = isDone(table.room, table.seat) ? toldOverDays(table)?.saidDone(table) : null;
  const waited = !passed && targets.countedDone;
  if (done && !called)
    return { text: noted ?? t(waited ? "table.say.done-waited" : "table.say.done"), mine: false };
  if (promised !== null) return { text: promised, mine: false, atHand: true, inHead: true };
  const player = nameOf(table, table.view?.active_player ?? 0);
  return {
    text: called
      ? t(calls ? "table.say.call" : "table.say.may-offer")
      : t("table.say.trade-with", { player }),
    mine: false,
    inHead: !called,
  };
}

/** Say what was promised, on a phone in few words: its seat glows. */
function promisedText(word: PromiseNote, table: TableModel): string {
  const brief = `${briefPromiser(word, table)} ${brieflyPromised(word)}`;
  return t("table.say.promised", { promise: size.narrow ? brief : promiseText(word, table) });
}

const answering = (calls: boolean): "table.say.call-mine" | "table.say.may-answer" =>
  calls ? "table.say.call-mine" : "table.say.may-answer";

function waiting(table: TableModel): Prompt {
  const seats = table.view === null ? [] : othersWaitedFor(table.view, table.seat);
  if (seats.length === 0) return { text: "", mine: false };
  const away = seats.every((seat) => isMissed(table, seat));
  return {
    text: t(away ? "table.say.waiting-away" : "table.say.waiting", {
      players: listed(seats.map((seat) => nameOf(table, seat))),
      count: seats.length,
    }),
    mine: false,
    away,
    inHead: !away,
  };
}

/**
 * Say in few words who has the word: "Anna trades", "Your turn: plant", "Anna and Bert plant". It is the viewer's turn
 * only while he is the active player; in that of another he reads what he is asked: "Answer the gift". What the bar
 * says besides, that an offer waits and that the market ends, a `brief` line leaves out.
 */
export function headline(table: TableModel, brief = false): string {
  const { view, seat } = table;
  if (view === null) return "";
  if (table.room?.status === "abandoned") return t("after.ended", endedBy(table));
  if (table.room?.paused === true) return t("event.paused");
  const { phase } = view;
  if (seat !== null && isStandIn(table, seat) && (table.mine || view.waiting.includes(seat)))
    return t("table.bot-plays");
  if (phase.phase === "bonus" && table.allowed("claim-bonus").length > 0) return t("table.asked.claim");
  const open = phase.phase === "gift" && openGift(phase) !== null;
  const asked = isAsked(table) ? askedText(phase.phase, open) : null;
  if (asked !== null) return asked;
  if (!brief && hasOfferToAnswer(table))
    return t("table.asked.offer", { player: nameOf(table, view.active_player) });
  const called = lastCall(table) !== null;
  if (!brief && called) return t("event.last-call-began");
  const awaited = toldOverDays(table)?.waitsUntil(table);
  if (awaited != null) return awaited;
  // in a replay nobody has said that he is done
  const done = table.choices !== null && table.mine && !waitsForViewer(table);
  if (done && phase.phase === "trade" && !called) return t("table.say.done");
  // whoever may trade, it is one player's market
  const has = phase.phase === "trade" || view.waiting.length === 0 ? [view.active_player] : view.waiting;
  const names = listed(has.map((who) => nameOf(table, who)));
  const planted =
    phase.phase === "plant" && table.allowed("plant").length === 0 && table.allowed("reveal").length > 0;
  return doingText(planted ? "reveal" : phase.phase, seat !== null && has.includes(seat), names, has.length);
}

/** Tell whether an offer waits for the viewer in the market of another player. */
export function hasOfferToAnswer(table: TableModel): boolean {
  return (
    table.choices !== null && !table.mine && table.room?.paused !== true && offersWaiting(table).length > 0
  );
}
