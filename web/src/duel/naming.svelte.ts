import type { Bean } from "../generated/protocol";
import type { LiveTable } from "../lib/live.svelte";
import type { TableModel } from "../lib/model.svelte";
import { mayName, naming, waysToGive, type Way } from "./gifts";

/** The gift one is about to name: a kind, and which of one's cards of it one would give. */
export class Naming {
  private picked: Bean | null = $state(null);
  /** Which of the ways to give it. */
  which = $state(0);

  constructor(private readonly table: TableModel) {}

  // No `$derived`: it would end with the component that asked first, and this outlives the components.

  /** The kind, as long as it may be named. */
  get bean(): Bean | null {
    return this.picked !== null && mayName(this.table.legal, this.picked) ? this.picked : null;
  }

  /** The cards of that kind one has; none makes it a bluff. */
  get ways(): readonly Way[] {
    const { view } = this.table;
    return view === null || this.bean === null ? [] : waysToGive(view, this.bean);
  }

  /** Choose a kind; the same once more chooses none. */
  choose(bean: Bean): void {
    if (!mayName(this.table.legal, bean)) return;
    this.picked = bean === this.bean ? null : bean;
    this.which = 0;
  }

  /** Name it. */
  async name(live: LiveTable): Promise<void> {
    const { view } = this.table;
    if (view === null || this.bean === null) return;
    const command = naming(view, this.bean, this.ways.length > 1 ? this.ways[this.which] : undefined);
    this.picked = null;
    await live.act(command);
  }
}

const known = new WeakMap<TableModel, Naming>();

/** Return the gift that is about to be named at a table. */
export function namingAt(table: TableModel): Naming {
  const found = known.get(table) ?? new Naming(table);
  known.set(table, found);
  return found;
}
