/** Animates the cards that travel over the board, between places that components register. */
import { tick } from "svelte";
import { kind } from "../lib/beans";
import { moves } from "../lib/settings.svelte";
import type { Flight } from "./flights";
import { elementAt } from "./place";

/** How long a card travels, in ms: seen, and not waited for. */
const DURATION = 280;

/** How much later the next card of a batch sets off, in ms. */
const BETWEEN = 70;

/** How long a card appears, in ms, where motion is reduced. */
const FADE = 150;
const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";
const SVG = "http://www.w3.org/2000/svg";
/** Cards that travel at once, at most; beyond, the oldest is removed. */
const MOST = 24;

interface Measured {
  readonly flight: Flight;
  readonly from: DOMRect;
}

/** Lets cards travel over the board. It only paints: nothing waits for it, and it takes no input. */
export class Motion {
  private measured: readonly Measured[] = [];

  constructor(private readonly layer: () => HTMLElement | null) {}

  /** Note where cards lie before they are shown elsewhere. */
  before(flights: readonly Flight[]): void {
    if (document.hidden) {
      this.measured = [];
      return;
    }
    this.measured = flights.flatMap((flight) => {
      const from = elementAt(flight.from)?.getBoundingClientRect();
      return from === undefined ? [] : [{ flight, from }];
    });
  }

  /** Let them travel to where they are shown now. */
  async after(): Promise<void> {
    const { measured } = this;
    this.measured = [];
    if (measured.length === 0) return;
    await tick();
    const ends = measured.map(({ flight }) => elementAt(flight.to));
    const rects = ends.map((end) => end?.getBoundingClientRect()); // all measured before anything is changed
    measured.forEach(({ flight, from }, at) => {
      const [end, to] = [ends[at], rects[at]];
      if (end === null || end === undefined || to === undefined) return;
      if (moves()) this.fly(flight, from, to, end, at * BETWEEN);
      else end.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: FADE });
    });
  }

  /** Let one card travel between two places that are both on the page. */
  travel(flight: Flight): void {
    this.before([flight]);
    void this.after();
  }

  /** Take away whatever still flies. */
  clear(): void {
    this.layer()?.replaceChildren();
  }

  private fly(flight: Flight, from: DOMRect, to: DOMRect, end: HTMLElement, delay: number): void {
    const layer = this.layer();
    if (layer === null) return;
    while (layer.childElementCount >= MOST) layer.firstElementChild?.remove();
    const flyer = flight.coin === "is" ? coin() : card(flight);
    layer.append(flyer);
    const path = flyer.animate(keyframes(from, to), {
      duration: DURATION,
      delay,
      easing: EASE,
      fill: "both",
    });
    const gone = (): void => flyer.remove();
    path.finished.then(gone, gone);
    if (flight.coin === "becomes") {
      flyer.firstElementChild?.animate([{ transform: "rotateY(0)" }, { transform: "rotateY(180deg)" }], {
        duration: DURATION * 0.8,
        delay,
        easing: EASE,
        fill: "both",
      });
    }
    const late = delay + DURATION * 0.75;
    if (/^(faceup|hand)-/.test(end.dataset["place"] ?? ""))
      end.animate([{ opacity: 0 }, { opacity: 0 }], { duration: late });
    else
      end.animate([{ scale: 1 }, { scale: 1.05 }, { scale: 1 }], {
        duration: 200,
        delay: late,
        easing: "ease-out",
      });
  }
}

/** The size of a travelling card, in px; it is scaled to the cards where it begins and ends. */
const WIDTH = 48;
const HEIGHT = 66;

function keyframes(from: DOMRect, to: DOMRect): Keyframe[] {
  const at = (rect: DOMRect): string =>
    `translate(${rect.left + rect.width / 2 - WIDTH / 2}px, ${rect.top + rect.height / 2 - HEIGHT / 2}px)`;
  const size = (rect: DOMRect): number => Math.min(1.5, Math.max(0.6, rect.width / WIDTH));
  return [
    { transform: `${at(from)} scale(${size(from)})`, opacity: 1 },
    { transform: `${at(to)} scale(${size(to)})`, opacity: 1, offset: 0.85 },
    { transform: `${at(to)} scale(${size(to) * 0.9})`, opacity: 0 },
  ];
}

function element(className: string, ...children: readonly Element[]): HTMLElement {
  const made = document.createElement("div");
  made.className = className;
  made.append(...children);
  return made;
}

function card(flight: Flight): HTMLElement {
  const front =
    flight.bean === null
      ? element("face back", drawing("card-back"))
      : element("face front", drawing(`beans-${kind(flight.bean)}`));
  if (flight.bean !== null) front.dataset["kind"] = kind(flight.bean);
  const turning = element("turning", front);
  if (flight.coin === "becomes") turning.append(element("face gold", drawing("coin")));
  return element("flyer", turning);
}

function coin(): HTMLElement {
  return element("flyer", element("face gold", drawing("coin")));
}

function drawing(name: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}
