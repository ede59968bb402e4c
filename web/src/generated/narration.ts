/* eslint-disable */
/**
 * The parameters in the sentence of each event, and where in the event their values are.
 *
 * Written by `python -m bohn.narration.typescript`; change bohn.narration.table, not this file.
 */
import type { ShownEvent } from "./protocol";

/** The kinds of parameters: see bohn.narration.parameters. */
export type Kind =
  | "is-you"
  | "name"
  | "called"
  | "seats"
  | "group"
  | "is-user"
  | "user-name"
  | "bean"
  | "beans"
  | "some"
  | "deal-kind"
  | "bonus"
  | "number"
  | "length"
  | "price"
  | "field"
  | "word"
  | "flag"
  | "first";

/** A kind of parameter, and where in the event its value is: `offer.maker`, `coins+discards`. */
export type Parameter = readonly [kind: Kind, place: string, other?: string];

export type Parameters = Readonly<Record<string, Parameter>>;

/** An exchange is described from one of its sides; of each, the places of its seat and of what it gave. */
export interface Side {
  readonly seat: string;
  readonly gave: string;
}

/** The sentence of an event: the text `event.<tag>`, with parameters that are not the usual ones. */
export interface SentenceEntry {
  readonly params?: Parameters;
  readonly sides?: readonly [Side, Side];
  /** If nothing is there, there is no sentence. */
  readonly needs?: string;
}

/** What most events have by these names. */
export const USUAL: Parameters = { you: ["is-you","player"], player: ["name","player"], beans: ["beans","beans"], count: ["number","count"], winners: ["seats","result.winners"], bean: ["bean","bean"], field: ["field","field"], coins: ["length","coins"], to: ["group","offer.to"], kind: ["deal-kind","offer.hand+offer.face_up","offer.want"], gives: ["beans","offer.hand+offer.face_up"], wants: ["beans","offer.want"], offer: ["number","offer"], giver: ["called","giver"], what: ["first","coin","bonus"], bonus: ["bonus","bonus"], mark: ["word","mark"], due: ["word","promise.due"], promise: ["number","promise.id"], edited: ["flag","edited"], partner: ["called","taker"], by: ["word","ended_by"] };

/** Events without a sentence. */
type Silent =
  | "table-opened"
  | "salt-given"
  | "bot-removed"
  | "started"
  | "clocks-kept"
  | "last-call-prolonged"
  | "finished"
  | "deal-revealed"
  | "orders-looked-at"
  | "playing-times-set";

/** Events whose sentence has the usual parameters alone. */
type Plain =
  | "trading-began"
  | "face-up-began"
  | "haggling-began"
  | "exhausted"
  | "planted"
  | "set-aside-planted"
  | "offer-withdrawn"
  | "offer-declined"
  | "offer-claimed"
  | "claim-withdrawn"
  | "claim-voided"
  | "offer-voided"
  | "passed"
  | "trading-closed"
  | "leftover-planted"
  | "leftover-discarded"
  | "leftovers-done"
  | "hand-discarded"
  | "hand-kept"
  | "face-up-planted"
  | "gift-named"
  | "gift-taken"
  | "bluff-caught"
  | "haggling-closed"
  | "gift-planted"
  | "bonus-began"
  | "bonus-stood"
  | "bonus-claimed"
  | "bonus-discarded"
  | "wish-set"
  | "drew-hidden"
  | "reshuffled-hidden"
  | "claim-shown"
  | "hand-discard-shown"
  | "gift-shown"
  | "gift-taken-shown"
  | "bonus-discard-shown"
  | "bonus-refill-shown"
  | "bonus-reshuffle-shown"
  | "options-chosen"
  | "paused"
  | "resumed"
  | "last-call-began"
  | "abandoned"
  | "rematch-made";

/** All other events: which of their parameters are not the usual ones. */
export const SENTENCES: { readonly [Tag in Exclude<ShownEvent["event"], Silent | Plain>]: SentenceEntry } = {
  "turn-began": { params: { beans: ["beans","leftovers"], count: ["length","leftovers"] } },
  "turned-over": { params: { count: ["length","beans"] } },
  swept: { params: { count: ["length","beans"] } },
  drew: { params: { count: ["length","beans"] } },
  "game-ended": { params: { count: ["length","result.winners"] } },
  harvested: { params: { beans: ["beans","coins+discards"] } },
  "field-bought": { params: { count: ["price","coins","tokens"], to: ["word","to"] } },
  "offer-made": { params: { you: ["is-you","offer.maker"], player: ["name","offer.maker"], offer: ["number","offer.id"] } },
  "offer-edited": { params: { you: ["is-you","offer.maker"], player: ["name","offer.maker"], offer: ["number","offer.id"] } },
  "rest-left": { params: { count: ["length","beans"] } },
  "bluff-paid": { params: { you: ["is-you","giver"], player: ["name","giver"] } },
  "bonus-refilled": { params: { count: ["length","cards"] } },
  "promise-made": { params: { you: ["is-you","promise.player"], player: ["name","promise.player"], kind: ["deal-kind","promise.give","promise.get"], gives: ["beans","promise.give"], wants: ["beans","promise.get"], to: ["called","promise.to"] } },
  "promise-withdrawn": { params: { promise: ["number","promise"] } },
  "dealt-shown": { params: { you: ["is-you","starter"], player: ["name","starter"] } },
  "offer-shown": { params: { you: ["is-you","offer.maker"], player: ["name","offer.maker"], offer: ["number","offer.id"] } },
  "traded-shown": { params: { you: ["is-you","giver"], player: ["name","giver"], kind: ["deal-kind","gives","takes"], gives: ["beans","gives"], wants: ["beans","takes"] }, sides: [{ seat: "maker", gave: "maker_hand+maker_face_up" }, { seat: "partner", gave: "partner_hand+partner_face_up" }] },
  "bluff-paid-shown": { params: { you: ["is-you","giver"], player: ["name","giver"] } },
  sat: { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  stood: { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  "bot-seated": { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  kicked: { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  "host-passed": { params: { you: ["is-user","user"], player: ["user-name","user"] }, needs: "user" },
  "handed-over": { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  "taken-back": { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  "clock-missed": { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  "choice-called": { params: { you: ["is-user","user"], player: ["user-name","user"] } },
  "done-given": { params: { you: ["is-you","seat"], player: ["name","seat"] } },
  "done-taken-back": { params: { you: ["is-you","seat"], player: ["name","seat"] } },
};

/** The parameters of what computer players say. */
export const REMARK: Parameters = { bean: ["bean","bean"], beans: ["some","bean","count"], coins: ["number","coins"], count: ["number","count"] };
