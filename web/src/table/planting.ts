/** The commands that plant or discard one card, and which of them a card may use. */
import type { AnyCommand, Bean, DiscardFromHand, Harvest, View } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";

/** The commands that put one card on one field. */
const PLANTINGS = ["plant", "plant-set-aside", "plant-leftover", "plant-face-up", "plant-gift"] as const;

export type Planting = Extract<AnyCommand, { do: (typeof PLANTINGS)[number] }>;

/** What can be taken back while it is held, and changes a field as soon as it is pressed. */
export type FieldDeed = Planting | Harvest;

/** A card that may be planted: where it lies, and which one it is there. */
export interface Source {
  readonly do: Planting["do"];
  readonly place: number;
  readonly bean: Bean;
}

export function isPlanting(command: AnyCommand): command is Planting {
  return (PLANTINGS as readonly string[]).includes(command.do);
}

/** Tell whether a command changes a field of the player. */
export function isFieldDeed(command: AnyCommand): command is FieldDeed {
  return command.do === "harvest" || isPlanting(command);
}

/** Return which card of its kind of source a command plants. */
export function placeOf(command: Planting): number {
  return "place" in command ? command.place : 0;
}

/** Return the discard of a hand card, where one may be discarded. */
export function discardOf(table: TableModel, place: number): DiscardFromHand | null {
  const legal = table.allowed("discard-from-hand")[0];
  const copy = table.choices?.discards.find(([from]) => from === place);
  if (legal === undefined || copy === undefined) return null;
  return { ...legal, copy, hand_revision: table.view?.own?.hand_revision ?? 0 };
}

/** Return the bean that a command would plant. */
export function beanOf(view: View, command: Planting): Bean | undefined {
  const { phase } = view;
  const place = placeOf(command);
  switch (command.do) {
    case "plant":
      return view.own?.hand[0];
    case "plant-set-aside":
      return view.players[command.player]?.set_aside[place];
    case "plant-leftover":
      return "leftovers" in phase ? phase.leftovers[place] : undefined;
    case "plant-face-up":
      return "face_up" in phase ? phase.face_up[place] : undefined;
    case "plant-gift":
      return "gift" in phase ? phase.gift[place] : undefined;
  }
}

/** Return the cards that may be planted now, each once, in the order of the commands. */
export function sourcesOf(view: View, legal: readonly AnyCommand[]): Source[] {
  const found: Source[] = [];
  for (const command of legal) {
    if (!isPlanting(command)) continue;
    const place = placeOf(command);
    const bean = beanOf(view, command);
    if (bean === undefined || found.some((other) => other.do === command.do && other.place === place))
      continue;
    found.push({ do: command.do, place, bean });
  }
  return found;
}

/** Return how a card may be planted, by field. */
export function fieldsFor(
  legal: readonly AnyCommand[],
  source: Source | null,
): ReadonlyMap<number, Planting> {
  const fits = legal
    .filter(isPlanting)
    .filter((command) => command.do === source?.do && placeOf(command) === source.place);
  return new Map(fits.map((command) => [command.field, command]));
}

/**
 * Return the card that a tap plants where none was chosen: the first that may be planted, unless its planting protected
 * a single bean while another set aside has still to find a field; then one that does no such harm, or
 * none, so that the viewer chooses.
 */
export function firstOf(
  view: View | null,
  sources: readonly Source[],
  legal: readonly AnyCommand[],
): Source | null {
  const command = legal.find(isPlanting);
  const player = command === undefined ? undefined : view?.players[command.player];
  if (player === undefined || sources[0]?.do !== "plant-set-aside") return sources[0] ?? null;
  const homeless = player.set_aside.some((bean) => sources.every((source) => source.bean !== bean));
  const sizes = player.fields.map((field) => field.length);
  const even = sizes.every((size) => size <= 1);
  const protects = (source: Source): boolean =>
    [...fieldsFor(legal, source).keys()].every(
      (field) => sizes[field] === 1 && sizes.some((size, other) => other !== field && size === 1),
    );
  return (homeless && even ? sources.find((source) => !protects(source)) : sources[0]) ?? null;
}
