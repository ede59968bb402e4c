/** Saves an offer that is being composed in the browser, so that a reload does not lose it. */
import type { LiveTable } from "../../lib/live.svelte";
import type { TableModel } from "../../lib/model.svelte";
import type { Selection } from "../state.svelte";

/** What is saved of an offer one is putting together, so that a reload loses nothing. */
interface SavedDraft {
  readonly revision: number;
  readonly turn: number;
  readonly hand: readonly number[];
  readonly faceUp: readonly number[];
  readonly want: Selection["want"];
  readonly to: readonly number[];
  readonly letMeChoose: boolean | null;
}

const key = (table: TableModel): string => `bohn.draft.${table.room?.id ?? ""}`;

/**
 * Store a new offer that is composed in this browser (a change of one that lies open is not one), and put it
 * back after a reload while hand and turn are the same.
 */
export function saveDraft(selection: Selection, table: TableModel | LiveTable): void {
  restore(selection, table);
  $effect(() => {
    const { hand, faceUp, want, to, letMeChoose, open, purpose } = selection;
    const saved: SavedDraft = {
      revision: table.view?.own?.hand_revision ?? -1,
      turn: table.view?.turn ?? -1,
      hand,
      faceUp,
      want,
      to,
      letMeChoose,
    };
    try {
      if (open && (purpose.is === "compose" || purpose.is === "counter"))
        sessionStorage.setItem(key(table), JSON.stringify(saved));
      else sessionStorage.removeItem(key(table));
    } catch {
      // without storage a reload begins anew
    }
  });
}

function restore(selection: Selection, table: TableModel): void {
  try {
    const saved = JSON.parse(sessionStorage.getItem(key(table)) ?? "null") as SavedDraft | null;
    if (saved === null || saved.revision !== table.view?.own?.hand_revision || saved.turn !== table.view.turn)
      return;
    selection.hand = saved.hand;
    selection.faceUp = saved.faceUp;
    selection.want = saved.want;
    selection.to = saved.to;
    selection.letMeChoose = saved.letMeChoose;
    selection.open = true;
  } catch {
    // there is no storage, or another version has written it
  }
}
