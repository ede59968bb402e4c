import { describe, expect, test, vi } from "vitest";
import type { AnyCommand, View } from "../../src/generated/protocol";
import { Targets } from "../../src/board/targets.svelte";
import type { LiveTable } from "../../src/lib/live.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { LayoutState, PageState } from "../../src/table/state.svelte";
import type { Planting } from "../../src/table/planting";
import { OWN, view, welcome } from "../sample";

const planting = view({ active_player: 0, phase: { phase: "plant", planted: 0 } });
const plant = (field: number): AnyCommand => ({ do: "plant", player: 0, field });
const aside = (place: number, field: number): AnyCommand => ({
  do: "plant-set-aside",
  player: 0,
  place,
  field,
});
const traded = (set_aside: readonly (0 | 3 | 7)[]): View => {
  const base = view({ phase: { phase: "plant-traded" } });
  return {
    ...base,
    players: base.players.map((player, seat) => (seat === 0 ? { ...player, set_aside } : player)),
  };
};

/** A line that only notes what is held back. */
class Line {
  pending = 0;
  readonly hold = vi.fn((command: AnyCommand) => (this.page.held = { command, until: 0 }));
  readonly flush = vi.fn(() => (this.page.held = null));
  readonly undo = vi.fn(() => (this.page.held = null));

  constructor(private readonly page: PageState) {}
}

function table(game: View, legal: readonly AnyCommand[]) {
  const model = new TableModel();
  const page = new PageState();
  const live = new Line(page);
  const show = (next: View, commands: readonly AnyCommand[]): void => {
    const frame = welcome({ game: next });
    model.welcome({
      ...frame,
      choices: { ...(frame.choices as NonNullable<typeof frame.choices>), legal: commands },
    });
  };
  show(game, legal);
  const layout = new LayoutState();
  const here = new Targets(page, layout, model, live as unknown as LiveTable);
  return { model, live, show, here, layout };
}

/** Fields of one bean each, 7 and 3, beside these cards that were set aside. */
const singles = (set_aside: readonly (0 | 3 | 7)[], size = 1): View => {
  const base = traded(set_aside);
  const fields: View["players"][number]["fields"] = [Array(size).fill(7), [3]];
  return {
    ...base,
    players: base.players.map((player, seat) => (seat === 0 ? { ...player, fields } : player)),
  };
};

describe("Targets", () => {
  test("no card is chosen by itself that protects a bean while another set aside has no field", () => {
    expect(table(singles([7, 0]), [aside(0, 0)]).here.source).toBeNull();
    expect(table(singles([7, 7]), [aside(0, 0), aside(1, 0)]).here.source?.place).toBe(0);
    expect(table(singles([7, 0], 2), [aside(0, 0)]).here.source?.place).toBe(0);
  });

  test("where none is chosen for that, the order is to be minded", () => {
    expect(table(singles([7, 0]), [aside(0, 0)]).here.mindsOrder).toBe(true);
    expect(table(singles([7, 7]), [aside(0, 0), aside(1, 0)]).here.mindsOrder).toBe(false);
    expect(table(singles([7, 0]), []).here.mindsOrder).toBe(false);
  });

  test("a tap on its field plants such a card all the same", () => {
    const { here } = table(singles([7, 0]), [aside(0, 0)]);
    expect(here.onTap(0)).toEqual(aside(0, 0));
    expect(here.onTap(1)).toBeUndefined();
  });

  test("where nothing fits it is told how room can be made, as far as that is legal", () => {
    const lying = view({
      active_player: 0,
      phase: { phase: "plant-face-up", face_up: [4, 1] } as View["phase"],
    });
    const leave: AnyCommand = { do: "leave-rest", player: 0 };
    const harvest: AnyCommand = { do: "harvest", player: 0, field: 0 };
    const buy: AnyCommand = { do: "buy-field", player: 0, coins: [] };
    expect(table(lying, [leave, harvest, buy]).here.room).toBe("both");
    expect(table(lying, [leave, harvest]).here.room).toBe("harvest");
    expect(table(lying, [leave, buy]).here.room).toBe("buy");
    expect(table(lying, [leave]).here.room).toBe("none");
    expect(
      table(lying, [leave, harvest, { do: "plant-face-up", player: 0, place: 0, field: 1 }]).here.room,
    ).toBeNull();
    expect(table(traded([]), [harvest]).here.room).toBeNull();
  });

  test("behind a card that can be taken back the next one set aside is marked, with its fields", () => {
    const { here, live, show } = table(traded([3, 7]), [aside(0, 0), aside(0, 1), aside(1, 0), aside(1, 1)]);
    here.plant(0);
    expect(here.aimsAside(7)).toBe(true);
    expect([...here.fields.keys()]).toEqual([1]);
    here.plant(1);
    expect(live.flush).toHaveBeenCalledOnce();
    show(traded([7]), [aside(0, 1)]);
    here.after(0);
    expect(live.hold).toHaveBeenLastCalledWith(aside(0, 1));
  });

  test("behind a card that can be taken back one like it may join it", () => {
    const { here } = table(traded([3, 3]), [aside(0, 0), aside(1, 0), aside(0, 1), aside(1, 1)]);
    here.plant(0);
    expect([...here.fields.keys()]).toEqual([0, 1]);
  });

  test("another state forgets which card was picked, the same one keeps it", () => {
    const { here } = table(traded([3, 7]), [aside(0, 0), aside(1, 1)]);
    here.pick({ do: "plant-set-aside", place: 1, bean: 7 });
    here.anew(true);
    expect(here.source?.place).toBe(1);
    here.anew(false);
    expect(here.source?.place).toBe(0);
  });

  test("a tap on a legal field holds the command back, and on another one does nothing", () => {
    const { here, live } = table(planting, [plant(1)]);
    expect(here.plant(0)).toBe(false);
    expect(here.plant(1)).toBe(true);
    expect(live.hold).toHaveBeenCalledExactlyOnceWith(plant(1));
  });

  test("a picked card is the one that is planted", () => {
    const { here, live } = table(traded([3, 7]), [aside(0, 0), aside(1, 1)]);
    here.pick({ do: "plant-set-aside", place: 1, bean: 7 });
    expect([...here.fields.keys()]).toEqual([1]);
    here.plant(1);
    expect(live.hold).toHaveBeenCalledWith(aside(1, 1));
  });

  test("a tap on a field where only another kind fits plants that, and the chosen card stays chosen", () => {
    const { here, live } = table(traded([3, 7, 7]), [aside(0, 0), aside(1, 1), aside(2, 1)]);
    expect([...here.fields.keys()]).toEqual([0]);
    expect(here.onTap(1)).toEqual(aside(1, 1));
    expect(here.plant(1)).toBe(false); // dropped there, the chosen card does not fit
    here.plant(1, here.onTap(1));
    expect(live.hold).toHaveBeenCalledExactlyOnceWith(aside(1, 1));
  });

  test("a tap on a field that takes several other kinds plants none of them", () => {
    const { here } = table(traded([3, 7, 0]), [aside(0, 0), aside(1, 1), aside(2, 1)]);
    expect(here.onTap(1)).toBeUndefined();
  });

  test("while one is held back nothing else glows, and a second tap sends it", () => {
    const { here, live } = table(planting, [plant(0), plant(1)]);
    live.hold(plant(0));
    expect(here.source).toBeNull();
    expect(here.heldBean).toBe(OWN.hand[0]);
    here.plant(0);
    expect(live.flush).toHaveBeenCalledOnce();
  });

  test("the second tap plants the next card of that kind once it may be planted", () => {
    const { here, live, show } = table(traded([3, 7, 3]), [aside(0, 0), aside(1, 0), aside(2, 0)]);
    live.hold(aside(0, 0));
    here.plant(0);
    show(traded([7, 3]), [aside(0, 1), aside(1, 0)]);
    here.settle();
    expect(live.hold).toHaveBeenLastCalledWith(aside(1, 0));
  });

  test("after one bean the next of its kind is chosen, not the first that lies there", () => {
    const { here, live, show } = table(traded([3, 7, 7]), [aside(0, 0), aside(1, 1), aside(2, 1)]);
    here.pick({ do: "plant-set-aside", place: 1, bean: 7 });
    here.plant(1);
    live.flush();
    show(traded([3, 7]), [aside(0, 0), aside(1, 1)]);
    here.after(0);
    expect(here.source).toEqual({ do: "plant-set-aside", place: 1, bean: 7 });
    show(traded([3]), [aside(0, 0)]);
    expect(here.source?.bean).toBe(3);
  });

  test("a card chosen while another is on its way shows as chosen, and a field's number plants that one", () => {
    const { here, live, show, layout } = table(traded([3, 7, 3]), [
      aside(0, 0),
      aside(1, 0),
      aside(1, 1),
      aside(2, 0),
    ]);
    live.hold(aside(0, 0));
    here.pick({ do: "plant-set-aside", place: 1, bean: 7 });
    layout.sent = aside(0, 0) as Planting;
    expect([here.aimsAside(7), here.aimsAside(3)]).toEqual([true, false]);
    here.plant(1);
    show(traded([7, 3]), [aside(0, 0), aside(0, 1), aside(1, 0)]);
    here.after(0);
    expect(live.hold).toHaveBeenLastCalledWith(aside(0, 1));
  });

  test("a card that was chosen is not planted in place of another where it does not fit", () => {
    const { here, live, show, layout } = table(traded([3, 7, 3]), [aside(0, 0), aside(1, 1), aside(2, 0)]);
    live.hold(aside(0, 0));
    here.pick({ do: "plant-set-aside", place: 1, bean: 7 });
    layout.sent = aside(0, 0) as Planting;
    here.plant(0);
    show(traded([7, 3]), [aside(0, 1), aside(1, 0)]);
    here.after(0);
    expect(live.hold).toHaveBeenCalledOnce();
    expect(here.source?.bean).toBe(7);
  });

  test("what another player does settles nothing of what is on its way", () => {
    const { here, live, layout } = table(traded([3, 7]), [aside(0, 0), aside(1, 1)]);
    live.hold(aside(0, 0));
    here.pick({ do: "plant-set-aside", place: 1, bean: 7 });
    layout.sent = aside(0, 0) as Planting;
    here.after(2);
    expect(here.held).toEqual(aside(0, 0));
    here.after(0);
    expect([here.held, here.source?.bean]).toEqual([null, 7]);
  });

  test("a second tap that became impossible is forgotten", () => {
    const { here, live, show } = table(planting, [plant(0)]);
    live.hold(plant(0));
    here.plant(0);
    show(planting, [{ do: "reveal", player: 0 }]);
    here.settle();
    here.settle();
    expect(live.hold).toHaveBeenCalledOnce();
  });

  test("what is taken back is not planted later", () => {
    const { here, live } = table(planting, [plant(0), plant(1)]);
    live.hold(plant(0));
    here.undo();
    here.settle();
    expect(live.undo).toHaveBeenCalledOnce();
    expect(live.hold).toHaveBeenCalledOnce();
  });

  test("a cleared field takes the card that waits as soon as the harvest is seen", () => {
    const harvest: AnyCommand = { do: "harvest", player: 0, field: 0 };
    const { here, live, show, layout } = table(planting, [harvest]);
    expect([here.room, here.opens(0)]).toEqual(["harvest", false]);
    live.hold(harvest);
    expect([here.room, here.opens(0), here.opens(1), here.undoable, here.held]).toEqual([
      null,
      true,
      false,
      true,
      null,
    ]);
    expect(here.plant(0)).toBe(true);
    expect(live.flush).toHaveBeenCalledOnce();
    layout.sent = harvest;
    expect([here.clearing, here.undoable]).toEqual([harvest, false]);
    show(planting, [plant(0)]);
    here.after(0);
    expect(here.clearing).toBeNull();
    expect(live.hold).toHaveBeenLastCalledWith(plant(0));
  });

  test("a card that was chosen though it fits nowhere is the one that a cleared field takes", () => {
    const harvest: AnyCommand = { do: "harvest", player: 0, field: 1 };
    const { here, live, layout, show } = table(traded([3, 7]), [harvest, aside(1, 0)]);
    here.pick({ do: "plant-set-aside", place: 0, bean: 3 });
    expect(here.source?.bean).toBe(7);
    live.hold(harvest);
    here.plant(1);
    layout.sent = harvest;
    show(traded([3, 7]), [aside(0, 1), aside(1, 0), aside(1, 1)]);
    here.after(0);
    expect(live.hold).toHaveBeenLastCalledWith(aside(0, 1));
  });

  test("a harvest that is taken back plants nothing, and another field takes the card meanwhile", () => {
    const harvest: AnyCommand = { do: "harvest", player: 0, field: 0 };
    const { here, live, show } = table(planting, [harvest, plant(1)]);
    live.hold(harvest);
    here.undo();
    show(planting, [harvest, plant(1)]);
    here.settle();
    expect(live.hold).toHaveBeenCalledOnce();
    live.hold(harvest);
    expect(here.plant(1)).toBe(true); // what is held is sent before what is held then
    expect(live.hold).toHaveBeenLastCalledWith(plant(1));
  });

  test("a harvest off turn opens its field to no card", () => {
    const harvest: AnyCommand = { do: "harvest", player: 0, field: 0 };
    const other = view({ active_player: 1, phase: { phase: "plant", planted: 0 }, waiting: [1] });
    const { here, live } = table(other, [harvest]);
    live.hold(harvest);
    expect([here.clearing, here.opens(0)]).toEqual([harvest, false]);
  });

  test("a replay has no targets", () => {
    const { model } = table(planting, [plant(0)]);
    const here = new Targets(new PageState(), new LayoutState(), model, null);
    expect([here.sources, here.plant(0)]).toEqual([[], false]);
  });
});
