import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import type { Selection } from "../lib/selection.svelte";

/** What is kept of an offer one is putting together, so that a reload loses nothing. */
interface Kept {
  readonly revision: number;
  readonly turn: number;
  readonly hand: readonly number[];
  readonly faceUp: readonly number[];
  readonly want: Selection["want"];
  readonly to: readonly number[];
  readonly letMeChoose: boolean | null;
}

const key = (table: TableModel): string => `bohn.draft.${table.room?.id ?? ""}`;

/** Keep a new offer that is composed in this browser (a change of one that lies open is not one), and put it back after a reload while hand and turn are the same. */
export function keepDraft(table: TableModel | LiveTable, selection: Selection): void {
  restore(table, selection);
  $effect(() => {
    const { hand, faceUp, want, to, letMeChoose, open, purpose } = selection;
    const kept: Kept = { revision: table.view?.own?.hand_revision ?? -1, turn: table.view?.turn ?? -1, hand, faceUp, want, to, letMeChoose };
    try {
      if (open && (purpose.is === "compose" || purpose.is === "counter")) sessionStorage.setItem(key(table), JSON.stringify(kept));
      else sessionStorage.removeItem(key(table));
    } catch {
      // without storage a reload begins anew
    }
  });
}

function restore(table: TableModel, selection: Selection): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key(table)) ?? "null") as Kept | null;
    if (kept === null || kept.revision !== table.view?.own?.hand_revision || kept.turn !== table.view.turn) return;
    selection.hand = kept.hand;
    selection.faceUp = kept.faceUp;
    selection.want = kept.want;
    selection.to = kept.to;
    selection.letMeChoose = kept.letMeChoose;
    selection.open = true;
  } catch {
    // there is no storage, or another version has written it
  }
}
