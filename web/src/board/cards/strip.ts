/** What stands on the edge of a hand card that stays in sight where another card lies over the rest. */
import { lettersOf } from "../market/names";

/** Px of the drawing, at least and at most. */
const DRAWING = { least: 18, most: 30 } as const;
/** Px of a letter of the upright name, and of a line of it. */
const LETTER = 7.7;
const LINE = 13;
/** Px of the number of cards beside the name. */
const NUMBER = 16;
/** Px beside drawing and name: the band, the borders and the air between them. */
const AROUND = { wide: 8, high: 6 } as const;
/** Height of a card for one of its width, as drawn. */
const TALL = 1.38;

/** The drawing above the upright name, and whether the number of cards has room beside it. */
export interface Strip {
  /** Px of the drawing. */
  readonly drawing: number;
  /** Whether the name needs all of the height below the smallest drawing. */
  readonly long: boolean;
  readonly counted: boolean;
}

/** Lay a card of so many px, of which so many stay in sight: the drawing is as large as the name below it leaves. */
export function stripOf(name: string, sight: number, width: number): Strip {
  const left = width * TALL - AROUND.high - lettersOf(name) * LETTER;
  const drawing = Math.round(Math.max(DRAWING.least, Math.min(DRAWING.most, sight - AROUND.wide, left)));
  const long = left < DRAWING.least;
  return { drawing, long, counted: sight - AROUND.wide >= (long ? 2 : 1) * LINE + NUMBER };
}
