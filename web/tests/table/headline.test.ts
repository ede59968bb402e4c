import { beforeAll, expect, test } from "vitest";
import { headline } from "../../src/board/bar/prompt";
import type { AnyCommand, Room, View } from "../../src/generated/protocol";
import { loadLanguage } from "../../src/lib/i18n.svelte";
import { TableModel } from "../../src/lib/model.svelte";
import { waitsForViewer } from "../../src/table/waiting";
import { tabTitle } from "../../src/table/attention.svelte";
import { offer, takingAll, view, welcome } from "../sample";

beforeAll(() => loadLanguage("en"));

/** A table as seat 0 sees it. */
function seen(changes: Partial<View>): TableModel {
  const table = new TableModel();
  table.welcome(welcome({ game: view(changes) }));
  return table;
}

const over = (changes: Partial<View>): string => headline(seen(changes));

test("where several plant, the headline names those who still have to", () => {
  const phase = { phase: "plant-traded" } as const;
  expect(over({ phase, active_player: 1, waiting: [1, 2] })).toBe("Bert and Chiyo plant");
  expect(over({ phase, active_player: 1, waiting: [2] })).toBe("Chiyo plants");
});

test("whoever is waited for in his own turn reads that it is his turn", () => {
  expect(over({ phase: { phase: "plant-traded" }, active_player: 0, waiting: [1, 0] })).toBe(
    "Your turn: plant",
  );
  const bonus = { phase: "bonus", discarding: [1, 0], refilling: [1, 0] } as const;
  expect(over({ phase: bonus, active_player: 0, waiting: [1, 0] })).toBe("Your turn: bonus cards");
});

test("whoever is waited for in another's turn reads what he is asked, not that it is his turn", () => {
  const gift = { phase: "gift", face_up: [], word: 0 } as const;
  const bonus = { phase: "bonus", discarding: [1, 0], refilling: [1, 0] } as const;
  const asked = { active_player: 1, waiting: [0] };
  expect(over({ ...asked, phase: { phase: "plant-traded" } })).toBe("Plant what you got");
  expect(over({ ...asked, phase: { ...gift, named: [[1, 8]], open: true } })).toBe("Answer the gift");
  expect(over({ ...asked, phase: { ...gift, named: [[1, 8]], open: false } })).toBe("Name another gift");
  expect(over({ ...asked, phase: bonus })).toBe("You may change bonus cards");
});

test("whoever has done his part reads for whom the game waits, though he is the active player", () => {
  expect(over({ phase: { phase: "plant-traded" }, active_player: 0, waiting: [1] })).toBe("Bert plants");
  const bonus = { phase: "bonus", discarding: [1], refilling: [1, 0] } as const;
  expect(over({ phase: bonus, active_player: 0, waiting: [1] })).toBe("Bert handles bonus cards");
});

test("whoever replays a computer player's trading is not told that he is done with it", () => {
  const { room } = welcome();
  const seats = room.seats.map((seat, at) => (at === 0 ? { ...seat, user: null, bot: "pk" } : seat));
  const table = new TableModel();
  const game = view({ active_player: 0 });
  table.welcome(welcome({ game, room: { ...room, seats }, choices: null }));
  expect(headline(table)).toBe(over({ active_player: 0 }));
});

test("whoever has a computer player in his seat reads that, and not that it is his turn", () => {
  const game = view({ phase: { phase: "plant", planted: 0 }, active_player: 0, waiting: [0] });
  const { room } = welcome();
  const seats = room.seats.map((seat, at) => (at === 0 ? { ...seat, user: "ada", bot: "pk" } : seat));
  const table = new TableModel();
  table.welcome(welcome({ game, room: { ...room, seats } }));
  expect(headline(table)).toBe("A computer player is playing for you.");
  expect(waitsForViewer(table)).toBe(false);
});

test("the market is its player's, also where the others must pass", () => {
  const phase = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
  expect(over({ phase, active_player: 1, waiting: [0, 1, 2] })).toBe("Bert trades");
});

test("whoever can plant no more from his hand reads that cards are to be turned over", () => {
  const game = view({ phase: { phase: "plant", planted: 2 }, active_player: 0 });
  const made = welcome({ game }).choices;
  const told = (legal: readonly AnyCommand[]): string => {
    const table = new TableModel();
    table.welcome(welcome({ game, choices: made === null ? null : { ...made, legal } }));
    return headline(table);
  };
  expect(told([{ do: "reveal", player: 0 }])).toBe("Your turn: turn over cards");
  const plant = { do: "plant", player: 0, field: 0 } as const;
  expect(told([plant, { do: "reveal", player: 0 }])).toBe("Your turn: plant");
});

test("the headline says that an offer waits, and whose market it is", () => {
  const game = view({
    phase: { phase: "trade", face_up: [], offers: [offer()], passes: [] },
    active_player: 1,
  });
  const table = new TableModel();
  table.welcome(welcome({ game, choices: takingAll(game) }));
  expect(headline(table)).toBe("Bert trades: an offer for you");
});

test("the tab says that an offer waits, and never for it that it is the viewer's turn", () => {
  const game = view({ phase: { phase: "trade", face_up: [], offers: [offer()], passes: [] } });
  const table = new TableModel();
  table.welcome(welcome({ game, choices: takingAll(game) }));
  expect(tabTitle(table, false)).toBe("An offer for you! Bohn");
});

test("the tab says that it is the viewer's turn when the game waits for him in it, and only then", () => {
  const phase = { phase: "plant-traded" } as const;
  expect(tabTitle(seen({ phase, active_player: 0, waiting: [0, 1] }), false)).toBe("Your turn! Bohn");
  expect(tabTitle(seen({ phase, active_player: 1, waiting: [0, 1] }), false)).toBe("You’re needed! Bohn");
  expect(tabTitle(seen({ phase, active_player: 0, waiting: [1] }), false)).toBe("Bohn");
});

test("the tab of whoever is done with the trading does not say that it is his turn", () => {
  const phase = { phase: "trade", face_up: [], offers: [], passes: [] } as const;
  const table = new TableModel();
  const game = view({ phase, active_player: 0, waiting: [0, 1] });
  table.welcome(welcome({ game, room: { ...welcome().room, done: [0] } as Room }));
  expect(tabTitle(table, false)).toBe("Bohn");
});

test("while another tab is in front, the title counts what waits", () => {
  const phase = { phase: "plant", planted: 0 } as const;
  expect(tabTitle(seen({ phase, active_player: 0 }), true)).toBe("(1) Your turn · Bohn");
  expect(tabTitle(seen({ phase, active_player: 1 }), true)).toBe("Bohn");
});

test("a game that was given up waits for nobody", () => {
  const game = view({ phase: { phase: "plant-traded" }, active_player: 0, waiting: [0] });
  const table = new TableModel();
  table.welcome(welcome({ game, room: { ...welcome().room, status: "abandoned" } }));
  expect(headline(table)).toBe("This game was abandoned");
});

test("a last call stands where whose market it is stood, while it is of this turn", () => {
  const told = (turn: number): string => {
    const table = new TableModel();
    const phase = { phase: "trade" } as View["phase"];
    const frame = welcome({ game: view({ phase, active_player: 1, waiting: [1], turn: 3 }) });
    const room = { ...frame.room, last_call: { turn, until: 9000, prolonged: false, announced: 0 } };
    table.welcome({ ...frame, room });
    return headline(table);
  };
  expect(told(2)).toBe("Bert trades");
  expect(told(3)).toBe("Last call!");
});
