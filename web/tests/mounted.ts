/** Parts of the table's page on their own, for tests. */
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, vi } from "vitest";
import { LiveTable } from "../src/lib/live.svelte";
import type { Welcome } from "../src/generated/protocol";
import type { TableModel } from "../src/lib/model.svelte";
import type { LayoutState, PageState } from "../src/table/state.svelte";
import { FakeSocket } from "./fake-socket";
import Provided from "./Provided.svelte";
import { welcome } from "./sample";

/** A part that is shown, and the state it reads and changes. */
export interface Mounted {
  readonly box: HTMLElement;
  readonly page: PageState;
  readonly layout: LayoutState;
}

let ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends) end();
  ends = [];
  vi.unstubAllGlobals();
});

/** Return a live table that has had its first frame, and its connection. */
export function liveTable(changes: Partial<Welcome> = {}): [LiveTable, FakeSocket] {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no server")));
  const table = new LiveTable("t", { held: null });
  ends.push(() => table.close());
  const socket = FakeSocket.all.at(-1) as FakeSocket;
  socket.hear(welcome(changes));
  return [table, socket];
}

/** Show a part until the test ends. */
export function show(
  part: Component<never>,
  table: TableModel,
  props: Record<string, unknown> = {},
): Mounted {
  const box = document.createElement("div");
  document.body.append(box);
  let state: Omit<Mounted, "box"> | undefined;
  const shown = mount(Provided, {
    target: box,
    props: {
      part: part as Component,
      props,
      table,
      made: (page: PageState, layout: LayoutState) => (state = { page, layout }),
    },
  });
  flushSync();
  ends.push(() => {
    void unmount(shown);
    box.remove();
  });
  if (state === undefined) throw new Error("the part was not made");
  return { box, ...state };
}

/** Click what a selector finds. */
export function click(box: HTMLElement, selector: string): void {
  const found = box.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`nothing fits ${selector}`);
  found.click();
  flushSync();
}
