/** Applies the changes in a batch to what is shown of a table. */
import type { Batch, FieldWorth, OfferPreview, View, ViewPatch, Welcome } from "../generated/protocol";

/** What every field is worth, by seat and field; `null` for an empty one. */
export type Worth = readonly (readonly (FieldWorth | null)[])[];

/** Return a view with the parts of a patch in place of its own. */
export function patched(view: View, patch: ViewPatch): View {
  return { ...view, ...patch, players: view.players.map((player, seat) => patch.players?.[seat] ?? player) };
}

/** Return the worth of all fields with that of the seats that have changed. */
export function reworthed(worth: Worth, changed: Readonly<Record<number, Worth[number]>>): Worth {
  const seats = Math.max(worth.length, ...Object.keys(changed).map((seat) => Number(seat) + 1));
  return Array.from({ length: seats }, (_, seat) => changed[seat] ?? worth[seat] ?? []);
}

/** All that is shown of a table, as one value. */
export type Shown = Pick<Welcome, "seq" | "room" | "people" | "game" | "choices" | "clocks"> & {
  readonly worth: Worth;
};

/** Return what is shown after a batch. */
export function after(shown: Shown, batch: Batch): Shown {
  const { quiet_since } = batch;
  const game =
    batch.game ??
    (shown.game !== null && batch.view !== undefined ? patched(shown.game, batch.view) : shown.game);
  return {
    seq: batch.seq,
    room: batch.room ?? (quiet_since === undefined ? shown.room : { ...shown.room, quiet_since }),
    people: batch.people === undefined ? shown.people : { ...shown.people, ...batch.people },
    game,
    choices: chosen(shown, batch),
    clocks: batch.clocks ?? shown.clocks,
    worth: batch.worth === undefined ? shown.worth : reworthed(shown.worth, batch.worth),
  };
}

function chosen(shown: Shown, batch: Batch): Welcome["choices"] {
  const { legal, offers, previews, gifts, discards } = batch;
  if ([legal, offers, previews, gifts, discards].every((part) => part === undefined)) return shown.choices;
  const before = shown.choices ?? NO_CHOICES;
  return {
    legal: legal ?? before.legal,
    offers: offers ?? before.offers,
    previews: previews ?? before.previews,
    gifts: gifts ?? before.gifts,
    discards: discards ?? before.discards,
  };
}

const NO_CHOICES: NonNullable<Welcome["choices"]> = {
  legal: [],
  offers: { partners: [], hand: [], face_up: [], kinds: [], hand_revision: 0, slots: 0, may_be_open: false },
  previews: [],
  gifts: [],
  discards: [],
};

/** Return what the server has said of an open offer: what it would mean, and what the viewer would give for it. */
export function previewOf(previews: readonly OfferPreview[], offer: number): OfferPreview | undefined {
  return previews.find((entry) => entry.offer === offer);
}
