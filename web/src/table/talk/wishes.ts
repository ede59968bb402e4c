/** How long the viewer's wishes stand: what was wanted for one market is not asked for in the next. */
import type { LiveTable } from "../../lib/live.svelte";

/** Take the viewer's wishes back when his own trading ends; returns how to stop that. */
export function endWishes(live: LiveTable): () => void {
  return live.watch({
    after({ events }) {
      const { seat, view } = live;
      const ended =
        events?.some((event) => event.event === "trading-closed" && event.player === seat) ?? false;
      const wishes = seat === null ? undefined : view?.talk.wishes[seat];
      if (!ended || seat === null || wishes === undefined || view?.phase.phase === "end") return;
      for (const bean of [...wishes.want, ...wishes.spare])
        void live.act({ do: "set-wish", player: seat, bean, mark: "none" });
    },
  });
}
