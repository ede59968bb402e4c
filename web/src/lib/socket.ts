/** The WebSocket of one table, which reconnects by itself and matches replies to what was sent. */
import type {
  Ack,
  AnyClientFrame,
  AnyCommand,
  AnyRoomCommand,
  AnyServerFrame,
  Checked,
  DraftBody,
  Goodbye,
  Preview,
  Previewed,
  Refused,
  Said,
  SignGiven,
} from "../generated/protocol";
import { OFFLINE, Refusal } from "./http";

/** The state of the connection: `lost` is tried again by itself, `closed` is not. */
export type Connection = "connecting" | "open" | "lost" | "closed";

/** What a socket tells its owner. */
export interface Listener {
  /** A frame came that answers nothing. */
  frame(frame: AnyServerFrame): void;
  /**
   * The connection changed; `refused` is set where the server will not have us, and `next` is when a lost one is tried
   * again (ms since 1970), `null` while it is being tried.
   */
  state(state: Connection, refused: Refused | null, next: number | null): void;
  /** The last batch that is known, to come back behind it; `null` for everything anew. */
  after(): number | null;
}

/** What may answer a frame. */
type Answer = Ack | Refused | Checked | Previewed | Said | SignGiven;

/** A frame that was sent and is not answered yet. */
interface Request {
  readonly frame: AnyClientFrame;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: Refusal) => void;
}

/** Whether a frame is of its moment, as chat and signs are: without a connection it is not sent at all. */
const isTalk = ({ type }: AnyClientFrame): boolean => type === "say" || type === "sign";

/** How long, in ms, the first try to connect again waits; each further one waits twice as long. */
const FIRST_WAIT = 400;

/** The longest wait before a try, in ms: a server that is back is found within seconds. */
const LONGEST_WAIT = 8_000;

/** After how long without a frame, in ms, the connection is tested by a ping of ours. */
const SILENCE = 45_000;

/**
 * One table's WebSocket: it comes back by itself, and sends what was not answered again under the same id,
 * so that a command is done at most once however often the connection breaks.
 */
export class TableSocket {
  private socket: WebSocket | null = null;
  private waiting = new Map<string, Request>();
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private greeted = false;
  private counter = 0;
  private readonly prefix = crypto.getRandomValues(new Uint32Array(2)).join("-");

  constructor(
    private readonly table: string,
    private readonly listener: Listener,
  ) {
    globalThis.addEventListener?.("online", this.hurry);
    document.addEventListener("visibilitychange", this.wake);
  }

  /** Connect now. */
  open(): void {
    if (this.ended || this.socket !== null) return;
    this.listener.state(this.tries === 0 ? "connecting" : "lost", null, null);
    const after = this.listener.after();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = `table=${encodeURIComponent(this.table)}${after === null ? "" : `&after=${after}`}`;
    const socket = new WebSocket(`${scheme}://${location.host}/ws?${query}`);
    this.socket = socket;
    this.greeted = false;
    socket.onmessage = (message) => {
      if (this.socket === socket) this.take(JSON.parse(String(message.data)) as AnyServerFrame);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code === 1008);
    };
    this.guard();
  }

  /** Do a command; resolves with its seq, throws a `Refusal`. */
  async do(command: AnyCommand | AnyRoomCommand): Promise<number> {
    const answer = await this.ask({ type: "command", id: this.id("c"), command });
    return answer.type === "ack" ? answer.seq : 0;
  }

  /** Return why a command would be refused now, or `null`. */
  async check(command: AnyCommand): Promise<Refused | null> {
    const answer = await this.ask({ type: "check", id: this.id("k"), command });
    return answer.type === "checked" ? answer.refusal : null;
  }

  /** Return what an offer would mean. */
  async draft(draft: DraftBody): Promise<Preview | null> {
    const answer = await this.ask({ type: "draft", id: this.id("d"), ...draft });
    return answer.type === "previewed" ? answer.preview : null;
  }

  /** Say a line of chat: a text, or the key of a phrase. */
  async say(line: { text?: string; key?: string }): Promise<void> {
    await this.ask({ type: "say", id: this.id("s"), ...line });
  }

  /** Let the others know that one composes an offer, has traded enough, or neither; return which sign holds. */
  async sign(sign: SignGiven["sign"], turn: number): Promise<SignGiven["sign"]> {
    const answer = await this.ask({ type: "sign", id: this.id("g"), sign, turn });
    return answer.type === "sign-given" ? answer.sign : null;
  }

  /** End for good. */
  close(): void {
    this.ended = true;
    clearTimeout(this.retry);
    clearTimeout(this.watchdog);
    globalThis.removeEventListener?.("online", this.hurry);
    document.removeEventListener("visibilitychange", this.wake);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.giveUp();
    this.listener.state("closed", null, null);
  }

  /** Try to come back now, whatever is being tried or waited for. */
  tryNow(): void {
    if (this.ended || this.greeted) return;
    clearTimeout(this.retry);
    this.drop();
    this.open();
  }

  private ask(frame: AnyClientFrame): Promise<Answer> {
    return new Promise((settle, fail) => {
      if (this.ended || (isTalk(frame) && this.socket?.readyState !== WebSocket.OPEN)) {
        fail(new Refusal(OFFLINE, null, {}, 0));
        return;
      }
      this.waiting.set(frame.id, { frame, settle, fail });
      this.send(frame);
    });
  }

  private send(frame: AnyClientFrame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private take(frame: AnyServerFrame): void {
    this.guard();
    if (frame.type === "welcome" && !this.greeted) this.welcomed();
    if (frame.type === "goodbye") return this.dismissed(frame);
    if (frame.type === "refused" && frame.id === null) return this.unwanted(frame);
    if (frame.type === "pong" || !this.answered(frame)) this.listener.frame(frame);
  }

  private welcomed(): void {
    this.greeted = true; // a later welcome of this connection only tells of another seat
    this.tries = 0;
    this.listener.state("open", null, null);
    for (const { frame } of this.waiting.values()) this.send(frame);
  }

  private answered(frame: AnyServerFrame): boolean {
    if (!("id" in frame) || frame.id === null) return false;
    const waiting = this.waiting.get(frame.id);
    if (waiting === undefined) return frame.type !== "pong";
    this.waiting.delete(frame.id);
    if (frame.type === "refused") waiting.fail(new Refusal(frame.reason, frame.clause, frame.params, 409));
    else if (frame.type !== "pong") waiting.settle(frame);
    return true;
  }

  private dismissed(frame: Goodbye): void {
    this.drop();
    this.later(Math.max(frame.retry, 100));
  }

  /** The server refused the connection: it is tried again only where the reason passes by itself. */
  private unwanted(frame: Refused): void {
    this.ended =
      frame.reason !== "server-full" && frame.reason !== "server-stopping" && frame.reason !== "rate-limited";
    this.drop();
    if (this.ended) {
      clearTimeout(this.watchdog);
      this.giveUp();
    }
    this.listener.state(this.ended ? "closed" : "lost", frame, null);
    if (!this.ended) this.later(LONGEST_WAIT);
  }

  /**
   * A connection that was closed for good without a reason is tried again, rarely: the server then says why it
   * refuses us.
   */
  private lost(forGood: boolean): void {
    this.socket = null;
    if (this.ended) return;
    this.later(
      forGood
        ? LONGEST_WAIT
        : Math.min(FIRST_WAIT * 2 ** this.tries, LONGEST_WAIT) * (0.5 + Math.random() / 2),
    );
  }

  private later(milliseconds: number): void {
    this.tries += 1;
    this.greeted = false;
    this.giveUpTalk();
    this.listener.state("lost", null, Date.now() + milliseconds);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.open(), milliseconds);
  }

  /** Nothing that waits will be answered any more. */
  private giveUp(): void {
    for (const { fail } of this.waiting.values()) fail(new Refusal(OFFLINE, null, {}, 0));
    this.waiting.clear();
  }

  /** The server would not know a line of chat again by its id, and a sign is of its moment: neither is sent twice. */
  private giveUpTalk(): void {
    for (const [id, { frame, fail }] of this.waiting) {
      if (!isTalk(frame)) continue;
      this.waiting.delete(id);
      fail(new Refusal(OFFLINE, null, {}, 0));
    }
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** A connection on which nothing comes for long is dead, though nobody closed it. */
  private guard(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      if (this.socket?.readyState === WebSocket.OPEN)
        this.socket.send(JSON.stringify({ type: "ping", id: this.id("p") }));
      this.watchdog = setTimeout(() => {
        this.drop();
        this.later(FIRST_WAIT);
      }, SILENCE / 3);
    }, SILENCE);
  }

  private readonly hurry = (): void => {
    if (this.socket !== null || this.ended) return;
    clearTimeout(this.retry);
    this.open();
  };

  private readonly wake = (): void => {
    if (document.visibilityState === "visible") this.hurry();
  };

  private id(kind: string): string {
    this.counter += 1;
    return `${kind}${this.counter}-${this.prefix}`;
  }
}
