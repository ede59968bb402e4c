/** Which sound, if any, a batch makes for the viewer, and playing it. */
import type { Batch, ShownEvent, View } from "../generated/protocol";
import type { TableModel } from "../lib/model.svelte";
import { settings } from "../lib/settings.svelte";
import type { Sound } from "./synth";

/** A sound that a batch makes for the viewer; what others do is heard from afar. */
export interface BatchSound {
  readonly sound: Sound;
  readonly coins: number;
  readonly own: boolean;
}

/** What is more urgent comes first; of one batch only the first is heard. */
const ORDER: readonly Sound[] = ["over", "turn", "offer", "accepted", "harvest", "coin"];

/** How loud what others do is, as a part of what concerns the viewer. */
const FAR = 0.3;

/** For how long, in ms, one sound is not played again: several batches may arrive at once. */
const SAME_AGAIN = 400;

/** Return what a batch sounds like to the viewer on `seat`: the most urgent of all that happened, or `null`. */
export function soundOf(
  batch: Batch,
  was: View | null,
  now: View | null,
  seat: number | null,
): BatchSound | null {
  const found = (batch.events ?? []).flatMap((event) => ofEvent(event, now, seat));
  if (isCalled(batch, was, now, seat)) found.push({ sound: "turn", coins: 0, own: true });
  found.sort(
    (one, other) =>
      Number(other.own) - Number(one.own) || ORDER.indexOf(one.sound) - ORDER.indexOf(other.sound),
  );
  return found[0] ?? null;
}

/** Whether the game waits for the viewer since this batch, and not by what he did himself. */
function isCalled(batch: Batch, was: View | null, now: View | null, seat: number | null): boolean {
  if (seat === null || now === null || batch.by === seat || !now.waiting.includes(seat)) return false;
  const before =
    was !== null &&
    was.phase.phase === now.phase.phase &&
    was.turn === now.turn &&
    was.waiting.includes(seat);
  return !before && (now.phase.phase !== "trade" || now.active_player === seat);
}

function ofEvent(event: ShownEvent, now: View | null, seat: number | null): BatchSound[] {
  const sound = (sound: Sound, own: boolean, coins = 0): BatchSound[] => [{ sound, coins, own }];
  switch (event.event) {
    case "game-ended":
      return sound("over", true);
    case "offer-shown":
      return seat !== null && event.offer.to.includes(seat) ? sound("offer", true) : [];
    case "claim-shown":
      return isOwn(event.offer, now, seat) ? sound("offer", true) : [];
    case "traded-shown":
      return event.maker === seat || event.partner === seat ? sound("accepted", true) : [];
    case "harvested":
      return sound("harvest", event.player === seat, event.coins.length);
    case "field-bought":
      return sound("coin", event.player === seat);
    case "bonus-claimed":
      return sound("coin", event.player === seat);
    case "bluff-paid":
      return event.coin === "" ? [] : sound("coin", event.giver === seat || event.player === seat);
    default:
      return [];
  }
}

function isOwn(offer: number, now: View | null, seat: number | null): boolean {
  return (
    now?.phase.phase === "trade" &&
    seat !== null &&
    now.phase.offers.some((open) => open.id === offer && open.maker === seat)
  );
}

/** Plays sounds, once somebody has touched the page: before that browsers allow none. */
class Speaker {
  private context: AudioContext | null = null;
  private out: GainNode | null = null;
  private touched = false;
  /** Makes the tones; loaded with the first touch. */
  private ring: typeof import("./synth").ring | null = null;
  private last: { readonly sound: Sound; readonly at: number } | null = null;

  constructor() {
    const touch = (): void => {
      this.touched = true;
      if (settings.sound) this.wake();
    };
    globalThis.addEventListener?.("pointerdown", touch, { capture: true, passive: true });
    globalThis.addEventListener?.("keydown", touch, { capture: true, passive: true });
  }

  /** Play a sound, unless the same one has just begun. */
  play({ sound, coins, own }: BatchSound): void {
    const now = Date.now();
    if (
      !settings.sound ||
      settings.volume <= 0 ||
      (this.last?.sound === sound && now - this.last.at < SAME_AGAIN)
    )
      return;
    const context = this.wake();
    if (context === null || this.out === null || this.ring === null || context.state !== "running") return;
    this.last = { sound, at: now };
    this.out.gain.value = settings.volume ** 2; // loudness is heard about as the square root
    this.ring(context, this.out, sound, coins, own ? 1 : FAR);
  }

  private wake(): AudioContext | null {
    if (!this.touched || typeof AudioContext === "undefined") return null;
    if (this.context === null) {
      this.context = new AudioContext({ latencyHint: "interactive" });
      const soft = this.context.createBiquadFilter();
      soft.type = "lowpass";
      soft.frequency.value = 5200;
      this.out = this.context.createGain();
      this.out.connect(soft).connect(this.context.destination);
      import("./synth").then(
        (synth) => (this.ring = synth.ring),
        () => undefined, // a table without sounds can be played
      );
    }
    if (this.context.state === "suspended") void this.context.resume();
    return this.context;
  }
}

const speaker = new Speaker();

/** Play a sound, so that somebody who changes the volume hears it. */
export function tryOut(): void {
  speaker.play({ sound: "offer", coins: 0, own: true });
}

const coarse = globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

/** Let a phone vibrate for an offer; browsers allow it once the page has been touched. */
function vibrate(sound: Sound): void {
  if (
    !coarse ||
    sound !== "offer" ||
    !("vibrate" in navigator) ||
    navigator.userActivation?.hasBeenActive === false
  )
    return;
  navigator.vibrate(60);
}

/** Play the sounds of a table from now on; returns how to stop. */
export function listen(table: TableModel): () => void {
  return table.watch({
    after(batch, was) {
      const found = soundOf(batch, was, table.view, table.seat);
      if (found === null) return;
      speaker.play(found);
      if (found.own) vibrate(found.sound);
    },
  });
}
