/** A finished game as a table, so that the board can show any moment of it to whoever replays it. */
import type { AnyReplayFrame, Bean, Person, Room, Seat } from "../generated/protocol";
import { lines } from "../lib/http";
import { TableModel, type Happening } from "../lib/model.svelte";
import { isNumbered } from "../lib/names";
import { finishedGame, type ShowsFinishedGame, type FinishedGame } from "./finished";
import { Timeline, timelineOf } from "./timeline";

/** Events that the log shows, as many as at a live table. */
const LOG = 600;

/** A game that is over, on a table at which nobody can act. */
export class ReplayTable extends TableModel implements ShowsFinishedGame {
  readonly finished: FinishedGame;
  timeline: Timeline | null = $state.raw(null);
  /** The entry that is shown. */
  at = $state(0);
  /** How much of it has come, 0 to 1. */
  loaded = $state(0);

  private loads = 0;

  readonly stop: number = $derived(this.timeline?.stopAt(this.at) ?? 0);
  /** All hands by seat as they are now, if they lie open. */
  readonly hands: readonly (readonly Bean[])[] | null = $derived(
    this.timeline?.moment(this.at).hands ?? null,
  );
  /** What has happened at the entry that is shown. */
  readonly now: readonly Happening[] = $derived(this.log.filter((happening) => happening.seq === this.at));

  constructor(source: "tables" | "records", id: string) {
    super();
    this.finished = finishedGame(source, id);
  }

  /**
   * Load it as a seat saw it, as everybody did (`null`), or with all hands open; the moment stays. Tells whether it
   * is shown: what was asked for later wins. Throws a `Refusal`.
   */
  async load(seat: number | null, hands: boolean, entry: number): Promise<boolean> {
    this.loads += 1;
    const turn = this.loads;
    const query = new URLSearchParams({
      ...(seat === null ? {} : { seat: String(seat) }),
      ...(hands ? { hands: "1" } : {}),
    });
    const frames: AnyReplayFrame[] = [];
    let most = 0;
    this.loaded = 0;
    await lines<AnyReplayFrame>(`${this.finished.api}/replay?${query.toString()}`, (frame) => {
      frames.push(frame);
      if (frame.type === "replay") most = frame.entries;
      if (turn === this.loads && frames.length % 100 === 0 && most > 0) this.loaded = frames.length / most;
    });
    if (turn !== this.loads) return false;
    this.timeline = timelineOf(frames);
    this.seat = seat;
    this.names = (this.timeline?.start.names ?? []).map((name, place) =>
      this.timeline?.start.bots[place] != null && isNumbered(name) ? "" : name,
    );
    if (this.timeline !== null)
      this.jump(this.timeline, this.timeline.stops[this.timeline.stopAt(Math.max(0, entry))] ?? 0);
    return true;
  }

  /** Show the moment behind an entry; the next stop comes as it came in the game, so that cards travel. */
  put(entry: number): void {
    const { timeline } = this;
    if (timeline === null) return;
    const to = timeline.stops[timeline.stopAt(Math.min(Math.max(0, entry), timeline.last))] ?? 0;
    const near =
      this.view !== null && this.seq === this.at && timeline.stops[timeline.stopAt(this.at) + 1] === to;
    if (!near) return this.jump(timeline, to);
    for (let next = this.at + 1; next <= to; next += 1) this.take(timeline.batch(next));
    this.at = to;
  }

  private jump(timeline: Timeline, entry: number): void {
    const { view, worth } = timeline.moment(entry);
    const room = roomOf(timeline, this.finished.id);
    this.show(
      { seq: entry, room, people: peopleOf(timeline), game: view, choices: null, clocks: [], worth },
      timeline.log(entry, LOG),
    );
    this.at = entry;
  }
}

/** Make the room of a game of which only a record is left. */
function roomOf({ start }: Timeline, id: string): Room {
  const { rules } = start.game;
  return {
    id,
    host: null,
    commitment: "",
    opened: start.at ?? 0,
    status: "playing",
    paused: false,
    quiet_since: 0,
    called: [],
    done: [],
    last_call: null,
    reveal: null,
    rematch: null,
    paused_at: 0,
    origin: null,
    lesson: null,
    word: "",
    ended_by: "",
    seats: start.bots.map(seatOf),
    options: {
      edition: rules.edition,
      players: rules.players,
      house_rules: rules.house_rules,
      clock: "none",
      listed: false,
      spectators: true,
      delay: 0,
      pace: "normal",
    },
  };
}

function seatOf(bot: string | null, place: number): Seat {
  return { user: bot === null ? userOf(place) : null, bot, since: 0, misses: 0, salt: "", name: "" };
}

function peopleOf({ start }: Timeline): Record<string, Person> {
  return Object.fromEntries(
    start.names.map((name, place) => [userOf(place), { name, bot: start.bots[place] !== null, handle: "" }]),
  );
}

const userOf = (place: number): string => `seat-${place}`;
