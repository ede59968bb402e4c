import { describe, expect, it } from "vitest";
import { awards, level, mascots, standings } from "../../src/after/standings";
import type { PlayerSummary, Result, Summary } from "../../src/generated/protocol";
import { Bean } from "../../src/generated/protocol";

const tie: Result = { coins: [10, 14, 14, 3], pennies: [0, 0, 0, 0], hand_cards: [4, 3, 7, 9], winners: [2] };

const idle: PlayerSummary = {
  trades: 0,
  gifts_given: 0,
  gifts_received: 0,
  beans_given: 0,
  beans_received: 0,
  offers_made: 0,
  offers_taken: 0,
  offers_accepted: 0,
  offers_declined: 0,
  planted: 0,
  harvests: 0,
  best: null,
  coins_by_bean: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  fields_bought: 0,
};

function game(...players: readonly Partial<PlayerSummary>[]): Summary {
  const all = players.map((player) => ({ ...idle, ...player }));
  return {
    table: "t",
    record: null,
    edition: "full",
    house_rules: [],
    names: all.map(() => ""),
    bots: all.map(() => null),
    entries: 1,
    turns: 1,
    began: null,
    ended: null,
    result: null,
    ranks: [],
    coins: [],
    players: all,
  };
}

describe("standings", () => {
  it("follow the ranks of the server", () => {
    expect(standings(tie, [3, 2, 1, 4]).map((row) => row.seat)).toEqual([2, 1, 0, 3]);
  });

  it("begin with the winners while no rank is known", () => {
    const rows = standings(tie, []);
    expect(rows.map((row) => row.seat)).toEqual([2, 1, 0, 3]);
    expect(rows.every((row) => row.rank === null)).toBe(true);
  });
});

describe("level", () => {
  it("names all who have as much as the winner", () => {
    expect(level(tie)).toEqual([1, 2]);
  });

  it("names all who have as much as somebody else", () => {
    expect(level(tie, 1)).toEqual([1, 2]);
    expect(level(tie, 3)).toEqual([3]);
  });

  it("counts pennies too", () => {
    expect(level({ ...tie, pennies: [0, 5, 9, 0] })).toEqual([2]);
  });

  it("is empty without a winner", () => {
    expect(level({ ...tie, winners: [] })).toEqual([]);
  });
});

describe("mascots", () => {
  const earned = (coins: Partial<Record<Bean, number>>): PlayerSummary => ({
    ...idle,
    coins_by_bean: idle.coins_by_bean.map((_, bean) => coins[bean as Bean] ?? 0),
  });

  it("are the kinds that earned most", () => {
    expect(mascots([earned({ [Bean.STINK]: 4, [Bean.WAX]: 3 })])).toEqual([Bean.STINK]);
  });

  it("are different ones as far as there are kinds", () => {
    const game = [
      earned({ [Bean.WAX]: 5, [Bean.RED]: 2 }),
      earned({ [Bean.WAX]: 6 }),
      earned({ [Bean.WAX]: 1 }),
    ];
    expect(mascots(game)).toEqual([Bean.RED, Bean.WAX, Bean.WAX]);
  });

  it("are none for who earned nothing", () => {
    expect(mascots([idle])).toEqual([null]);
  });
});

describe("awards", () => {
  it("go to whoever leads alone", () => {
    const found = awards(game({ trades: 5 }, { trades: 2, gifts_given: 1 }));
    expect(found.map((award) => [award.name, award.seat, award.value])).toEqual([
      ["trades", 0, 5],
      ["gifts", 1, 1],
    ]);
  });

  it("are not given where two are level or nobody did anything", () => {
    expect(awards(game({ trades: 5 }, { trades: 5 }))).toEqual([]);
  });

  it("go to nobody twice", () => {
    const found = awards(game({ trades: 5, beans_given: 9, offers_taken: 4 }, { trades: 1, beans_given: 1 }));
    expect(found.map((award) => award.name)).toEqual(["trades"]);
  });

  it("tell the best harvest with its beans", () => {
    const best = { entry: 9, bean: Bean.BLUE, beans: 10, coins: 4 };
    expect(awards(game({ best }, { best: { ...best, coins: 2 } }))).toEqual([
      { name: "harvest", seat: 0, value: 4, bean: Bean.BLUE, beans: 10 },
    ]);
  });
});
