import { describe, expect, it } from "vitest";
import {
  NO_LIST,
  noted,
  roomWith,
  rowOfList,
  settled,
  type ListPlace,
} from "../../../src/board/market/list-place";

/** Return the place after a change of the tickets in a market of three columns. */
function after(place: ListPlace, tickets: number, listed = true, rows = 2): ListPlace {
  return noted(place, listed, tickets, roomWith(place, 3, rows), rows === 1);
}

/** Return the place of a list that has begun beside so many tickets. */
const begun = (tickets: number): ListPlace => after(NO_LIST, tickets);

const rowOf = (place: ListPlace, tickets: number, rows = 2): number =>
  rowOfList(place, tickets, roomWith(place, 3, rows));

describe("the list of what stands aside", () => {
  it("stays where it began while tickets come and go", () => {
    for (const [first, row] of [
      [0, 0],
      [2, 0],
      [3, 1],
    ] as const) {
      let list = begun(first);
      for (const tickets of [first + 1, 4, 1, 0]) {
        list = after(list, tickets);
        expect(rowOf(list, tickets)).toBe(row);
      }
    }
  });

  it("comes back to where a ticket has pushed it from only when the market is calm", () => {
    const pushed = after(begun(2), 5);
    expect(rowOf(pushed, 5)).toBe(1);
    const less = after(pushed, 4);
    expect(rowOf(less, 4)).toBe(1);
    expect(rowOf(settled(less, 4, roomWith(less, 3, 2)), 4)).toBe(0);
  });

  it("comes back at once from where what is put together has pushed it", () => {
    const list = after(begun(2), 3, true, 1);
    expect(rowOf(list, 3, 1)).toBe(1);
    expect(rowOf(list, 3)).toBe(0);
  });

  it("keeps its place when it is empty as long as a ticket would move", () => {
    const kept = after(begun(2), 3, false);
    expect(kept.began).toBe(0);
    expect(after(kept, 2, false).began).toBeNull();
  });

  it("comes into sight in a calm market once there is room", () => {
    const list = after(begun(6), 2);
    expect(rowOf(list, 2)).toBe(2);
    expect(rowOf(settled(list, 2, roomWith(list, 3, 2)), 2)).toBe(0);
  });
});
