/** Whether the beans of an offer stand on its ticket with their names, or drawn only. */
import type { Bean } from "../../generated/protocol";
import { kind } from "../../lib/beans";
import { t } from "../../lib/i18n.svelte";
import type { OfferRole } from "../../table/offers/offers";

/** How tickets stand: with all their lines, on three of them, on three beside bonus cards, or on two. */
export type TicketRoom = "wide" | "dense" | "duel" | "brief";

/** Px that both sides of an offer have together on so few lines. */
const PX = { dense: 190, duel: 125, brief: 150 } as const;

/** Px that a drawing takes, and a letter. */
const DRAWING = 28;
const LETTER = 7;

/** Letters of "2 ×". */
const COUNT = 3;

/** Letters that three kinds and more may have where a ticket has all its lines. */
const MOST = 15;

/** What is said where one side of an offer is empty. */
export interface EmptySides {
  readonly give: string;
  readonly get: string;
}

/** Return what stands for an empty side of an offer: nothing, or that it is a gift of the viewer. */
export function emptySides(role: OfferRole): EmptySides {
  const nothing = t("tray.nothing");
  return { give: nothing, get: role === "others" ? nothing : t("tray.a-gift") };
}

/** Tell whether the names of all beans have room beside their drawings; nothing given or got is said in words. */
export function roomForNames(
  { give, get }: { readonly give: readonly Bean[]; readonly get: readonly Bean[] },
  room: TicketRoom,
): boolean {
  const kinds = [...new Set(give), ...new Set(get)];
  const names = kinds.map((bean) => t(`table.short.${kind(bean)}`)).join("").length;
  if (room === "wide") return kinds.length <= 2 || names <= MOST;
  const counts = kinds.length < give.length + get.length ? COUNT : 0;
  const words = give.length === 0 ? t("tray.nothing") : get.length === 0 ? t("tray.a-gift") : "";
  return kinds.length * DRAWING + (names + counts + words.length) * LETTER <= PX[room];
}

/** Return how many letters of the alphabet a text is as wide as; one of Japanese is as wide as two. */
export const lettersOf = (text: string): number => text.replace(/[\u3000-\u9fff]/g, "xx").length;

/** Px of a letter of a name below a drawing. */
const BELOW = 7.2;

/** Return how narrow the letters of a name below a drawing are drawn, from 0 to 1, so that it is whole in these px. */
export const narrowed = (name: string, room: number): number => Math.min(1, room / (lettersOf(name) * BELOW));
