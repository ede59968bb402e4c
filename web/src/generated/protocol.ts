/* eslint-disable */
/**
 * The protocol between page and server, version 1: see docs/protocol.md.
 *
 * Written by `python -m bohn.protocol.typescript`; change the Python types, not this file.
 * Fields marked `?` may be left out by whoever sends them; what has no mark is always there.
 * All times are in ms since 1970.
 */

export const PROTOCOL = 1;

export type AccountsState = "offered" | "no-relying-party" | "not-installed";

export type Cause = "player" | "bot" | "clock" | "host" | "order" | "ahead" | "forced";

export type ClockName = "none" | "slow" | "fast" | "4h" | "8h" | "12h" | "24h" | "48h";

export type Due = "this-turn" | "next-turn" | "some-time";

export type Mark = "want" | "spare" | "keep" | "none";

export type SanctionKind = "mute" | "suspend" | "ban";

export type Scope = "read" | "play";

export type Status = "open" | "playing" | "finished" | "abandoned";

/** Why a command is refused; the code is also the translation key `reason.<code>`. */
export type Reason =
  | "not-in-this-phase"
  | "game-over"
  | "unknown-player"
  | "not-active-player"
  | "no-such-field"
  | "no-such-place"
  | "hand-changed"
  | "same-card-twice"
  | "unknown-bean"
  | "hand-empty"
  | "must-plant-first"
  | "two-planted-already"
  | "does-not-fit"
  | "must-join"
  | "field-empty"
  | "single-bean-protected"
  | "own-turn-only"
  | "no-field-for-sale"
  | "field-limit"
  | "not-enough-coins"
  | "wrong-payment"
  | "nothing-for-nothing"
  | "unknown-addressee"
  | "active-player-missing"
  | "face-up-not-yours"
  | "too-many-offers"
  | "want-too-many"
  | "no-such-offer"
  | "old-revision"
  | "not-addressed"
  | "not-your-offer"
  | "offer-is-open"
  | "offer-is-direct"
  | "wrong-copies"
  | "already-claimed"
  | "no-such-claim"
  | "already-declined"
  | "already-passed"
  | "active-player-closes"
  | "all-must-pass"
  | "discard-before-planting"
  | "not-your-word"
  | "kind-named-already"
  | "cannot-refuse-last-kind"
  | "nothing-named"
  | "no-gift-to-plant"
  | "rest-must-be-planted"
  | "no-such-bonus"
  | "pattern-never-stood"
  | "bonus-already-decided"
  | "wish-unchanged"
  | "promise-empty"
  | "too-many-promises"
  | "no-such-promise";

/** Why the server refuses; the code is also the translation key `problem.<code>`. */
export type Problem =
  | "not-json"
  | "not-understood"
  | "too-large"
  | "too-deep"
  | "command-id-reused"
  | "not-found"
  | "method-not-allowed"
  | "no-guest"
  | "foreign-origin"
  | "scope-missing"
  | "name-not-allowed"
  | "language-unknown"
  | "link-not-valid"
  | "muted"
  | "suspended"
  | "banned"
  | "signed-in-already"
  | "text-not-allowed"
  | "no-accounts"
  | "no-account"
  | "handle-not-allowed"
  | "handle-mixed"
  | "handle-taken"
  | "passkey-not-valid"
  | "last-passkey"
  | "code-not-valid"
  | "confirm-first"
  | "channel-not-offered"
  | "channel-not-valid"
  | "zone-unknown"
  | "rate-limited"
  | "too-slow"
  | "server-full"
  | "server-stopping"
  | "too-many"
  | "not-saved"
  | "internal"
  | "no-such-table"
  | "options-not-valid"
  | "not-your-seat"
  | "not-seated"
  | "no-such-seat"
  | "seat-taken"
  | "seated-already"
  | "seat-empty"
  | "seats-empty"
  | "not-host"
  | "unknown-bot"
  | "already-started"
  | "not-started"
  | "not-finished"
  | "table-over"
  | "table-paused"
  | "not-paused"
  | "salt-not-valid"
  | "not-handed-over"
  | "has-clock"
  | "not-quiet"
  | "not-waited-for"
  | "called-already"
  | "rematch-made"
  | "no-spectators"
  | "sent-away"
  | "no-seat-for-you"
  | "removed"
  | "not-over-days"
  | "order-not-valid"
  | "hours-not-valid"
  | "holiday-not-valid"
  | "holidays-used"
  | "not-invitable"
  | "no-profile"
  | "no-operator"
  | "no-such-user"
  | "own-self"
  | "everybodys-address"
  | "out-of-range"
  | "no-such-record"
  | "record-not-valid";

/**
 * A variety of bean; the variety is the card's whole identity (BEAN-1).
 *
 * The order is that of the printed counts, so the next higher number of the
 * planting ladder (DD-3) is the next member.
 */
export const Bean = {
  COCOA: 0,
  GARDEN: 1,
  RED: 2,
  BLACK_EYED: 3,
  SOY: 4,
  GREEN: 5,
  STINK: 6,
  CHILI: 7,
  BLUE: 8,
  WAX: 9,
  COFFEE: 10,
} as const;
export type Bean = (typeof Bean)[keyof typeof Bean];

/** A bonus card: the run lengths of its pattern, oldest bean first, and its pennies (DD-16). */
export interface BonusCard {
  readonly runs: readonly number[];
  readonly pennies: number;
}

/** What one seat has beyond what the edition gives: coins, and cards in its first hand (HOUSE-7). */
export interface HeadStart {
  readonly seat: number;
  readonly coins: number;
  readonly cards: number;
}

/**
 * Everything that distinguishes one game from another.
 *
 * `deck` counts the cards in play and `boxed` those put away, both by bean;
 * `deal` gives the hand sizes in cards, by turn order: clockwise from the starter, not by seat. Prices
 * and pay-outs are in coins. Policies are named here and looked up in `policies`.
 * `head_starts` is unset where nobody has one: rules are written as they were before there were any.
 */
export interface Rules {
  readonly edition: string;
  readonly players: number;
  readonly game: string;
  readonly deck: readonly number[];
  readonly boxed: readonly number[];
  readonly beanometers: readonly (readonly (readonly [number, number])[])[];
  readonly deal: readonly number[];
  readonly fields: number;
  readonly max_fields: number;
  readonly field_price: number;
  readonly reveal: number;
  readonly draw: number;
  readonly exhaustions: number;
  readonly house_rules: readonly string[];
  readonly starting_coins: number;
  readonly offers_a_maker: number;
  readonly promises_a_player: number;
  readonly starter: string;
  readonly reshuffle: "eager" | "when_needed";
  readonly singles: "all_single" | "while_another_has_two";
  readonly same_kind: "may_split" | "must_join" | "next_higher";
  readonly harvest: "any_time" | "own_turn";
  readonly closing: "active" | "unanimous";
  readonly payment: "chosen" | "topmost";
  readonly coins_to: "box" | "discard";
  readonly end: "after_planting" | "at_once" | "plant_first";
  readonly tie: "most_hand_cards" | "shared";
  readonly match: "contiguous_part" | "whole_field";
  readonly rest: "may_discard" | "must_plant";
  readonly bluff: "continues" | "ends";
  readonly trading: "also" | "no";
  readonly bonus_cards: readonly BonusCard[];
  readonly bonus_hand: number;
  readonly head_starts?: readonly HeadStart[];
}

/** One particular card: its place (0 is the front of the hand) and its bean. */
export type Copy = readonly [place: number, bean: Bean];

/** A player's wish to be picked for an open offer, with the copies he would give (OFFER-4). */
export interface StandingClaim {
  readonly player: number;
  readonly hand: readonly Copy[];
}

/**
 * A standing offer; one side is always the active player (OFFER-1, OFFER-2).
 *
 * `hand` and `face_up` are the maker's cards, `want` the kinds he asks
 * for, sorted. `open` offers collect `claims`; direct ones are executed by the
 * first acceptance. `declined` lists who said no to this revision.
 */
export interface Offer {
  readonly id: number;
  readonly revision: number;
  readonly maker: number;
  readonly to: readonly number[];
  readonly hand: readonly Copy[];
  readonly face_up: readonly Copy[];
  readonly want: readonly Bean[];
  readonly open: boolean;
  readonly claims: readonly StandingClaim[];
  readonly declined: readonly number[];
}

/** Phase 1: beans planted from the hand so far (PLANT-1..PLANT-6). */
export interface PlantPhase {
  readonly phase: "plant";
  readonly planted: number;
}

/** Between the planting and the turning over; `face_up` fills during the batch (REVEAL-1). */
export interface RevealPhase {
  readonly phase: "reveal";
  readonly face_up: readonly Bean[];
}

/** Phase 3: everybody plants what he has set aside (SETASIDE-1..SETASIDE-4). */
export interface PlantTradedPhase {
  readonly phase: "plant-traded";
}

/** Bean duel: the beans that the opponent left, to be planted or discarded (DUEL-5). */
export interface LeftoversPhase {
  readonly phase: "leftovers";
  readonly leftovers: readonly Bean[];
}

/** Bean duel: revealed and swept beans, planted or left (DUEL-10). */
export interface FaceUpPhase {
  readonly phase: "plant-face-up";
  readonly face_up: readonly Bean[];
}

/** Das Duell: the receiver plants the gift, the active player the rest (DD-9, DD-12). */
export interface PlantGiftPhase {
  readonly phase: "plant-gift";
  readonly face_up: readonly Bean[];
  readonly gift: readonly Bean[];
  readonly receiver: number;
  readonly planted: number;
}

/** Das Duell: who still may discard a bonus card, then who may still refill, in order (DD-17). */
export interface BonusPhase {
  readonly phase: "bonus";
  readonly discarding: readonly number[];
  readonly refilling: readonly number[];
}

/** The end of a game: by player, coins, pennies of bonus cards, hand cards; and the winners. */
export interface Result {
  readonly coins: readonly number[];
  readonly pennies: readonly number[];
  readonly hand_cards: readonly number[];
  readonly winners: readonly number[];
}

/** The game is over (END-1); `unscored` are revealed beans that nobody planted (END-4). */
export interface EndPhase {
  readonly phase: "end";
  readonly result: Result;
  readonly unscored: readonly Bean[];
}

/**
 * What one player says he wants, can spare, and keeps and is not to be asked for (TALK-1).
 *
 * `keep` is unset while there is nothing, so that states are written as they were before it could be said.
 */
export interface Wishes {
  readonly want: readonly Bean[];
  readonly spare: readonly Bean[];
  readonly keep?: readonly Bean[];
}

/** A public note between two seats: what one will give and hopes to get, and when (TALK-2). */
export interface PromiseNote {
  readonly id: number;
  readonly player: number;
  readonly to: number;
  readonly give: readonly Bean[];
  readonly get: readonly Bean[];
  readonly due: Due;
}

/** Wishes by player, and promises; no rule reads it (TALK-3). */
export interface Talk {
  readonly wishes: readonly Wishes[];
  readonly promises: readonly PromiseNote[];
  readonly next_promise: number;
}

/** Harvest and sell one whole own field (HARVEST-1..HARVEST-7). */
export interface Harvest {
  readonly do: "harvest";
  readonly player: number;
  readonly field: number;
}

/** Buy the third field; `coins` names the beans paid where the payer chooses (BUY-1..BUY-7). */
export interface BuyField {
  readonly do: "buy-field";
  readonly player: number;
  readonly coins: readonly Bean[];
}

/** Plant the front hand card on a field (PLANT-1..PLANT-6). */
export interface Plant {
  readonly do: "plant";
  readonly player: number;
  readonly field: number;
}

/** End the planting and turn beans over (TURN-3, REVEAL-1). */
export interface Reveal {
  readonly do: "reveal";
  readonly player: number;
}

/** Propose a trade, an ask or a gift (OFFER-1, OFFER-2). */
export interface MakeOffer {
  readonly do: "make-offer";
  readonly player: number;
  readonly to: readonly number[];
  readonly hand: readonly Copy[];
  readonly face_up: readonly Copy[];
  readonly want: readonly Bean[];
  readonly open: boolean;
  readonly hand_revision: number;
}

/** Replace an own offer by a new revision (OFFER-6). */
export interface EditOffer {
  readonly do: "edit-offer";
  readonly player: number;
  readonly offer: number;
  readonly revision: number;
  readonly to: readonly number[];
  readonly hand: readonly Copy[];
  readonly face_up: readonly Copy[];
  readonly want: readonly Bean[];
  readonly open: boolean;
  readonly hand_revision: number;
}

/** Take an own offer back (OFFER-7). */
export interface WithdrawOffer {
  readonly do: "withdraw-offer";
  readonly player: number;
  readonly offer: number;
}

/** Accept a direct offer, naming the copies that leave (OFFER-3, OFFER-12). */
export interface AcceptOffer {
  readonly do: "accept-offer";
  readonly player: number;
  readonly offer: number;
  readonly revision: number;
  readonly hand: readonly Copy[];
  readonly face_up: readonly Copy[];
  readonly hand_revision: number;
}

/** Ask to be picked for an open offer; locks nothing (OFFER-4). */
export interface Claim {
  readonly do: "claim";
  readonly player: number;
  readonly offer: number;
  readonly revision: number;
  readonly hand: readonly Copy[];
  readonly hand_revision: number;
}

/** Execute an own open offer with one claimer (OFFER-5). */
export interface PickClaimer {
  readonly do: "pick";
  readonly player: number;
  readonly offer: number;
  readonly revision: number;
  readonly claimer: number;
}

/** Say no to this revision of an offer, or take a claim back (OFFER-8, OFFER-4). */
export interface DeclineOffer {
  readonly do: "decline-offer";
  readonly player: number;
  readonly offer: number;
  readonly revision: number;
}

/** The active player ends the trading (TRADE-11). */
export interface EndTrading {
  readonly do: "end-trading";
  readonly player: number;
}

/** Want no more trade (TRADE-12); in Das Duell's last phase: no bonus card now (DD-17). */
export interface Pass {
  readonly do: "pass";
  readonly player: number;
}

/** Plant one set-aside bean, by its place among them (SETASIDE-1..SETASIDE-4). */
export interface PlantSetAside {
  readonly do: "plant-set-aside";
  readonly player: number;
  readonly place: number;
  readonly field: number;
}

/** Plant one leftover of the opponent (DUEL-5). */
export interface PlantLeftover {
  readonly do: "plant-leftover";
  readonly player: number;
  readonly place: number;
  readonly field: number;
}

/** Discard one leftover (DUEL-5); in Das Duell, by house rule, a revealed bean (DD-23). */
export interface DiscardLeftover {
  readonly do: "discard-leftover";
  readonly player: number;
  readonly place: number;
}

/** Discard one card from anywhere in the hand, which ends the planting (DUEL-7). */
export interface DiscardFromHand {
  readonly do: "discard-from-hand";
  readonly player: number;
  readonly copy: Copy;
  readonly hand_revision: number;
}

/** End the planting without discarding (DUEL-7). */
export interface KeepHand {
  readonly do: "keep-hand";
  readonly player: number;
}

/** Plant one face-up bean (DUEL-10, DD-12). */
export interface PlantFaceUp {
  readonly do: "plant-face-up";
  readonly player: number;
  readonly place: number;
  readonly field: number;
}

/** Leave what is still face up to the opponent (DUEL-10). */
export interface LeaveRest {
  readonly do: "leave-rest";
  readonly player: number;
}

/** Name the kind one would give; `hand` prefers a hand copy over a face-up one (DD-6, DD-7). */
export interface NameGift {
  readonly do: "name-gift";
  readonly player: number;
  readonly bean: Bean;
  readonly hand: readonly Copy[];
  readonly hand_revision: number;
}

/** Take what was named last, which calls a bluff (DD-7, DD-10). */
export interface TakeGift {
  readonly do: "take-gift";
  readonly player: number;
}

/** Plant the gift one has received (DD-9). */
export interface PlantGift {
  readonly do: "plant-gift";
  readonly player: number;
  readonly field: number;
}

/** Claim an own bonus card whose pattern stood (DD-14, DD-15). */
export interface ClaimBonus {
  readonly do: "claim-bonus";
  readonly player: number;
  readonly bonus: number;
}

/** Discard one bonus card (DD-17). */
export interface DiscardBonus {
  readonly do: "discard-bonus";
  readonly player: number;
  readonly bonus: number;
}

/** Draw bonus cards up to the limit of the hand (DD-17). */
export interface RefillBonus {
  readonly do: "refill-bonus";
  readonly player: number;
}

/** Mark a kind as wanted, to spare, to keep, or as none of these (TALK-1). */
export interface SetWish {
  readonly do: "set-wish";
  readonly player: number;
  readonly bean: Bean;
  readonly mark: Mark;
}

/** Make a public promise to another seat (TALK-2). */
export interface MakePromise {
  readonly do: "make-promise";
  readonly player: number;
  readonly to: number;
  readonly give: readonly Bean[];
  readonly get: readonly Bean[];
  readonly due: Due;
}

/** Withdraw an own promise (TALK-2). */
export interface WithdrawPromise {
  readonly do: "withdraw-promise";
  readonly player: number;
  readonly promise: number;
}

/** A player's turn began, with what the opponent left him, if anything (TURN-1, DUEL-5). */
export interface TurnBegan {
  readonly event: "turn-began";
  readonly player: number;
  readonly leftovers: readonly Bean[];
}

/** Beans from the top of the draw pile were laid face up, in this order (REVEAL-1). */
export interface TurnedOver {
  readonly event: "turned-over";
  readonly player: number;
  readonly beans: readonly Bean[];
}

/** Matching beans from the top of the discard pile joined the face-up ones (DUEL-9). */
export interface Swept {
  readonly event: "swept";
  readonly player: number;
  readonly beans: readonly Bean[];
}

/** Phase 2 began (TURN-1). */
export interface TradingBegan {
  readonly event: "trading-began";
  readonly player: number;
}

/** Bean duel: the active player may plant what lies face up (DUEL-10). */
export interface FaceUpBegan {
  readonly event: "face-up-began";
  readonly player: number;
}

/** Das Duell: the haggling over a gift began (DD-6). */
export interface HagglingBegan {
  readonly event: "haggling-began";
  readonly player: number;
}

/** Beans were drawn one by one to the back of the hand (DRAW-1). */
export interface Drew {
  readonly event: "drew";
  readonly player: number;
  readonly beans: readonly Bean[];
}

/** The draw pile ran out for the `count`-th time (END-5, DRAW-3). */
export interface Exhausted {
  readonly event: "exhausted";
  readonly count: number;
}

/** The game is over (END-1..END-5). */
export interface GameEnded {
  readonly event: "game-ended";
  readonly result: Result;
}

/** The front hand card was planted (PLANT-1). */
export interface Planted {
  readonly event: "planted";
  readonly player: number;
  readonly field: number;
  readonly bean: Bean;
}

/** A set-aside bean was planted (SETASIDE-1). */
export interface SetAsidePlanted {
  readonly event: "set-aside-planted";
  readonly player: number;
  readonly place: number;
  readonly field: number;
  readonly bean: Bean;
}

/** A whole field was sold: which beans became coins, which were discarded (HARVEST-3). */
export interface Harvested {
  readonly event: "harvested";
  readonly player: number;
  readonly field: number;
  readonly coins: readonly Bean[];
  readonly discards: readonly Bean[];
}

/**
 * A field was bought; the coins, newest first, went to the discard pile or the box (BUY-3).
 *
 * `tokens` counts the coins of a head start among the price, which went out of the game (HOUSE-7).
 */
export interface FieldBought {
  readonly event: "field-bought";
  readonly player: number;
  readonly coins: readonly Bean[];
  readonly to: "box" | "discard";
  readonly tokens?: number;
}

/** A new offer stands (OFFER-1). */
export interface OfferMade {
  readonly event: "offer-made";
  readonly offer: Offer;
}

/** An offer has a new revision and no claims (OFFER-6). */
export interface OfferEdited {
  readonly event: "offer-edited";
  readonly offer: Offer;
}

/** The maker took an offer back (OFFER-7). */
export interface OfferWithdrawn {
  readonly event: "offer-withdrawn";
  readonly offer: number;
}

/** An addressee said no; only he and the maker know (OFFER-8). */
export interface OfferDeclined {
  readonly event: "offer-declined";
  readonly offer: number;
  readonly revision: number;
  readonly maker: number;
  readonly player: number;
}

/** A player asks to be picked; only he knows his copies (OFFER-4). */
export interface OfferClaimed {
  readonly event: "offer-claimed";
  readonly offer: number;
  readonly revision: number;
  readonly player: number;
  readonly hand: readonly Copy[];
}

/** A claim was taken back (OFFER-4). */
export interface ClaimWithdrawn {
  readonly event: "claim-withdrawn";
  readonly offer: number;
  readonly player: number;
}

/** A claim fell because one of its copies has moved (OFFER-10). */
export interface ClaimVoided {
  readonly event: "claim-voided";
  readonly offer: number;
  readonly player: number;
}

/** An offer fell because a card its maker named has moved (OFFER-9). */
export interface OfferVoided {
  readonly event: "offer-voided";
  readonly offer: number;
}

/** A player wants no more: trade (TRADE-12) or bonus cards (DD-17). */
export interface Passed {
  readonly event: "passed";
  readonly player: number;
}

/** Phase 2 is over; what is still face up is set aside by the active player (OFFER-13). */
export interface TradingClosed {
  readonly event: "trading-closed";
  readonly player: number;
}

/** A leftover was planted (DUEL-5). */
export interface LeftoverPlanted {
  readonly event: "leftover-planted";
  readonly player: number;
  readonly place: number;
  readonly field: number;
  readonly bean: Bean;
}

/** A leftover was discarded (DUEL-5); in Das Duell a revealed bean (DD-23). */
export interface LeftoverDiscarded {
  readonly event: "leftover-discarded";
  readonly player: number;
  readonly place: number;
  readonly bean: Bean;
}

/** No leftover remains: the planting from the hand begins (DUEL-6). */
export interface LeftoversDone {
  readonly event: "leftovers-done";
  readonly player: number;
}

/** A card from anywhere in the hand was discarded; the planting is over (DUEL-7). */
export interface HandDiscarded {
  readonly event: "hand-discarded";
  readonly player: number;
  readonly place: number;
  readonly bean: Bean;
}

/** The planting is over without a discard (DUEL-7). */
export interface HandKept {
  readonly event: "hand-kept";
  readonly player: number;
}

/** A face-up bean was planted (DUEL-10, DD-12). */
export interface FaceUpPlanted {
  readonly event: "face-up-planted";
  readonly player: number;
  readonly place: number;
  readonly field: number;
  readonly bean: Bean;
}

/** What was still face up is left to the opponent (DUEL-10). */
export interface RestLeft {
  readonly event: "rest-left";
  readonly player: number;
  readonly beans: readonly Bean[];
}

/** A kind was named; only the namer knows the copy he prefers (DD-6, DD-7). */
export interface GiftNamed {
  readonly event: "gift-named";
  readonly player: number;
  readonly bean: Bean;
  readonly hand: readonly Copy[];
}

/** The named bean was delivered, from the face-up ones or from the giver's hand (DD-9). */
export interface GiftTaken {
  readonly event: "gift-taken";
  readonly player: number;
  readonly giver: number;
  readonly bean: Bean;
  readonly source: "face-up" | "hand";
  readonly place: number;
}

/** The namer had nothing to give (DD-10). */
export interface BluffCaught {
  readonly event: "bluff-caught";
  readonly player: number;
  readonly giver: number;
  readonly bean: Bean;
}

/**
 * What a caught bluff cost (DD-10, DD-11).
 *
 * `bonus` is empty or one bonus card: claimed, from the hand into the other's hand, or
 * from the hand onto the bonus discards if the other's hand is full.
 */
export interface BluffPaid {
  readonly event: "bluff-paid";
  readonly giver: number;
  readonly player: number;
  readonly coin: "" | "face-down" | "token" | "treasury";
  readonly bonus: readonly number[];
  readonly from_hand: boolean;
  readonly discarded: boolean;
}

/** The haggling is over; gift and revealed beans are planted next (DD-12). */
export interface HagglingClosed {
  readonly event: "haggling-closed";
  readonly player: number;
}

/** The receiver planted the gift (DD-9). */
export interface GiftPlanted {
  readonly event: "gift-planted";
  readonly player: number;
  readonly field: number;
  readonly bean: Bean;
}

/** Bonus cards may be discarded and refilled by these players, in this order (DD-17). */
export interface BonusBegan {
  readonly event: "bonus-began";
  readonly discarding: readonly number[];
  readonly refilling: readonly number[];
}

/** The pattern of a bonus card in hand stands this turn; only its owner knows (DD-15). */
export interface BonusStood {
  readonly event: "bonus-stood";
  readonly player: number;
  readonly bonus: number;
}

/** A bonus card was claimed (DD-14). */
export interface BonusClaimed {
  readonly event: "bonus-claimed";
  readonly player: number;
  readonly bonus: number;
}

/** A bonus card was laid face down on the bonus discards; only its owner knows which (DD-17). */
export interface BonusDiscarded {
  readonly event: "bonus-discarded";
  readonly player: number;
  readonly bonus: number;
}

/** Bonus cards were drawn; only the player knows which (DD-17). */
export interface BonusRefilled {
  readonly event: "bonus-refilled";
  readonly player: number;
  readonly cards: readonly number[];
}

/** A player marked a kind (TALK-1). */
export interface WishSet {
  readonly event: "wish-set";
  readonly player: number;
  readonly bean: Bean;
  readonly mark: Mark;
}

/** A promise was given (TALK-2). */
export interface PromiseMade {
  readonly event: "promise-made";
  readonly promise: PromiseNote;
}

/** A promise was taken back (TALK-2). */
export interface PromiseWithdrawn {
  readonly event: "promise-withdrawn";
  readonly promise: number;
}

/**
 * What a player's offers may be made of, from what he may see (OFFER-1, OFFER-2).
 *
 * Every combination of `hand` and `face_up` copies for any of the `kinds`, to any of
 * `partners`; `slots` more offers may be open at once.
 */
export interface OfferSpace {
  readonly partners: readonly number[];
  readonly hand: readonly Copy[];
  readonly face_up: readonly Copy[];
  readonly kinds: readonly Bean[];
  readonly hand_revision: number;
  readonly slots: number;
  readonly may_be_open: boolean;
}

/**
 * A step of a turn: the phase it belongs to, the command that stands for it, and its clause.
 *
 * The step of a phase is the first one that names it: what ends a phase may be a step of its own.
 */
export interface Step {
  readonly name: "bonus" | "gift" | "leftovers" | "lies" | "plant" | "plant-gift" | "plant-traded" | "trade" | "turn-over";
  readonly phase: string;
  readonly command: string;
  readonly clause: string;
}

/**
 * What everybody sees of a player.
 *
 * `coins` counts all coins; `treasury` shows the beans of those that were seen when
 * they were earned, newest last. `fields` oldest bean first. Bonus cards: how many in hand, which claimed.
 * `tokens` are the coins of a head start that are left; unset without any.
 */
export interface PlayerView {
  readonly hand_size: number;
  readonly fields: readonly (readonly Bean[])[];
  readonly coins: number;
  readonly treasury: readonly Bean[];
  readonly set_aside: readonly Bean[];
  readonly bonus_hand: number;
  readonly bonus_claimed: readonly number[];
  readonly tokens?: number;
}

/** What everybody sees of an offer: kinds from the hand (sorted), not places (OFFER-1). */
export interface OfferView {
  readonly id: number;
  readonly revision: number;
  readonly maker: number;
  readonly to: readonly number[];
  readonly hand: readonly Bean[];
  readonly face_up: readonly Copy[];
  readonly want: readonly Bean[];
  readonly open: boolean;
  readonly claimers: readonly number[];
}

/** What only the maker knows of his offer: which cards he named, and which seats declined (OFFER-8). */
export interface OwnOffer {
  readonly id: number;
  readonly hand: readonly Copy[];
  readonly declined: readonly number[];
}

/** What only the claimer knows of his claim: which cards he named (OFFER-4). */
export interface OwnClaim {
  readonly offer: number;
  readonly hand: readonly Copy[];
}

/**
 * What only the owner sees: his hand, front first, and the places in his offers and claims.
 *
 * `bonus` are his bonus cards in hand, `claimable` those he may claim now; `refused` the offers he
 * has declined; `gifts` the hand copies he prefers for the kinds he has named.
 */
export interface OwnHand {
  readonly hand: readonly Bean[];
  readonly hand_revision: number;
  readonly offers: readonly OwnOffer[];
  readonly claims: readonly OwnClaim[];
  readonly refused: readonly number[];
  readonly bonus: readonly number[];
  readonly claimable: readonly number[];
  readonly gifts: readonly (readonly Copy[])[];
}

/** Phase 2 as everybody sees it. */
export interface TradeView {
  readonly phase: "trade";
  readonly face_up: readonly Bean[];
  readonly offers: readonly OfferView[];
  readonly passes: readonly number[];
}

/** The haggling over a gift as everybody sees it: who named which kind, and who is to speak. */
export interface GiftView {
  readonly phase: "gift";
  readonly face_up: readonly Bean[];
  readonly named: readonly (readonly [number, Bean])[];
  readonly word: number;
  readonly open: boolean;
}

/**
 * A game as one seat sees it; `viewer` and `own` are `null` for a spectator.
 *
 * Both piles are numbers of cards; `discard_top` is empty or has the top discard. The
 * box is what lies out of play, by bean. `steps` are those of every turn, in their order, and `waiting`
 * the seats the game waits for, in the order of play. `totals` are the coins and pennies that coins and
 * claimed bonus cards make together, by seat; nothing in games without bonus cards.
 */
export interface View {
  readonly rules: Rules;
  readonly viewer: number | null;
  readonly own: OwnHand | null;
  readonly players: readonly PlayerView[];
  readonly active_player: number;
  readonly phase: PhaseView;
  readonly draw_pile: number;
  readonly discard_pile: number;
  readonly discard_top: readonly Bean[];
  readonly exhaustions: number;
  readonly turn: number;
  readonly starter: number;
  readonly talk: Talk;
  readonly box: readonly Bean[];
  readonly bonus_piles: readonly [number, number];
  readonly steps: readonly Step[];
  readonly waiting: readonly number[];
  readonly totals: readonly (readonly [number, number])[];
}

/** One field before and after: "red field 3 -> 4 (3 coins)"; `coins` as if sold then. */
export interface FieldPreview {
  readonly field: number;
  readonly bean: Bean;
  readonly beans_before: number;
  readonly beans_after: number;
  readonly coins_before: number;
  readonly coins_after: number;
}

/** What the viewer would give and get, and the fields that would grow; `homeless` beans fit none. */
export interface Preview {
  readonly give: readonly Bean[];
  readonly get: readonly Bean[];
  readonly fields: readonly FieldPreview[];
  readonly homeless: readonly Bean[];
}

/**
 * The viewer's copies of what an offer asks for, as many as he has, first given first (OFFER-12).
 *
 * `choice` is true if other copies could be given instead.
 */
export interface Answer {
  readonly hand: readonly Copy[];
  readonly face_up: readonly Copy[];
  readonly choice: boolean;
}

/** One card with which a named kind could be delivered; `hand` is how `name-gift` names it (DD-6). */
export interface Way {
  readonly source: "face-up" | "hand";
  readonly place: number;
  readonly hand: readonly Copy[];
}

/** The ways to deliver one kind, the default one first; naming a kind without any is a bluff (DD-9). */
export interface GiftWays {
  readonly bean: Bean;
  readonly ways: readonly Way[];
}

/**
 * What a field would earn if it were harvested as it is now, and what may be planted on it.
 *
 * `bean` prices it, and `steps` is the beanometer of that bean: pairs of beans and the coins they earn.
 * Of the beans of the field `coins` become coins and `discards` are discarded. With `more` further
 * beans it would earn `next_coins`; `more` is 0 where no further step exists. `fits` are
 * the kinds that may come next, where that may be another than its own (DD-3); elsewhere it is empty.
 */
export interface FieldWorth {
  readonly bean: Bean;
  readonly coins: number;
  readonly discards: number;
  readonly more: number;
  readonly next_coins: number;
  readonly steps: readonly (readonly [number, number])[];
  readonly fits?: readonly Bean[];
}

/** The deal: sizes for everybody, one's own hand and bonus cards; `tokens` as in `Dealt`. */
export interface DealtShown {
  readonly event: "dealt-shown";
  readonly starter: number;
  readonly fields: number;
  readonly hand: readonly Bean[];
  readonly bonus_hand: readonly number[];
  readonly hand_sizes: readonly number[];
  readonly coins: readonly number[];
  readonly draw_pile: number;
  readonly box: readonly Bean[];
  readonly tokens?: readonly number[];
}

/** Somebody else drew `count` cards. */
export interface DrewHidden {
  readonly event: "drew-hidden";
  readonly player: number;
  readonly count: number;
}

/** The discard pile became a draw pile of `count` cards. */
export interface ReshuffledHidden {
  readonly event: "reshuffled-hidden";
  readonly count: number;
}

/** An offer of somebody else stands; `edited` is true for a new revision. */
export interface OfferShown {
  readonly event: "offer-shown";
  readonly offer: OfferView;
  readonly edited: boolean;
}

/** Somebody else asks to be picked. */
export interface ClaimShown {
  readonly event: "claim-shown";
  readonly offer: number;
  readonly revision: number;
  readonly player: number;
}

/** An exchange: kinds that left hands (sorted), face-up copies, and one's own copies that left. */
export interface TradedShown {
  readonly event: "traded-shown";
  readonly offer: number;
  readonly maker: number;
  readonly partner: number;
  readonly maker_hand: readonly Bean[];
  readonly maker_face_up: readonly Copy[];
  readonly partner_hand: readonly Bean[];
  readonly partner_face_up: readonly Copy[];
  readonly own: readonly Copy[];
}

/** Somebody else discarded a hand card. */
export interface HandDiscardShown {
  readonly event: "hand-discard-shown";
  readonly player: number;
  readonly bean: Bean;
}

/** Somebody else named a kind. */
export interface GiftShown {
  readonly event: "gift-shown";
  readonly player: number;
  readonly bean: Bean;
}

/** Somebody else's hand card was given. */
export interface GiftTakenShown {
  readonly event: "gift-taken-shown";
  readonly player: number;
  readonly giver: number;
  readonly bean: Bean;
  readonly source: "face-up" | "hand";
}

/** A caught bluff was paid with a bonus card one may not see. */
export interface BluffPaidShown {
  readonly event: "bluff-paid-shown";
  readonly giver: number;
  readonly player: number;
}

/** Somebody else discarded a bonus card. */
export interface BonusDiscardShown {
  readonly event: "bonus-discard-shown";
  readonly player: number;
}

/** Somebody else drew `count` bonus cards. */
export interface BonusRefillShown {
  readonly event: "bonus-refill-shown";
  readonly player: number;
  readonly count: number;
}

/** The bonus discards were shuffled under the bonus pile. */
export interface BonusReshuffleShown {
  readonly event: "bonus-reshuffle-shown";
  readonly count: number;
}

/**
 * Playing hours: every day from `begin` to `end`, minutes of the day in a time zone by its name.
 *
 * They may go over midnight. Equal ones are the whole day.
 */
export interface Hours {
  readonly begin: number;
  readonly end: number;
  readonly zone: string;
}

/**
 * What the host chooses before the start.
 *
 * `delay` is that of the spectators, in seconds. `pace` is how long bots take beside people.
 * The clock of a table over days may run in its `hours` only.
 */
export interface Options {
  readonly edition: string;
  readonly players: number;
  readonly house_rules: readonly string[];
  readonly clock: ClockName;
  readonly listed: boolean;
  readonly spectators: boolean;
  readonly delay: number;
  readonly pace: "brisk" | "normal" | "relaxed";
  readonly hours?: Hours;
}

/** Where a game goes on: behind `entry` of a finished `table` or stored `record`, on `seat`. */
export interface Origin {
  readonly entry: number;
  readonly seat: number;
  readonly table: string | null;
  readonly record: string | null;
}

/**
 * One seat: `user` owns it, `bot` plays it; both are set while a bot plays for an absent owner.
 *
 * `since` is when the owner sat down (ms since 1970), `misses` his expired clocks in a row,
 * `salt` his part of the seed in hexadecimal digits. `name` is a bot's own one, where it has one.
 * `handed_over` is when he let the bot play himself (ms since 1970), absent where clocks or host did.
 */
export interface Seat {
  readonly user: string | null;
  readonly bot: string | null;
  readonly since: number;
  readonly misses: number;
  readonly salt: string;
  readonly name: string;
  readonly handed_over?: number;
}

/** The last call of one turn: it ends at `until` (ms since 1970), `announced` unless prolonged. */
export interface LastCall {
  readonly turn: number;
  readonly until: number;
  readonly prolonged: boolean;
  readonly announced: number;
}

/** What checks the deal: the secret and nonce behind the commitment, and the salts by seat, all in hex. */
export interface DealReveal {
  readonly secret: string;
  readonly nonce: string;
  readonly salts: readonly string[];
}

/** A time in which the clocks of somebody stand still, in ms since 1970. */
export interface Holiday {
  readonly begins: number;
  readonly ends: number;
}

/** When the clocks of a seat run: in its `hours`, where there are any, and not in `holidays`. */
export interface PlayingTimes {
  readonly seat: number;
  readonly hours: Hours | null;
  readonly holidays: readonly Holiday[];
}

/**
 * A table beside its game.
 *
 * `commitment` was published when the table was opened (docs/deals.md). `quiet_since` is when
 * the game last moved (ms since 1970), `called` the users who have called for the choice since.
 * `paused_at` is when the pause began, 0 without one. `rematch` is the table that follows. A game that
 * was not dealt here has an `origin` or is a `lesson`: its `commitment` is empty, and nothing is
 * revealed at its end. `word` is that of the operator who has closed the table, `ended_by` who has ended
 * a table that was abandoned. `done` are the seats that pass at the next beat of a table over days, or end
 * the trading; `times` are the playing times of the seats there that have any.
 */
export interface Room {
  readonly id: string;
  readonly options: Options;
  readonly host: string | null;
  readonly seats: readonly Seat[];
  readonly commitment: string;
  readonly opened: number;
  readonly status: Status;
  readonly paused: boolean;
  readonly quiet_since: number;
  readonly called: readonly string[];
  readonly last_call: LastCall | null;
  readonly reveal: DealReveal | null;
  readonly rematch: string | null;
  readonly paused_at: number;
  readonly origin: Origin | null;
  readonly lesson: string | null;
  readonly word: string;
  readonly ended_by: "" | "host" | "left" | "operator" | "server";
  readonly done: readonly number[];
  readonly times?: readonly PlayingTimes[];
}

/**
 * Take a free seat, or any of them if none is named; before the start only.
 *
 * `salt` is the user's part of the seed: up to 32 bytes in hexadecimal digits.
 */
export interface Sit {
  readonly do: "sit";
  readonly seat?: number | null;
  readonly salt?: string;
}

/** Leave the seat: before the start it is free again, afterwards a bot plays on for its owner. */
export interface Stand {
  readonly do: "stand";
}

/** Put in the user's part of the seed, or another one, before the start. */
export interface GiveSalt {
  readonly do: "give-salt";
  readonly salt: string;
}

/** Host: change the table before the start; those for whom no seat is left lose theirs. */
export interface ChooseOptions {
  readonly do: "choose-options";
  readonly options: Options;
}

/** Host: seat a computer player, in another's place too; during the game it plays for an owner. */
export interface SeatBot {
  readonly do: "seat-bot";
  readonly seat: number;
  readonly bot: string;
}

/** Host: free the seat of a bot before the start. */
export interface RemoveBot {
  readonly do: "remove-bot";
  readonly seat: number;
}

/** Host: take a seat from its owner; during the game a bot gets it. */
export interface Kick {
  readonly do: "kick";
  readonly seat: number;
}

/** Host: let the owner of another seat be host. */
export interface PassHost {
  readonly do: "pass-host";
  readonly seat: number;
}

/** Host: deal. `fill` names the bot that takes every free seat. */
export interface Start {
  readonly do: "start";
  readonly fill?: string | null;
}

/** Host: stop the clocks and refuse game commands. */
export interface Pause {
  readonly do: "pause";
}

/** Host: let the game go on. */
export interface Resume {
  readonly do: "resume";
}

/** Host: abandon the table; the deal is revealed. */
export interface EndTable {
  readonly do: "end-table";
}

/** Take the own seat back from the bot that plays there; any game command does it too. */
export interface TakeBack {
  readonly do: "take-back";
}

/** Without clocks, after two minutes of silence: ask that the choice be made for whoever is waited for. */
export interface CallForChoice {
  readonly do: "call-for-choice";
}

/** Open the next table for the same company, once this one is over. */
export interface Rematch {
  readonly do: "rematch";
}

/**
 * Over days: pass at the next beat of the clock, or end the trading where that is one's own to do.
 *
 * It holds for the trading that is on, else for the next one; `done` false takes it back.
 */
export interface BeDone {
  readonly do: "be-done";
  readonly done?: boolean;
}

/**
 * A user opened the table; the commitment is published before anybody sits.
 *
 * It is empty where the game was dealt elsewhere: `origin` or `lesson` tells where.
 */
export interface TableOpened {
  readonly event: "table-opened";
  readonly table: string;
  readonly host: string | null;
  readonly options: Options;
  readonly commitment: string;
  readonly at: number;
  readonly origin: Origin | null;
  readonly lesson: string | null;
}

/** The host changed the table; seats beyond the new number were given up. */
export interface OptionsChosen {
  readonly event: "options-chosen";
  readonly options: Options;
}

/** A user took a free seat, with his part of the seed. */
export interface Sat {
  readonly event: "sat";
  readonly seat: number;
  readonly user: string;
  readonly salt: string;
  readonly at: number;
}

/** A seat is free again, before the start. */
export interface Stood {
  readonly event: "stood";
  readonly seat: number;
}

/** A seat's part of the seed was put in or changed. */
export interface SaltGiven {
  readonly event: "salt-given";
  readonly seat: number;
  readonly salt: string;
}

/** A bot took a free seat, perhaps under a name of its own. */
export interface BotSeated {
  readonly event: "bot-seated";
  readonly seat: number;
  readonly bot: string;
  readonly salt: string;
  readonly name: string;
}

/** A bot's seat is free again. */
export interface BotRemoved {
  readonly event: "bot-removed";
  readonly seat: number;
}

/** A seat was taken from its owner; `bot` plays on, or the seat is free before the start. */
export interface Kicked {
  readonly event: "kicked";
  readonly seat: number;
  readonly bot: string | null;
}

/** Somebody else is host, or nobody. */
export interface HostPassed {
  readonly event: "host-passed";
  readonly user: string | null;
}

/** The seats are closed; the deal follows in the same batch. */
export interface Started {
  readonly event: "started";
}

/** The game is paused since `at` (ms since 1970). */
export interface Paused {
  readonly event: "paused";
  readonly at: number;
}

/** The game goes on since `at` (ms since 1970). */
export interface Resumed {
  readonly event: "resumed";
  readonly at: number;
}

/** A bot plays for the owner of a seat until he returns; `at` (ms since 1970) where he asked for it. */
export interface HandedOver {
  readonly event: "handed-over";
  readonly seat: number;
  readonly bot: string;
  readonly at?: number;
}

/** The owner plays again. */
export interface TakenBack {
  readonly event: "taken-back";
  readonly seat: number;
}

/** A seat's clock expired; the choice was made for it. */
export interface ClockMissed {
  readonly event: "clock-missed";
  readonly seat: number;
}

/** The owner of a seat has moved in time again: no expiry counts any more. */
export interface ClocksKept {
  readonly event: "clocks-kept";
  readonly seat: number;
}

/** A user asked that the choice be made for whoever is waited for. */
export interface ChoiceCalled {
  readonly event: "choice-called";
  readonly user: string;
}

/** The active player wants to end the trading: others may still offer until `until` (ms since 1970). */
export interface LastCallBegan {
  readonly event: "last-call-began";
  readonly turn: number;
  readonly until: number;
}

/** Something happened during the last call: it lasts until `until` (ms since 1970). */
export interface LastCallProlonged {
  readonly event: "last-call-prolonged";
  readonly until: number;
}

/** A seat passes at the next beat, or ends the trading there. */
export interface DoneGiven {
  readonly event: "done-given";
  readonly seat: number;
}

/** A seat does not pass at the next beat after all. */
export interface DoneTakenBack {
  readonly event: "done-taken-back";
  readonly seat: number;
}

/** A beat of a table over days: what is done by order follows in the same transaction. */
export interface OrdersLookedAt {
  readonly event: "orders-looked-at";
  readonly turn: number;
}

/** These are the playing times of all seats of a table over days from now on. */
export interface PlayingTimesSet {
  readonly event: "playing-times-set";
  readonly times: readonly PlayingTimes[];
}

/** The game is over. */
export interface Finished {
  readonly event: "finished";
}

/** The table was given up before the end, by whom `ended_by` says; an operator has a `word`. */
export interface Abandoned {
  readonly event: "abandoned";
  readonly word?: string;
  readonly ended_by?: "" | "host" | "left" | "operator" | "server";
}

/** What checks the deal, published after the end. */
export interface DealRevealed {
  readonly event: "deal-revealed";
  readonly reveal: DealReveal;
}

/** The next table for the same company. */
export interface RematchMade {
  readonly event: "rematch-made";
  readonly table: string;
}

/** Do a command; the same id is done at most once, however often it is sent. */
export interface Send {
  readonly type: "command";
  readonly id: string;
  readonly command: AnyCommand | AnyRoomCommand;
}

/** Ask whether a command would be refused, and why; nothing happens. */
export interface Check {
  readonly type: "check";
  readonly id: string;
  readonly command: AnyCommand;
}

/** Ask what an offer would mean for the fields of its sender; nothing happens. */
export interface Draft {
  readonly type: "draft";
  readonly id: string;
  readonly to: readonly number[];
  readonly hand?: readonly Copy[];
  readonly face_up?: readonly Copy[];
  readonly want?: readonly Bean[];
}

/** A line of chat: free `text`, or the `key` of a quick phrase. */
export interface Say {
  readonly type: "say";
  readonly id: string;
  readonly text?: string;
  readonly key?: string;
}

/** Ask whether the server is there. */
export interface Ping {
  readonly type: "ping";
  readonly id: string;
}

/**
 * Let the others know that one puts an offer together, or has traded enough; `null`: neither, any more.
 *
 * `composing` is to be said again every few seconds; it ends by itself. `turn` is that of the trading it
 * is meant for: in another one nothing comes of it.
 */
export interface GiveSign {
  readonly type: "sign";
  readonly id: string;
  readonly sign?: "composing" | "enough" | null;
  readonly turn?: number;
}

/** A user as others see him; the name is empty once it was deleted, the handle without an account. */
export interface Person {
  readonly name: string;
  readonly bot: boolean;
  readonly handle: string;
}

/**
 * A clock, running or stopped: of one seat's decision, or (`seat` is `null`) of the trading.
 *
 * In a game over days the last `reserve` ms of it are what the seat has left of its reserve, and that of
 * the trading has its next `beat`, at which standing orders are looked at; none: that is its end.
 * `rests` are the next times in which it stands still, each from and until.
 */
export interface Clock {
  readonly seat: number | null;
  readonly due: number | null;
  readonly left: number | null;
  readonly reserve: number;
  readonly beat: number | null;
  readonly rests?: readonly (readonly [number, number])[];
}

/** What one standing offer would mean for the viewer; `answer` is what he would give if he is asked. */
export interface OfferPreview {
  readonly offer: number;
  readonly preview: Preview;
  readonly answer: Answer | null;
}

/** The parts of a view that have changed; `players` by seat. Put them over the view you have. */
export interface ViewPatch {
  readonly own?: OwnHand | null;
  readonly players?: Readonly<Record<number, PlayerView>>;
  readonly active_player?: number;
  readonly phase?: PhaseView;
  readonly draw_pile?: number;
  readonly discard_pile?: number;
  readonly discard_top?: readonly Bean[];
  readonly exhaustions?: number;
  readonly turn?: number;
  readonly starter?: number;
  readonly talk?: Talk;
  readonly box?: readonly Bean[];
  readonly bonus_piles?: readonly [number, number];
  readonly waiting?: readonly number[];
  readonly totals?: readonly (readonly [number, number])[];
}

/**
 * What the viewer may do: all but offers, edits, talk and copies other than the front-most are listed.
 *
 * `gifts` are the kinds he could deliver while a gift is haggled over, `discards` the hand cards of
 * which he may discard one.
 */
export interface Choices {
  readonly legal: readonly AnyCommand[];
  readonly offers: OfferSpace;
  readonly previews: readonly OfferPreview[];
  readonly gifts: readonly GiftWays[];
  readonly discards: readonly Copy[];
}

/**
 * The first frame of a stream: all there is to see. Unless it is `fresh`, the batches missed follow it.
 *
 * Those up to `seq` hold events only: what they led to is in here already.
 *
 * `seq` is the last batch that everything here includes; `seat` is the viewer's own. `game` and
 * `choices` are there once the game has begun; `worth`, by seat and field, is empty before. `now` is
 * the server's time. It comes again, fresh, when the viewer's seat has changed: replace everything by it.
 */
export interface Welcome {
  readonly type: "welcome";
  readonly protocol: number;
  readonly table: string;
  readonly seq: number;
  readonly now: number;
  readonly user: string | null;
  readonly seat: number | null;
  readonly room: Room;
  readonly people: Readonly<Record<string, Person>>;
  readonly fresh: boolean;
  readonly game: View | null;
  readonly choices: Choices | null;
  readonly worth: readonly (readonly (FieldWorth | null)[])[];
  readonly clocks: readonly Clock[];
  readonly present: readonly number[];
  readonly watching: number;
  readonly composing: readonly number[];
  readonly enough: readonly number[];
  readonly spectators: readonly string[];
}

/**
 * One committed batch as the viewer may see it; of a hidden one there is nothing but its `seq`.
 *
 * That comes with the next batch of which he sees something, so that its moment tells nothing.
 *
 * `by` is the seat whose command of the game it was. What is absent has not changed. `events` are those
 * of the game as the viewer may see them (`docs/notation.md`), and those of the room. `game` is whole
 * where it begins. `worth` has the seats whose fields are worth something else now. `quiet_since` is
 * that of the room, where nothing else has changed in it.
 */
export interface Batch {
  readonly type: "batch";
  readonly seq: number;
  readonly at?: number;
  readonly by?: number;
  readonly cause?: Cause;
  readonly events?: readonly ShownEvent[];
  readonly room?: Room;
  readonly quiet_since?: number;
  readonly people?: Readonly<Record<string, Person>>;
  readonly game?: View;
  readonly view?: ViewPatch;
  readonly worth?: Readonly<Record<number, readonly (FieldWorth | null)[]>>;
  readonly legal?: readonly AnyCommand[];
  readonly offers?: OfferSpace;
  readonly previews?: readonly OfferPreview[];
  readonly gifts?: readonly GiftWays[];
  readonly discards?: readonly Copy[];
  readonly clocks?: readonly Clock[];
}

/**
 * All clocks and the end of the last call were put off by a time in which nobody was served.
 *
 * `now` is the server's time, and `last_call` that of the room, each as in a `Welcome`.
 */
export interface Clocks {
  readonly type: "clocks";
  readonly now: number;
  readonly clocks: readonly Clock[];
  readonly last_call: LastCall | null;
}

/** The command is on the disk, as batch `seq`; sent before anybody is shown it. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  readonly seq: number;
}

/** Nothing has changed. `reason` is a code of the rules (then with its `clause`) or of the server. */
export interface Refused {
  readonly type: "refused";
  readonly id: string | null;
  readonly reason: Reason | Problem;
  readonly clause: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The answer to `Check`: `refusal` is `null` for what is legal now. */
export interface Checked {
  readonly type: "checked";
  readonly id: string;
  readonly refusal: Refused | null;
}

/** The answer to `Draft`. */
export interface Previewed {
  readonly type: "previewed";
  readonly id: string;
  readonly preview: Preview;
}

/**
 * Which seats' owners are here, and how many others watch; not part of the log.
 *
 * `spectators` are the names of those who have one, sorted.
 */
export interface Presence {
  readonly type: "presence";
  readonly present: readonly number[];
  readonly watching: number;
  readonly spectators: readonly string[];
}

/** Which seats put an offer together, and which have traded enough; not part of the log. */
export interface Signs {
  readonly type: "signs";
  readonly composing: readonly number[];
  readonly enough: readonly number[];
}

/** Names that are new or have changed. */
export interface People {
  readonly type: "people";
  readonly people: Readonly<Record<string, Person>>;
}

/** A line of chat; its number is not a seq. */
export interface Line {
  readonly type: "line";
  readonly line: number;
  readonly user: string;
  readonly at: number;
  readonly text: string;
  readonly key: string;
}

/** A line of chat was deleted: show it no more. */
export interface LineDeleted {
  readonly type: "line-deleted";
  readonly line: number;
}

/**
 * A computer player gives a reason, or thanks: the key of a text in the catalogs, and its parameters.
 *
 * It is not stored. Why an offer was declined is sent to its maker only. The parameter `bean` is a kind.
 * `seq` is that of the batch it is about, 0 from an older server.
 */
export interface Remark {
  readonly type: "remark";
  readonly seat: number;
  readonly at: number;
  readonly key: string;
  readonly params: Readonly<Record<string, number>>;
  readonly seq: number;
}

/** The answer to `Say`: the line is stored under this number. */
export interface Said {
  readonly type: "said";
  readonly id: string;
  readonly line: number;
}

/**
 * An operator has begun a sanction for the viewer: what he may not do from now on, until when and why.
 *
 * A ban is told by a `refused` without an `id` instead, with which the stream ends.
 */
export interface Sanctioned {
  readonly type: "sanctioned";
  readonly sanction: SanctionKind;
  readonly reason: string;
  readonly until: number | null;
}

/** Somebody asks the viewer to come to another table; it is told wherever he is connected. */
export interface Invited {
  readonly type: "invited";
  readonly table: string;
  readonly by: Person;
}

/** The answer to `GiveSign`: the sign that holds now. */
export interface SignGiven {
  readonly type: "sign-given";
  readonly id: string;
  readonly sign: "composing" | "enough" | null;
}

/** The answer to `Ping`. */
export interface Pong {
  readonly type: "pong";
  readonly id: string;
  readonly now: number;
}

/** The server ends this stream; connect again with `after`, at the earliest after `retry` ms. */
export interface Goodbye {
  readonly type: "goodbye";
  readonly reason: "look-again" | "not-saved" | "rate-limited" | "seat-left" | "server-stopping" | "signed-out" | "too-slow";
  readonly retry: number;
}

/**
 * The first line of a replay: the game behind its first entry, as `seat` (or everybody) saw it.
 *
 * It is of a `table` or of a kept `record`, and `entries` more lines follow. `names` and `bots`
 * are by seat, `at` is when the first entry was written, as far as that is known; `result` is there if
 * the game was played to its end. `open_hands` are all hands by seat, if they were asked for.
 */
export interface ReplayStart {
  readonly type: "replay";
  readonly table: string | null;
  readonly record: string | null;
  readonly entries: number;
  readonly names: readonly string[];
  readonly bots: readonly (string | null)[];
  readonly at: number | null;
  readonly result: Result | null;
  readonly seat: number | null;
  readonly game: View;
  readonly worth: readonly (readonly (FieldWorth | null)[])[];
  readonly open_hands: readonly (readonly Bean[])[] | null;
}

/**
 * One entry of a game, in the parts of a `Batch`; what is absent has not changed.
 *
 * The first one, `seq` 0, holds events only: what they led to is in the line before it. `open_hands` are
 * those hands that have changed, by seat, if they were asked for.
 */
export interface ReplayEntry {
  readonly type: "entry";
  readonly seq: number;
  readonly at?: number;
  readonly by?: number;
  readonly cause?: Cause;
  readonly events?: readonly ShownEvent[];
  readonly view?: ViewPatch;
  readonly worth?: Readonly<Record<number, readonly (FieldWorth | null)[]>>;
  readonly open_hands?: Readonly<Record<number, readonly Bean[]>>;
}

/** A harvest: at which entry, which bean and how many of it, for how many coins. */
export interface HarvestInfo {
  readonly entry: number;
  readonly bean: Bean;
  readonly beans: number;
  readonly coins: number;
}

/**
 * What one player did in a game.
 *
 * `trades` are exchanges in which both sides gave something, gifts those in which one did; beans are those
 * that changed hands in both. `offers_taken` are his own offers that came about, `offers_accepted` those
 * of others that he took. `best` is his best harvest, the first of equals; `coins_by_bean` are the coins
 * of all his harvests, by bean.
 */
export interface PlayerSummary {
  readonly trades: number;
  readonly gifts_given: number;
  readonly gifts_received: number;
  readonly beans_given: number;
  readonly beans_received: number;
  readonly offers_made: number;
  readonly offers_taken: number;
  readonly offers_accepted: number;
  readonly offers_declined: number;
  readonly planted: number;
  readonly harvests: number;
  readonly best: HarvestInfo | null;
  readonly coins_by_bean: readonly number[];
  readonly fields_bought: number;
}

/** The coins of all seats from an entry on, until the next of these. */
export interface CoinsAt {
  readonly entry: number;
  readonly turn: number;
  readonly coins: readonly number[];
}

/**
 * A game in numbers; `names`, `bots`, `ranks` and `players` are by seat.
 *
 * `ranks` count from 1, all winners have 1, and there are none before the end. `began` and `ended` are
 * when the first and the last entry were written, as far as that is known.
 */
export interface Summary {
  readonly table: string | null;
  readonly record: string | null;
  readonly edition: string;
  readonly house_rules: readonly string[];
  readonly names: readonly string[];
  readonly bots: readonly (string | null)[];
  readonly entries: number;
  readonly turns: number;
  readonly began: number | null;
  readonly ended: number | null;
  readonly result: Result | null;
  readonly ranks: readonly number[];
  readonly coins: readonly CoinsAt[];
  readonly players: readonly PlayerSummary[];
}

/** A stored record; whoever has its id, `record`, may watch it. `names` and `bots` are by seat. */
export interface RecordInfo {
  readonly record: string;
  readonly kept: number;
  readonly edition: string;
  readonly house_rules: readonly string[];
  readonly names: readonly string[];
  readonly bots: readonly (string | null)[];
  readonly entries: number;
  readonly turns: number;
  readonly result: Result | null;
  readonly size: number;
}

/** The user's own stored records, the newest first, of `most` that he may have. */
export interface RecordList {
  readonly records: readonly RecordInfo[];
  readonly most: number;
}

/**
 * A published rule document; citations begin with its `id`.
 *
 * `year` and `publisher` are as printed, and empty where they are not.
 */
export interface RuleDocument {
  readonly id: string;
  readonly language: string;
  readonly title: string;
  readonly year: string;
  readonly publisher: string;
}

/** The gravest sanction that holds for somebody; `until` is its end (ms since 1970), if it has one. */
export interface Standing {
  readonly sanction: SanctionKind;
  readonly reason: string;
  readonly until: number | null;
}

/** Become a user: a name and a language tag (`de`, `pt-BR`); answered with a cookie. */
export interface NewGuest {
  readonly name: string;
  readonly language?: string;
}

/** Change name or language; what is absent stays. */
export interface ChangeMe {
  readonly name?: string | null;
  readonly language?: string | null;
}

/**
 * The user behind this cookie or token; `standing` is the sanction that holds for him, if any.
 *
 * `handle` is that of his account; empty for a guest, and for programs.
 */
export interface Me {
  readonly user: string;
  readonly name: string;
  readonly language: string;
  readonly bot: boolean;
  readonly cookie: boolean;
  readonly scopes: readonly Scope[];
  readonly standing: Standing | null;
  readonly handle: string;
}

/** A token for programs; `bot` makes a user of its own, marked as a program, with this `name`. */
export interface NewToken {
  readonly scopes?: readonly Scope[];
  readonly label?: string;
  readonly bot?: boolean;
  readonly name?: string;
}

/** The token, shown once; `id` revokes it. */
export interface TokenMade {
  readonly token: string;
  readonly id: string;
  readonly user: string;
  readonly scopes: readonly Scope[];
}

/**
 * A session or token, without its secret; `current` is the one that asks.
 *
 * `user` is whom it belongs to, this user or a program that he has made, with its `name`. `used`
 * is when it was last used, to about a day.
 */
export interface TokenInfo {
  readonly id: string;
  readonly label: string;
  readonly created: number;
  readonly cookie: boolean;
  readonly current: boolean;
  readonly scopes: readonly Scope[];
  readonly user: string;
  readonly name: string;
  readonly used: number;
}

/** A link, shown once: its token goes behind `#` of the address, so that no log or referrer has it. */
export interface LinkMade {
  readonly token: string;
  readonly id: string;
  readonly expires: number;
}

/** A link without its token. */
export interface LinkInfo {
  readonly id: string;
  readonly created: number;
  readonly expires: number;
}

/**
 * Exchange a link's token, once, for a cookie (if there is none yet) and for what it opens.
 *
 * `name` and `language` are those of a guest who comes in with it. `replace` lets a device
 * link log this device in as another user than the one here.
 */
export interface UseLink {
  readonly token: string;
  readonly name?: string;
  readonly language?: string;
  readonly replace?: boolean;
}

/** What the link opened: a table, or the own user on this device. */
export interface LinkUsed {
  readonly me: Me;
  readonly table: string | null;
}

/** The token of a link that one would look at before using it. */
export interface LinkBody {
  readonly token: string;
}

/**
 * An edition: its numbers of players, and for each house rule its values, for any of these numbers.
 *
 * `bots` are the computer players worth meeting in it, the easiest first, and `usual` the one of them
 * that is meant where none is named. What a house rule may be for one number of players is in
 * `RuleSheet`.
 */
export interface EditionInfo {
  readonly edition: string;
  readonly players: readonly number[];
  readonly house_rules: Readonly<Record<string, readonly string[]>>;
  readonly bots: readonly string[];
  readonly usual: string;
}

/** A choice of clock: ms a decision and for the trading, `null` without, and the reserve of a game. */
export interface ClockInfo {
  readonly clock: ClockName;
  readonly decision: number | null;
  readonly trading: number | null;
  readonly reserve: number;
}

/** A lesson (docs/lessons.md); `names` are by seat, that of the learner's is empty. */
export interface LessonInfo {
  readonly lesson: string;
  readonly edition: string;
  readonly house_rules: readonly string[];
  readonly seat: number;
  readonly names: readonly string[];
}

/**
 * Whether accounts are offered; `relying_party` is the host name under which passkeys are made.
 *
 * `mail`: one comes back into an account by e-mail.
 */
export interface AccountsOffer {
  readonly state: AccountsState;
  readonly relying_party: string;
  readonly mail: boolean;
}

/**
 * What a table may be made of; `phrases` are the keys of the quick phrases.
 *
 * `share` is the origin to put into invitations (`bohn serve --lan`); without it, that of the page.
 */
export interface Catalog {
  readonly protocol: number;
  readonly product: string;
  readonly editions: readonly EditionInfo[];
  readonly clocks: readonly ClockInfo[];
  readonly bots: readonly string[];
  readonly phrases: readonly string[];
  readonly languages: readonly string[];
  readonly share: string | null;
  readonly lessons: readonly LessonInfo[];
  readonly accounts: AccountsOffer;
}

/**
 * A clause of the rules; `language` is that of its title and text, English where there is no other.
 *
 * `cites` are places in rule documents, `secondary` other publications, `rulings` decisions of this
 * project. No `editions` means all.
 */
export interface ClauseInfo {
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly text: string;
  readonly language: string;
  readonly cites: readonly string[];
  readonly secondary: readonly string[];
  readonly rulings: readonly string[];
  readonly editions: readonly string[];
}

/** All clauses in their order, in `language` as far as they are translated. */
export interface ClauseList {
  readonly language: string;
  readonly clauses: readonly ClauseInfo[];
}

/** Clauses of one subject by their ids; its title is `section.<name>` in the message catalogs. */
export interface Section {
  readonly section: string;
  readonly clauses: readonly string[];
}

/**
 * What holds in a game of this edition, for so many players, with these house rules.
 *
 * `policies` are keys of the message catalogs (`policy.singles.all_single`). `choices` are the values
 * that a house rule may have here beside the one that holds now. `sources` are the documents on which the
 * edition rests. `left_out` are the kinds that it plays with at other numbers of players, and not here.
 */
export interface RuleSheet {
  readonly rules: Rules;
  readonly sections: readonly Section[];
  readonly policies: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
  readonly sources: readonly RuleDocument[];
  readonly left_out: readonly Bean[];
}

/** A seat of a table in a list: its owner, or the bot that plays there, with a `name` if it has one. */
export interface SeatInfo {
  readonly person: Person | null;
  readonly bot: string | null;
  readonly name: string;
  readonly mine: boolean;
}

/**
 * What a running game waits for: a move of people in `seats`, what they do told by the `phase`.
 *
 * `active` is whose turn it is; `paused`: it waits for nobody. To whoever has planted and can plant no
 * more the `phase` is `reveal`. `gift_open`: in Das Duell a gift is to be answered.
 *
 * In a game over days the `clock` is that of whoever asks, else of whoever has the least time, and
 * `all_done` tells that a trading ends with its next beat.
 */
export interface Awaited {
  readonly seats: readonly number[];
  readonly phase: string;
  readonly active: number;
  readonly clock: Clock | null;
  readonly all_done: boolean;
  readonly paused: boolean;
  readonly gift_open: boolean;
}

/**
 * A table in a list; `taken` counts people and bots, `here` the owners now at the table.
 *
 * `result` is there once the game has been played to its end. `origin` tells that it goes on with an
 * earlier game, `lesson` that it teaches. `waits` tells that the game waits for whoever asks,
 * `awaited` for what it waits, and `hosts` that he is the host; only the list of his own tables does.
 */
export interface TableInfo {
  readonly table: string;
  readonly status: Status;
  readonly options: Options;
  readonly host: Person | null;
  readonly people: readonly Person[];
  readonly bots: number;
  readonly taken: number;
  readonly here: number;
  readonly opened: number;
  readonly moved: number;
  readonly mine: boolean;
  readonly seats: readonly SeatInfo[];
  readonly result: Result | null;
  readonly origin: boolean;
  readonly lesson: string | null;
  readonly waits: boolean;
  readonly awaited: Awaited | null;
  readonly hosts: boolean;
}

/** What a link would open: the table one is invited to, or `null` for one's own user elsewhere. */
export interface LinkSeen {
  readonly table: TableInfo | null;
}

/** Tables, those that moved last first. */
export interface TableList {
  readonly tables: readonly TableInfo[];
}

/**
 * Open a table and sit down at it; `bots` take the next seats. `start` deals at once ("Play now").
 *
 * With an `origin` the game goes on from there, with bots in all other seats: those named in `bots`,
 * then those of that game. With a `lesson` it is the game of the catalog that teaches. Of the rest only
 * `options.clock` counts then.
 */
export interface NewTable {
  readonly options?: Options;
  readonly bots?: readonly string[];
  readonly salt?: string;
  readonly sit?: boolean;
  readonly start?: boolean;
  readonly origin?: Origin | null;
  readonly lesson?: string | null;
}

/** The new table. */
export interface TableMade {
  readonly table: string;
  readonly seq: number;
}

/** One command; the header `Idempotency-Key` may carry the id instead. */
export interface Do {
  readonly command: AnyCommand | AnyRoomCommand;
  readonly id?: string | null;
}

/** The command is on the disk, as batch `seq`. */
export interface Done {
  readonly id: string;
  readonly seq: number;
}

/** An offer to be previewed; nothing happens. */
export interface DraftBody {
  readonly to: readonly number[];
  readonly hand?: readonly Copy[];
  readonly face_up?: readonly Copy[];
  readonly want?: readonly Bean[];
}

/** A command to be checked; nothing happens. */
export interface Ask {
  readonly command: AnyCommand;
}

/** What may be done at `seq`; `choices` is `null` for who has no seat in a running game. */
export interface Legal {
  readonly seq: number;
  readonly seat: number | null;
  readonly choices: Choices | null;
}

/** Every refusal over HTTP: the code, the clause if the rules refuse, and parameters; never a sentence. */
export interface ErrorBody {
  readonly reason: Reason | Problem;
  readonly clause: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Whether a command is legal now, and if not, why. */
export interface Verdict {
  readonly legal: boolean;
  readonly refusal: ErrorBody | null;
}

/** A line of chat: free `text`, or the `key` of a quick phrase. */
export interface SayBody {
  readonly text?: string;
  readonly key?: string;
}

/** Lines of chat, oldest first. */
export interface ChatPage {
  readonly lines: readonly Line[];
}

/** Report a line of chat to the operator. */
export interface ReportBody {
  readonly reason?: string;
}

/** Report somebody at the table to the operator, with what he did. */
export interface ReportPerson {
  readonly user: string;
  readonly reason: string;
}

/** Hide this user's chat, or with `on` false show it again. */
export interface MuteBody {
  readonly user: string;
  readonly on?: boolean;
}

/** The users whose chat is hidden. */
export interface Mutes {
  readonly users: readonly string[];
}

/** Alive, or ready; `reason` says why not. */
export interface Health {
  readonly ok: boolean;
  readonly reason: string;
}

/** Done; there is nothing else to report. */
export type Empty = Readonly<Record<string, never>>;

/**
 * What an order says: up to `most` of `give` for at least `least` of `take`, `times` times.
 *
 * Without `give` it takes for nothing, without `take` it gives for nothing; then that number means
 * nothing.
 */
export interface Terms {
  readonly give?: Bean | null;
  readonly most?: number;
  readonly take?: Bean | null;
  readonly least?: number;
  readonly times?: number;
}

/**
 * Plant the next bean of a kind that one is to plant on this field, from 0.
 *
 * Where another kind grows there it is done only with `harvest`, behind the harvest of the field.
 */
export interface PlantAhead {
  readonly do: "plant";
  readonly bean: Bean;
  readonly field: number;
  readonly harvest?: boolean;
  readonly times?: number;
}

/** Harvest this field, from 0, as soon as at least so many `beans` grow there. */
export interface HarvestAhead {
  readonly do: "harvest";
  readonly field: number;
  readonly beans: number;
  readonly times?: number;
}

/** Turn beans over once one has planted, and no planting is set ahead for the next bean. */
export interface RevealAhead {
  readonly do: "reveal";
  readonly times?: number;
}

/** A move to be set ahead. */
export interface NewMove {
  readonly move: PlantAhead | HarvestAhead | RevealAhead;
}

/** An own move that is set ahead, and how often it was made. */
export interface MoveInfo {
  readonly id: string;
  readonly move: PlantAhead | HarvestAhead | RevealAhead;
  readonly carried: number;
}

/** An own order, and how often it was carried out. */
export interface OrderInfo {
  readonly id: string;
  readonly terms: Terms;
  readonly carried: number;
}

/**
 * What one has left with a table over days: orders and moves as they are gone through.
 *
 * `beat` is when orders are looked at next (ms since 1970); `null` while nobody trades, and in a pause.
 * `done`: at that beat one passes, or ends the trading.
 */
export interface AwayInfo {
  readonly orders: readonly OrderInfo[];
  readonly beat: number | null;
  readonly done: boolean;
  readonly moves: readonly MoveInfo[];
}

/** Days from the `first` to the `last`, both included: dates as 2026-12-24. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/**
 * When one's clocks run at tables over days: in the `hours`, and not in the holidays.
 *
 * `left` are the days of holidays one has left this year, `left_next` those of the next.
 */
export interface TimesInfo {
  readonly hours: Hours;
  readonly holidays: readonly Days[];
  readonly left: number;
  readonly left_next: number;
}

/** Playing hours: from `begin` to `end`, minutes of the day in the time zone; equal: all the day. */
export interface ChangeHours {
  readonly begin: number;
  readonly end: number;
  readonly zone: string;
}

/** Days from the `first` to the `last`, both included: dates as 2026-12-24 in the time zone. */
export interface NewHoliday {
  readonly first: string;
  readonly last: string;
  readonly zone: string;
}

/** A passkey, by its name here; `synced`: its owner has it on several devices. */
export interface PasskeyInfo {
  readonly id: string;
  readonly label: string;
  readonly created: number;
  readonly used: number;
  readonly synced: boolean;
}

/**
 * The account of the one who asks; `handle` is empty for a guest, who has none.
 *
 * `codes` counts the recovery codes that are left. Until `confirmed` this session may change who can
 * sign in; 0: it has to be confirmed first.
 */
export interface AccountInfo {
  readonly handle: string;
  readonly created: number;
  readonly passkeys: readonly PasskeyInfo[];
  readonly codes: number;
  readonly confirmed: number;
}

/** What a browser is to ask an authenticator; `ticket` comes back with the answer, once. */
export interface CeremonyBegun {
  readonly ticket: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Make a passkey: the first one with the `handle` that the account shall have. */
export interface BeginPasskey {
  readonly handle?: string;
}

/** The new passkey, as the browser gives it; `label` is what its device is called. */
export interface FinishPasskey {
  readonly ticket: string;
  readonly credential: Readonly<Record<string, unknown>>;
  readonly label?: string;
}

/** The account with the new passkey; with the first one its recovery codes, which are shown once. */
export interface PasskeyMade {
  readonly account: AccountInfo;
  readonly codes: readonly string[];
}

/** The answer of a passkey; `label` is what this device is called in the list of sessions. */
export interface SignIn {
  readonly ticket: string;
  readonly credential: Readonly<Record<string, unknown>>;
  readonly label?: string;
}

/** A recovery code, which is used up; `label` is what this device is called in the list of sessions. */
export interface UseCode {
  readonly code: string;
  readonly label?: string;
}

/** An e-mail address, to which a link is sent if an account has confirmed it. */
export interface AskWayBack {
  readonly address: string;
}

/** What the link has in it, once; `label` is what this device is called in the list of sessions. */
export interface UseWayBack {
  readonly token: string;
  readonly label?: string;
}

/** The answer of a passkey of one's own account, in the session that it confirms. */
export interface Confirm {
  readonly ticket: string;
  readonly credential: Readonly<Record<string, unknown>>;
}

/** New recovery codes, shown once; all older ones are void. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
}

/** A table at which one owns a seat; `/api/tables/{table}/record` is its record once it is over. */
export interface ExportedTable {
  readonly table: string;
  readonly edition: string;
  readonly players: number;
  readonly status: string;
  readonly opened: number;
  readonly moved: number;
}

/** A line of chat; `key` is the quick phrase that it was, else it has a `text`. */
export interface ExportedLine {
  readonly table: string;
  readonly at: number;
  readonly text: string;
  readonly key: string;
}

/** A report of one's own: whom it is `against`, what was said, and the reason one gave. */
export interface ExportedReport {
  readonly table: string;
  readonly against: string;
  readonly at: number;
  readonly text: string;
  readonly reason: string;
}

/** An invitation that one has got or sent: `by` asks `to` to come to a table. */
export interface ExportedInvitation {
  readonly table: string;
  readonly by: string;
  readonly to: string;
  readonly at: number;
}

/** How one did in a finished game. */
export interface ExportedResult {
  readonly table: string;
  readonly at: number;
  readonly edition: string;
  readonly players: number;
  readonly place: number;
  readonly coins: number;
  readonly trades: number;
  readonly gifts_given: number;
  readonly gifts_received: number;
}

/** A table at which one was to be told of a turn that had begun then; `told`: one was. */
export interface ExportedAlert {
  readonly table: string;
  readonly begun: number;
  readonly told: boolean;
}

/** A standing order at a table over days, and when it was left there. */
export interface ExportedOrder {
  readonly table: string;
  readonly created: number;
  readonly terms: Terms;
}

/** A move that was set ahead at a table over days, and when. */
export interface ExportedMove {
  readonly table: string;
  readonly created: number;
  readonly move: PlantAhead | HarvestAhead | RevealAhead;
}

/** Playing hours and holidays at tables over days. */
export interface ExportedTimes {
  readonly hours: Hours;
  readonly holidays: readonly Days[];
}

/** All that is stored of somebody, without secrets, and without what others have written. */
export interface Export {
  readonly me: Me;
  readonly created: number;
  readonly account: AccountInfo;
  readonly sessions: readonly TokenInfo[];
  readonly tables: readonly ExportedTable[];
  readonly records: readonly RecordInfo[];
  readonly mutes: readonly string[];
  readonly blocks: readonly string[];
  readonly follows: readonly string[];
  readonly private_profile: boolean;
  readonly invitations: readonly ExportedInvitation[];
  readonly results: readonly ExportedResult[];
  readonly lines: readonly ExportedLine[];
  readonly reports: readonly ExportedReport[];
  readonly alerts: AlertsInfo;
  readonly turns: readonly ExportedAlert[];
  readonly orders: readonly ExportedOrder[];
  readonly moves: readonly ExportedMove[];
  readonly times: ExportedTimes | null;
}

/**
 * One way in which one is told; `here`: this session has made it.
 *
 * `failed` is since when nothing has arrived there; 0: the last message did. `address` is the e-mail
 * address, the topic of ntfy, or the server of a hook. An e-mail address is used once it is `verified`;
 * without `active` no turns are told there. By a `way_back` one comes back into one's account.
 */
export interface ChannelInfo {
  readonly id: string;
  readonly kind: "hook" | "mail" | "ntfy" | "push";
  readonly label: string;
  readonly created: number;
  readonly here: boolean;
  readonly failed: number;
  readonly address: string;
  readonly verified: boolean;
  readonly active: boolean;
  readonly way_back: boolean;
}

/**
 * By what and when one is told. `offered` is what this server can do.
 *
 * `key` is what a browser subscribes to pushes with, `ntfy` the address of the ntfy server. Without
 * `every` one is told only of games whose clock counts in hours. From `quiet_from` to `quiet_to` in
 * the time zone nothing is sent; equal: there are no quiet hours. `account`: one has an account, into
 * which a confirmed e-mail address may lead back.
 */
export interface AlertsInfo {
  readonly offered: readonly ("hook" | "mail" | "ntfy" | "push")[];
  readonly key: string;
  readonly ntfy: string;
  readonly channels: readonly ChannelInfo[];
  readonly every: boolean;
  readonly quiet_from: number;
  readonly quiet_to: number;
  readonly zone: string;
  readonly account: boolean;
}

/** When one wants to be told; what is left out stays as it is. `zone` is a name: Europe/Berlin. */
export interface ChangeAlerts {
  readonly every?: boolean | null;
  readonly quiet_from?: number | null;
  readonly quiet_to?: number | null;
  readonly zone?: string | null;
}

/**
 * One more way: of a browser the `endpoint` and keys of its subscription, as it gives them.
 *
 * Else the `endpoint` is the e-mail address, to which a link is sent first; the topic of ntfy, or nothing
 * for one that is made up; or the address of a hook. `label` is what it is called in the list.
 */
export interface NewChannel {
  readonly kind: "hook" | "mail" | "ntfy" | "push";
  readonly endpoint?: string;
  readonly p256dh?: string;
  readonly auth?: string;
  readonly label?: string;
}

/** What became of a test. */
export interface ChannelTested {
  readonly result: "failed" | "gone" | "refused" | "sent";
}

/** Whether turns are told by a channel. */
export interface ChangeChannel {
  readonly active: boolean;
}

/** What the link in a letter has in it that confirms an e-mail address. */
export interface MailToken {
  readonly token: string;
}

/** The token of a link from `bohn admin link`. */
export interface OperatorToken {
  readonly token: string;
}

/** An operator's session: how it is called in the log, and its end (ms since 1970). */
export interface OperatorSession {
  readonly operator: string;
  readonly expires: number;
}

/** A sanction that holds: for a `user` with his `name`, or for a `network`. */
export interface SanctionInfo {
  readonly id: string;
  readonly kind: SanctionKind;
  readonly user: string | null;
  readonly name: string;
  readonly network: string | null;
  readonly begun: number;
  readonly until: number | null;
  readonly reason: string;
}

/** A limit: its value now, that of the settings, and between what it may be set. */
export interface LimitInfo {
  readonly name: string;
  readonly value: number;
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

/**
 * What people can be told by: `offered` is set up, the rest is not.
 *
 * `key` is what a browser subscribes to pushes with, `ntfy` the address of the ntfy server.
 */
export interface NoticesOffer {
  readonly offered: readonly ("hook" | "mail" | "ntfy" | "push")[];
  readonly key: string;
  readonly ntfy: string;
}

/**
 * How things are: this worker's load, what is stored, the sanctions that hold, and the limits.
 *
 * `sockets` are connections, `loaded` tables in memory, both of this worker. Of the store are `tables`
 * by status, `people` with a name, and `reports` about which nothing was done.
 */
export interface Overview {
  readonly session: OperatorSession;
  readonly now: number;
  readonly worker: string;
  readonly sockets: number;
  readonly loaded: number;
  readonly people: number;
  readonly tables: Readonly<Record<string, number>>;
  readonly reports: number;
  readonly sanctions: readonly SanctionInfo[];
  readonly limits: readonly LimitInfo[];
  readonly notices: NoticesOffer;
}

/**
 * Tables that are open or played, those that are not listed too, the last moved first.
 *
 * Like the other lists it ends where `more` is true, though there are more.
 */
export interface OperatorTables {
  readonly tables: readonly TableInfo[];
  readonly more: boolean;
}

/** Somebody as operators see him. `address` is from where he came last, if this worker knows it. */
export interface SeenPerson {
  readonly user: string;
  readonly name: string;
  readonly language: string;
  readonly created: number;
  readonly used: number;
  readonly bot: boolean;
  readonly address: string;
  readonly tables: readonly string[];
  readonly standing: Standing | null;
}

/** People who were found, those here last first. */
export interface SeenPeople {
  readonly people: readonly SeenPerson[];
  readonly more: boolean;
}

/** A report: `line` is the number of the line of chat, 0 for one about the person. */
export interface ReportInfo {
  readonly id: number;
  readonly table: string;
  readonly line: number;
  readonly by: string;
  readonly by_name: string;
  readonly against: string;
  readonly against_name: string;
  readonly at: number;
  readonly text: string;
  readonly reason: string;
  readonly settled: boolean;
}

/** Reports, those about which nothing was done first. */
export interface ReportList {
  readonly reports: readonly ReportInfo[];
  readonly more: boolean;
}

/** What an operator did; see docs/operator.md. */
export interface DeedInfo {
  readonly id: number;
  readonly at: number;
  readonly by: string;
  readonly deed: string;
  readonly about: string;
  readonly name: string;
  readonly text: string;
  readonly until: number | null;
  readonly report: number;
}

/** A batch of a table without its cards: who, the kind of command, the kinds of events. */
export interface LogLine {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly command: string;
  readonly events: readonly string[];
}

/** What was going on around a report, and what was done about it. */
export interface ReportContext {
  readonly report: ReportInfo;
  readonly lines: readonly Line[];
  readonly log: readonly LogLine[];
  readonly names: Readonly<Record<string, string>>;
  readonly deeds: readonly DeedInfo[];
}

/** The last deeds, newest first; `whole` tells that each of all is as it was written. */
export interface DeedList {
  readonly deeds: readonly DeedInfo[];
  readonly whole: boolean;
  readonly more: boolean;
}

/**
 * Begin a sanction for a `user`, a `network`, or both.
 *
 * `length` is in ms, `null` without end. `anyway`: though it is everybody's address.
 */
export interface NewSanction {
  readonly kind: SanctionKind;
  readonly reason: string;
  readonly user?: string | null;
  readonly network?: string | null;
  readonly length?: number | null;
  readonly report?: number;
  readonly anyway?: boolean;
}

/** The new sanctions. */
export interface SanctionsMade {
  readonly sanctions: readonly SanctionInfo[];
}

/** Close a table with a word to its players. */
export interface CloseTable {
  readonly word: string;
  readonly report?: number;
}

/** Note that nothing more is done about a report. */
export interface SettleReport {
  readonly word?: string;
}

/** Set a limit; `null` lets that of the settings hold again. */
export interface ChangeLimit {
  readonly name: string;
  readonly value: number | null;
}

/** Send a test: to an e-mail address, a topic, a hook, or the subscription that a browser gives. */
export interface NoticeTest {
  readonly kind: "hook" | "mail" | "ntfy" | "push";
  readonly endpoint?: string;
  readonly p256dh?: string;
  readonly auth?: string;
  readonly language?: string;
}

/**
 * What became of it: it was taken, refused by a status, or `failed`: no answer came.
 *
 * `answer` is the status of HTTP or SMTP, or the word for why none came (docs/notices.md).
 */
export interface NoticeTested {
  readonly result: "failed" | "refused" | "sent";
  readonly answer: string;
}

/** Somebody by his id, and how others see him. */
export interface KnownPerson {
  readonly user: string;
  readonly person: Person;
}

/** Somebody one follows: whether he is `here` now, and an open `table` of his with a free seat. */
export interface Followed {
  readonly user: string;
  readonly person: Person;
  readonly here: boolean;
  readonly table: TableInfo | null;
}

/** An invitation that one has: who asks one to come to which table. */
export interface InvitationInfo {
  readonly user: string;
  readonly by: Person;
  readonly at: number;
  readonly table: TableInfo;
}

/** Whom one follows and blocks, what one is invited to, and whether the own profile is `private`. */
export interface Acquaintances {
  readonly followed: readonly Followed[];
  readonly blocked: readonly KnownPerson[];
  readonly invitations: readonly InvitationInfo[];
  readonly private: boolean;
}

/** Follow this user, or with `on` false no more. */
export interface FollowBody {
  readonly user: string;
  readonly on?: boolean;
}

/** Block this user, or with `on` false no more. */
export interface BlockBody {
  readonly user: string;
  readonly on?: boolean;
}

/** Show the own profile to nobody else, or with `private` false to whoever knows one. */
export interface PrivacyBody {
  readonly private: boolean;
}

/** Ask these users to come to the table. */
export interface InviteBody {
  readonly users: readonly string[];
}

/** Who was invited. */
export interface InvitationsSent {
  readonly users: readonly string[];
}

/** The games of somebody in one edition with one number of players, added up. */
export interface KindOfGames {
  readonly edition: string;
  readonly players: number;
  readonly games: number;
  readonly won: number;
  readonly coins: number;
}

/** What somebody had at the end of a game. */
export interface GameCoins {
  readonly at: number;
  readonly coins: number;
  readonly place: number;
  readonly players: number;
}

/** Games that the viewer has played with somebody: in how many the viewer was ahead or behind. */
export interface HeadToHead {
  readonly games: number;
  readonly ahead: number;
  readonly behind: number;
}

/**
 * Somebody's games in numbers; gifts are exchanges for nothing.
 *
 * `recent` are his last games, oldest first. `against` are those with the viewer, who may have
 * `followed` or `blocked` him; it is `null` in one's own profile.
 */
export interface Profile {
  readonly user: string;
  readonly person: Person;
  readonly private: boolean;
  readonly followed: boolean;
  readonly blocked: boolean;
  readonly games: number;
  readonly won: number;
  readonly coins: number;
  readonly trades: number;
  readonly gifts_given: number;
  readonly gifts_received: number;
  readonly kinds: readonly KindOfGames[];
  readonly recent: readonly GameCoins[];
  readonly against: HeadToHead | null;
}

/** A person in a finished game. */
export interface GamePlayer {
  readonly user: string;
  readonly person: Person;
  readonly place: number;
  readonly coins: number;
}

/**
 * A finished game of one's own; `kept`: its table is there still, with the whole game.
 *
 * `people` are those of it who are known, by their places; all others were computer players, or have
 * deleted their data.
 */
export interface FinishedGame {
  readonly table: string;
  readonly at: number;
  readonly edition: string;
  readonly players: number;
  readonly place: number;
  readonly coins: number;
  readonly people: readonly GamePlayer[];
  readonly kept: boolean;
}

/** Finished games, newest first; `next` is where those behind them begin, empty at the end. */
export interface GamePage {
  readonly games: readonly FinishedGame[];
  readonly next: string;
}

/** Every command of the game. */
export type AnyCommand =
  | Plant
  | Reveal
  | MakeOffer
  | EditOffer
  | WithdrawOffer
  | AcceptOffer
  | Claim
  | PickClaimer
  | DeclineOffer
  | EndTrading
  | Pass
  | PlantSetAside
  | Harvest
  | BuyField
  | PlantLeftover
  | DiscardLeftover
  | DiscardFromHand
  | KeepHand
  | PlantFaceUp
  | LeaveRest
  | NameGift
  | TakeGift
  | PlantGift
  | ClaimBonus
  | DiscardBonus
  | RefillBonus
  | SetWish
  | MakePromise
  | WithdrawPromise;

/** Every command about the table. */
export type AnyRoomCommand =
  | Sit
  | Stand
  | GiveSalt
  | ChooseOptions
  | SeatBot
  | RemoveBot
  | Kick
  | PassHost
  | Start
  | Pause
  | Resume
  | EndTable
  | TakeBack
  | CallForChoice
  | Rematch
  | BeDone;

/** What has happened at the table, beside the game. */
export type AnyRoomEvent =
  | TableOpened
  | OptionsChosen
  | Sat
  | Stood
  | SaltGiven
  | BotSeated
  | BotRemoved
  | Kicked
  | HostPassed
  | Started
  | Paused
  | Resumed
  | HandedOver
  | TakenBack
  | ClockMissed
  | ClocksKept
  | ChoiceCalled
  | LastCallBegan
  | LastCallProlonged
  | Finished
  | Abandoned
  | DealRevealed
  | RematchMade
  | DoneGiven
  | DoneTakenBack
  | OrdersLookedAt
  | PlayingTimesSet;

/** A phase as everybody sees it. */
export type PhaseView =
  | PlantPhase
  | RevealPhase
  | TradeView
  | PlantTradedPhase
  | LeftoversPhase
  | FaceUpPhase
  | GiftView
  | PlantGiftPhase
  | BonusPhase
  | EndPhase;

/** What may stand in the events of a batch. */
export type ShownEvent =
  | TurnBegan
  | TurnedOver
  | Swept
  | TradingBegan
  | FaceUpBegan
  | HagglingBegan
  | Drew
  | Exhausted
  | GameEnded
  | Planted
  | SetAsidePlanted
  | Harvested
  | FieldBought
  | OfferMade
  | OfferEdited
  | OfferWithdrawn
  | OfferDeclined
  | OfferClaimed
  | ClaimWithdrawn
  | ClaimVoided
  | OfferVoided
  | Passed
  | TradingClosed
  | LeftoverPlanted
  | LeftoverDiscarded
  | LeftoversDone
  | HandDiscarded
  | HandKept
  | FaceUpPlanted
  | RestLeft
  | GiftNamed
  | GiftTaken
  | BluffCaught
  | BluffPaid
  | HagglingClosed
  | GiftPlanted
  | BonusBegan
  | BonusStood
  | BonusClaimed
  | BonusDiscarded
  | BonusRefilled
  | WishSet
  | PromiseMade
  | PromiseWithdrawn
  | DealtShown
  | DrewHidden
  | ReshuffledHidden
  | OfferShown
  | ClaimShown
  | TradedShown
  | HandDiscardShown
  | GiftShown
  | GiftTakenShown
  | BluffPaidShown
  | BonusDiscardShown
  | BonusRefillShown
  | BonusReshuffleShown
  | TableOpened
  | OptionsChosen
  | Sat
  | Stood
  | SaltGiven
  | BotSeated
  | BotRemoved
  | Kicked
  | HostPassed
  | Started
  | Paused
  | Resumed
  | HandedOver
  | TakenBack
  | ClockMissed
  | ClocksKept
  | ChoiceCalled
  | LastCallBegan
  | LastCallProlonged
  | Finished
  | Abandoned
  | DealRevealed
  | RematchMade
  | DoneGiven
  | DoneTakenBack
  | OrdersLookedAt
  | PlayingTimesSet;

/** What a client sends. */
export type AnyClientFrame = Send | Check | Draft | Say | GiveSign | Ping;

/** What the server sends. */
export type AnyServerFrame =
  | Welcome
  | Batch
  | Clocks
  | Ack
  | Refused
  | Checked
  | Previewed
  | Presence
  | Signs
  | People
  | Line
  | LineDeleted
  | Remark
  | Sanctioned
  | Invited
  | Said
  | SignGiven
  | Pong
  | Goodbye;

/** The lines of a replay. */
export type AnyReplayFrame = ReplayStart | ReplayEntry;
