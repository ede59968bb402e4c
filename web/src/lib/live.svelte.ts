/** A table of the server as the page sees it: what it shows, and everything that can be sent to it. */
import type {
  AnyCommand,
  AnyRoomCommand,
  AnyServerFrame,
  DraftBody,
  Line,
  Preview,
  Refused,
  Remark,
  SignGiven,
} from "../generated/protocol";
import { asRefusal, call, OFFLINE, Refusal } from "./http";
import { getTable, TableModel } from "./model.svelte";
import { offline } from "./offline.svelte";
import { isStandIn } from "../table/people";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";
import { TableSocket, type Connection } from "./socket";

/** A command that is not sent yet, so that it can be taken back. */
export interface HeldCommand {
  readonly command: AnyCommand;
  readonly until: number;
}

/** Where such a command is stored until it is sent; there is at most one. */
export interface HeldSlot {
  held: HeldCommand | null;
}

/**
 * A remark as it was heard: `heard` is when it came, which is later than `at` for who watches with a delay. `standIn`
 * tells that a computer player made it that played for somebody.
 */
export interface HeardRemark extends Remark {
  readonly heard: number;
  readonly standIn?: boolean;
}

/** Why the server refuses what is done in a pause. */
const PAUSED = "table-paused";

/** Remarks of computer players that are stored: each is shown for a moment, and stands in the log. */
const REMARKS = 600;

/**
 * Tell whether a command may be sent late: it names the revision of the offer or hand it was meant for, so that
 * the server refuses it when that has changed.
 */
export function isSafeLate(command: AnyCommand | AnyRoomCommand): boolean {
  return "revision" in command || "hand_revision" in command || command.do === "withdraw-offer";
}

/** A table one sits at or watches, kept up to date over a socket. */
export class LiveTable extends TableModel {
  connection: Connection = $state("connecting");
  /** When a lost connection is tried again, in ms since 1970; `null` while it is being tried. */
  nextTry: number | null = $state(null);
  /** Why the server refuses the connection, if it does. */
  shut: Refused | null = $state.raw(null);
  /** The last refusal of something one did, until the next thing that works. */
  refusal: Refusal | null = $state.raw(null);
  /** The last refusal, for whoever tells it: a lost connection and a pause have notices of their own. */
  readonly told: Refusal | null = $derived(
    (this.connection === "lost" && this.refusal?.reason === OFFLINE) || this.refusal?.reason === PAUSED
      ? null
      : this.refusal,
  );
  /** Lines of chat, oldest first. */
  lines: readonly Line[] = $state.raw([]);
  /** What computer players said last, oldest first. */
  remarks: readonly HeardRemark[] = $state.raw([]);
  /** How many commands are on their way. */
  pending = $state(0);
  /** The server's clock minus ours, in ms. */
  offset = $state(0);

  private readonly socket: TableSocket;
  private release: ReturnType<typeof setTimeout> | undefined;
  /** What is on its way, by command and by the state it was given in. */
  private readonly inFlight = new Map<string, Promise<boolean>>();
  private readonly leave = (): void => this.flush();

  /** `slot` stores what can still be taken back. */
  constructor(
    readonly id: string,
    private readonly slot: HeldSlot,
  ) {
    super();
    this.socket = new TableSocket(id, {
      frame: (frame) => this.frame(frame),
      state: (state, refused, next) => this.state(state, refused, next),
      after: () => (this.room === null ? null : this.seq),
    });
    this.socket.open();
    this.watch({ anew: (same) => same || this.undo() });
    globalThis.addEventListener?.("pagehide", this.leave);
    void this.readChat();
  }

  /** Try now to bring a lost connection back. */
  tryNow(): void {
    this.socket.tryNow();
  }

  /** Leave the table; the seat is kept. */
  close(): void {
    globalThis.removeEventListener?.("pagehide", this.leave);
    this.flush();
    this.socket.close();
  }

  /** Send a command; returns whether it was done. Why it was not is in `refusal`. */
  act(command: AnyCommand | AnyRoomCommand): Promise<boolean> {
    this.flush();
    if (this.cannot(command)) return Promise.resolve(false);
    const name = `${this.seq} ${JSON.stringify(command)}`;
    const known = this.inFlight.get(name);
    if (known !== undefined) return known; // a double click means it once
    const done = this.send(command).finally(() => this.inFlight.delete(name));
    this.inFlight.set(name, done);
    return done;
  }

  /**
   * Refuse what would be done at a moment nobody can foresee: while the connection is lost, only what is safe
   * late is queued.
   */
  private cannot(command: AnyCommand | AnyRoomCommand): boolean {
    if (
      this.connection === "open" ||
      this.connection === "connecting" ||
      (this.connection === "lost" && isSafeLate(command))
    )
      return false;
    this.refusal = new Refusal(OFFLINE, null, {}, 0);
    return true;
  }

  private async send(command: AnyCommand | AnyRoomCommand): Promise<boolean> {
    this.pending += 1;
    try {
      await this.socket.do(command);
      this.refusal = null;
      return true;
    } catch (error) {
      this.refusal = asRefusal(error);
      return false;
    } finally {
      this.pending -= 1;
    }
  }

  /** Send a planting, harvest or purchase after the time in which it can be taken back. */
  hold(command: AnyCommand): void {
    this.flush();
    if (this.cannot(command)) return;
    if (settings.takeBack <= 0) return void this.act(command);
    this.slot.held = { command, until: Date.now() + settings.takeBack };
    this.release = setTimeout(() => this.flush(), settings.takeBack);
  }

  /** Take back what is held. */
  undo(): void {
    clearTimeout(this.release);
    this.slot.held = null;
  }

  /** Send what is held now. */
  flush(): void {
    clearTimeout(this.release);
    const held = this.slot.held;
    this.slot.held = null;
    if (held !== null) void this.act(held.command);
  }

  /** Return why a command would be refused now, or `null`. */
  async why(command: AnyCommand): Promise<Refusal | null> {
    try {
      const refused = await this.socket.check(command);
      return refused === null ? null : new Refusal(refused.reason, refused.clause, refused.params, 409);
    } catch (error) {
      return asRefusal(error);
    }
  }

  /** Ask the server what an offer would mean that is not made yet; `null` if it could not be made. */
  async requestPreview(draft: DraftBody): Promise<Preview | null> {
    try {
      return await this.socket.draft(draft);
    } catch {
      return null;
    }
  }

  /** Send a line of chat; returns whether the server took it. */
  async say(line: { text?: string; key?: string }): Promise<boolean> {
    try {
      await this.socket.say(line);
      return true;
    } catch (error) {
      this.refusal = asRefusal(error);
      return false;
    }
  }

  /**
   * Let the others know that one composes an offer, or has traded enough, in the trading that is shown now. Return
   * which sign holds; nothing comes of it if that fails.
   */
  async giveSign(sign: SignGiven["sign"]): Promise<SignGiven["sign"]> {
    try {
      return await this.socket.sign(sign, this.view?.turn ?? 0);
    } catch {
      return sign; // the connection is lost, or the server is older
    }
  }

  private frame(frame: AnyServerFrame): void {
    if ("now" in frame) this.offset = frame.now - Date.now();
    switch (frame.type) {
      case "welcome":
        if (frame.user === null) this.recognise();
        return this.welcome(frame);
      case "batch":
        return this.take(frame);
      case "clocks":
        return this.change(({ room }) => ({
          clocks: frame.clocks,
          room: { ...room, last_call: frame.last_call },
        }));
      case "presence":
        this.present = frame.present;
        this.watching = frame.watching;
        this.spectators = frame.spectators;
        return;
      case "signs":
        this.composing = frame.composing;
        this.enough = frame.enough;
        return;
      case "people":
        return this.change(({ people }) => ({ people: { ...people, ...frame.people } }));
      case "line":
        if (!this.lines.some((line) => line.line === frame.line)) this.lines = [...this.lines, frame];
        return;
      case "line-deleted":
        this.lines = this.lines.filter((line) => line.line !== frame.line);
        return;
      case "invited":
        session.invited = frame;
        return;
      case "sanctioned":
        return session.take(frame);
      case "remark":
        if (!settings.talk) return;
        // who watches with a delay gets it later, and it is shown from then on
        this.remarks = [
          ...this.remarks,
          {
            ...frame,
            heard: Date.now() + this.offset,
            standIn: isStandIn(this, frame.seat),
          },
        ].slice(-REMARKS);
        return;
      default: // frames of a newer server
    }
  }

  private state(state: Connection, refused: Refused | null, next: number | null): void {
    const back = state === "open" && this.connection === "lost";
    this.connection = state;
    this.nextTry = next;
    this.live = state === "open";
    if (back && this.refusal?.reason === OFFLINE) this.refusal = null;
    if (state === "open") this.shut = null;
    else if (state === "closed" && refused !== null) {
      this.shut = refused; // while it is lost we come back
      this.recognise();
    }
    if (!back) return;
    void this.readChat();
    void offline.look(); // the server may have been away because it got a newer page
  }

  /** Find out whether we are somebody still: a stranger is shown less, and this device may have been signed out. */
  private recognise(): void {
    if (session.me !== null) void session.recognise().catch(() => undefined);
  }

  private async readChat(): Promise<void> {
    try {
      const page = await call<{ lines: readonly Line[] }>("GET", `/api/tables/${this.id}/chat`);
      const last = page.lines.at(-1)?.line ?? -1;
      this.lines = [...page.lines, ...this.lines.filter((line) => line.line > last)]; // some may have come meanwhile
    } catch {
      // strangers and those who may not enter have none to read
    }
  }
}

/** Return the live table that a part shows, or `null` where it shows a replay. */
export function getLive(): LiveTable | null {
  const table = getTable();
  return table instanceof LiveTable ? table : null;
}
