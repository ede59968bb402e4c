/** The size of the window as far as the drawing of the board depends on it. */
import { MediaQuery } from "svelte/reactivity";

/** How large things are drawn where CSS alone cannot say it; the breakpoints are those of the style sheets. */
export class Size {
  private readonly slim = new MediaQuery("max-width: 800px");
  private readonly portrait = new MediaQuery("max-width: 600px");
  private readonly strip = new MediaQuery("max-width: 359px");
  private readonly low = new MediaQuery("max-height: 840px");
  private readonly little = new MediaQuery(
    "(min-width: 801px) and (max-width: 1200px), (min-width: 801px) and (max-height: 840px)",
  );
  private readonly large = new MediaQuery("min-width: 1201px");
  private readonly tiny = new MediaQuery("max-height: 700px");
  private readonly high = new MediaQuery("min-height: 780px");

  /** Whether the board has one column: a phone, or a window that is as small when it is enlarged. */
  get narrow(): boolean {
    return this.slim.current;
  }

  /** Whether this is a phone held upright. */
  get phone(): boolean {
    return this.portrait.current;
  }

  /** Whether a phone is narrower than they usually are. */
  get slender(): boolean {
    return this.strip.current;
  }

  /** Whether a wide window is low, so that everything is a little smaller. */
  get short(): boolean {
    return this.low.current;
  }

  /** Whether offers have few lines each, because a wide window is low or not that wide. */
  get dense(): boolean {
    return this.little.current;
  }

  /** Whether a window is wide enough for four columns of such offers. */
  get broad(): boolean {
    return this.large.current;
  }

  /** Whether a phone is as high as they usually are. */
  get tall(): boolean {
    return this.high.current;
  }

  get handCard(): number {
    if (this.narrow) return this.tiny.current ? 52 : 58;
    return this.tiny.current ? 62 : this.short ? 74 : 92;
  }

  get frontCard(): number {
    if (this.narrow) return this.tiny.current ? 60 : 68;
    return this.tiny.current ? 70 : this.short ? 84 : 104;
  }

  /** Of a hand that lies in two rows. */
  get crowdedFront(): number {
    return 60;
  }

  get crowdedCard(): number {
    return 52;
  }

  get fieldCard(): number {
    if (this.narrow) return 38;
    return this.tiny.current ? 40 : this.short ? 48 : 66;
  }

  /** What stands beside the cards of a field. */
  get fieldSide(): number {
    return this.narrow ? 60 : 124;
  }

  /** Of what lies in the middle of the games for two, in a wide window. */
  get duelCard(): number {
    return this.short ? 64 : 92;
  }

  get marketCard(): number {
    if (this.narrow) return 38;
    return this.tiny.current ? 46 : this.short ? 56 : 72;
  }
}

export const size = new Size();
