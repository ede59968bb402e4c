/** Longer sentences about a table, for the text view and for what is read out. */
import { toldOverDays } from "../lib/overdays.svelte";
import { isDone, othersWaitedFor } from "./waiting";
import type { Bean, OfferView, Preview } from "../generated/protocol";
import { t, type Inflected } from "../lib/i18n.svelte";
import type { TableModel } from "../lib/model.svelte";
import { nameOf } from "../lib/names";
import { beansWord, beanWord, groupWord, offerType, seatsWord } from "../lib/sentences";
import { sides, trading } from "./offers/offers";

/** Return an offer as one sentence from the viewer's side: "Anna offers you 1 red bean for 1 blue bean of yours". */
export function offerText(offer: OfferView, table: TableModel): string {
  const { give, get } = sides(offer, table.seat);
  const mine = offer.maker === table.seat;
  const concerns = mine || (table.seat !== null && offer.to.includes(table.seat));
  const [gives, gets] = mine ? [give, get] : [get, give];
  const words = {
    kind: offerType(gives, gets),
    gives: beansWord(gives),
    wants: beansWord(gets),
    name: nameOf(table, offer.maker),
    to: groupWord(table, offer.to),
  };
  const text = mine
    ? t("read.offer-mine", words)
    : concerns
      ? t("read.offer-to-you", words)
      : t("read.offer-others", words);
  return offer.open && concerns && !mine ? `${text} ${t("read.offer-open", { name: words.name })}` : text;
}

/** Return what an offer would mean for the viewer's fields; nothing where it means nothing. */
export function meaningText(preview: Preview | undefined): string {
  if (preview === undefined) return "";
  const grown = preview.fields.map((field) =>
    t("read.grows", {
      bean: beanWord(field.bean),
      field: field.field + 1,
      before: field.beans_before,
      after: field.beans_after,
      coins: t("words.coins", { count: field.coins_after }),
    }),
  );
  const withoutField =
    preview.homeless.length === 0 ? [] : [t("read.homeless", { beans: beansWord(preview.homeless) })];
  return [...grown, ...withoutField].join(" ");
}

/** Return what the game waits for from the viewer, `null` if it waits for others. */
export function callText(table: TableModel): string | null {
  const { view, seat } = table;
  if (view === null || seat === null || !view.waiting.includes(seat)) return null;
  const { phase } = view;
  switch (phase.phase) {
    case "plant":
      return plantText(table, phase.planted);
    case "reveal":
      return t("read.now-reveal");
    case "trade":
      if (isDone(table.room, seat)) return toldOverDays(table)?.saidDone(table) ?? t("table.say.done");
      return view.active_player === seat ? t("read.now-trade") : t("read.now-pass");
    case "plant-traded":
      return withRoom(
        table,
        t("read.now-plant-traded", { beans: beansWord(view.players[seat]?.set_aside ?? []) }),
      );
    case "leftovers":
      return t("read.now-leftovers", { beans: beansWord(phase.leftovers) });
    case "plant-face-up":
      return t("read.now-plant-face-up", { beans: beansWord(phase.face_up) });
    case "gift":
      return phase.open
        ? t("read.now-gift-open", { bean: named(phase.named.at(-1)?.[1]) })
        : t("read.now-gift");
    case "plant-gift":
      return withRoom(
        table,
        t("read.now-plant-gift", {
          beans: beansWord([
            ...(phase.receiver === seat ? phase.gift : []),
            ...(view.active_player === seat ? phase.face_up : []),
          ]),
        }),
      );
    case "bonus":
      return phase.discarding.includes(seat) ? t("read.now-bonus-discard") : t("read.now-bonus-refill");
    case "end":
      return null;
  }
}

/** Return what may be done while one plants from the hand. */
function plantText(table: TableModel, planted: number): string {
  const front = table.view?.own?.hand[0];
  const may = (name: "plant" | "reveal" | "keep-hand"): boolean => table.allowed(name).length > 0;
  const parts: string[] = [];
  if (front !== undefined && may("plant"))
    parts.push(t("read.now-plant", { bean: beanWord(front), planted }));
  else if (front !== undefined && planted === 0) parts.push(t("read.now-harvest", { bean: beanWord(front) }));
  if (may("reveal")) parts.push(t(parts.length > 0 ? "read.now-or-reveal" : "read.now-reveal"));
  if (may("keep-hand")) parts.push(t("read.now-keep", { planted }));
  return parts.join(" ");
}

/** Add that a field must be harvested first, where nothing that must be planted finds one. */
function withRoom(table: TableModel, text: string): string {
  return table.legal.some((command) => command.do.startsWith("plant"))
    ? text
    : `${text} ${t("read.now-no-room")}`;
}

const named = (bean: Bean | undefined): string | Inflected =>
  bean === undefined ? t("words.nothing") : beanWord(bean);

/** Return whose turn it is, what goes on, and for whom the game waits, in two or three sentences. */
export function statusText(table: TableModel): string {
  const { view } = table;
  if (view === null) return "";
  if (view.phase.phase === "end") return t("phase.end");
  const parts = [
    t("read.turn", {
      turn: view.turn,
      you: table.mine ? "yes" : "no",
      player: nameOf(table, view.active_player),
      phase: t(`phase.${view.phase.phase}`),
    }),
  ];
  const call = callText(table);
  if (call !== null) parts.push(call);
  const others = othersWaitedFor(view, table.seat);
  if (others.length > 0 && trading(view) === null)
    parts.push(t("read.waiting", { names: seatsWord(table, others) }));
  return parts.join(" ");
}
