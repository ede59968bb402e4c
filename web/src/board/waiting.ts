import type { Clock, View } from "../generated/protocol";

/** Return the seats the game waits for, as everybody can see it. */
export function waitedFor(view: View): readonly number[] {
  const { phase, active_player: active } = view;
  switch (phase.phase) {
    case "plant":
    case "reveal":
    case "leftovers":
    case "plant-face-up":
      return [active];
    case "trade":
      return view.rules.closing === "unanimous" ? seats(view).filter((seat) => !phase.passes.includes(seat)) : [active];
    case "plant-traded":
      return seats(view).filter((seat) => (view.players[seat]?.set_aside.length ?? 0) > 0);
    case "gift":
      return [phase.word];
    case "plant-gift":
      return seats(view).filter(
        (seat) => (phase.gift.length > 0 && seat === phase.receiver) || (phase.face_up.length > 0 && seat === active) || (view.players[seat]?.set_aside.length ?? 0) > 0,
      );
    case "bonus":
      return [...phase.discarding, ...phase.refilling].slice(0, 1);
    case "end":
      return [];
  }
}

/** Tell whether the game waits for a seat. */
export function waitsFor(view: View | null, seat: number | null): boolean {
  return view !== null && seat !== null && waitedFor(view).includes(seat);
}

function seats(view: View): number[] {
  return view.players.map((_, seat) => seat);
}

/** Return the clock that matters now: one's own, else that of the trading, else the first that runs. */
export function clockFor(clocks: readonly Clock[], seat: number | null): Clock | undefined {
  return clocks.find((clock) => clock.seat !== null && clock.seat === seat) ?? clocks.find((clock) => clock.seat === null) ?? clocks[0];
}

/** Return the whole seconds a clock has left, `null` for one that has no end. */
export function secondsLeft(clock: Clock, now: number): number | null {
  if (clock.left !== null) return Math.max(0, Math.ceil(clock.left / 1000));
  return clock.due === null ? null : Math.max(0, Math.ceil((clock.due - now) / 1000));
}

/** Return seconds as a clock shows them. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
