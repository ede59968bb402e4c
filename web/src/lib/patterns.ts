/** Texts of the catalogs as the page gets them: taken apart when the page was built. */

/** What parts of a text are, by the numbers that the parser gives them; others are kept as they are. */
const LITERAL = 0;
const POUND = 7;

/** A part of a text: words, or a parameter, perhaps with a text for each of its values. */
export interface Part {
  readonly type: number;
  /** The words, or the name of the parameter. */
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly Part[] }>>;
}

/** A text without parameters as it is shown, any other as its parts. */
export type Pattern = string | readonly Part[];

/** Return the parameters that a text names, in its order, perhaps with a choice's word: `bean_acc`. */
export function parameters(pattern: Pattern): readonly string[] {
  if (typeof pattern === "string") return [];
  return pattern.flatMap((part) => [
    ...(part.type === LITERAL || part.type === POUND ? [] : [part.value ?? ""]),
    ...Object.values(part.options ?? {}).flatMap((option) => parameters(option.value)),
  ]);
}

/** Return a text with each of its words changed; names and numbers stay. */
export function reworded(pattern: Pattern, change: (words: string) => string): Pattern {
  return typeof pattern === "string" ? change(pattern) : rewordedParts(pattern, change);
}

function rewordedParts(parts: readonly Part[], change: (words: string) => string): readonly Part[] {
  return parts.map((part) => {
    if (part.type === LITERAL) return { ...part, value: change(part.value ?? "") };
    if (part.options === undefined) return part;
    const options = Object.entries(part.options).map(([name, option]) => [
      name,
      { ...option, value: rewordedParts(option.value, change) },
    ]);
    return { ...part, options: Object.fromEntries(options) as Part["options"] };
  }) as readonly Part[];
}
