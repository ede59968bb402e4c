import type { AnyCommand, Bean, GiftView, NameGift, View, Way } from "../../generated/protocol";
import type { TableModel } from "../../lib/model.svelte";

/** What can be told of a kind while a gift is haggled over. */
export interface GiftKind {
  readonly bean: Bean;
  /** Who has named it already, `null` if nobody has. */
  readonly namedBy: number | null;
  /** The cards one has of it; none makes naming it a bluff. */
  readonly ways: readonly Way[];
}

/** Return the haggling of a view, if it is on. */
export function haggling(view: View | null): GiftView | null {
  return view?.phase.phase === "gift" ? view.phase : null;
}

/** Return what is known of each kind of this game. */
export function kindsOf(table: TableModel, kinds: readonly Bean[]): readonly GiftKind[] {
  const named = haggling(table.view)?.named ?? [];
  return kinds.map((bean) => ({
    bean,
    namedBy: named.find(([, other]) => other === bean)?.[0] ?? null,
    ways: table.ways(bean),
  }));
}

/** Return the command that names a kind, with the copy one would rather give. */
export function naming(view: View, bean: Bean, way: Way | undefined): NameGift {
  return {
    do: "name-gift",
    player: view.viewer ?? 0,
    bean,
    hand: way?.hand ?? [],
    hand_revision: view.own?.hand_revision ?? 0,
  };
}

/** Tell whether this kind may be named now. */
export function mayName(legal: readonly AnyCommand[], bean: Bean): boolean {
  return legal.some((command) => command.do === "name-gift" && command.bean === bean);
}

/** Return what was named last and waits for an answer. */
export function offered(phase: GiftView): { readonly giver: number; readonly bean: Bean } | null {
  const last = phase.open ? phase.named.at(-1) : undefined;
  return last === undefined ? null : { giver: last[0], bean: last[1] };
}
