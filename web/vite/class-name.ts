/** The classes that keep the styles of a component its own: short, since they stand at nearly all that is drawn. */

const LENGTH = 4;

const owners = new Map<string, string>();

interface Styled {
  readonly filename: string;
  readonly css: string;
  hash(text: string): string;
}

/** Return the class of a component's styles, by its file; it throws if that of another one is the same. */
export function className({ filename, css, hash }: Styled): string {
  const name = `_${hash(filename === "(unknown)" ? css : filename).slice(0, LENGTH)}`;
  const owner = owners.get(name) ?? filename;
  if (owner !== filename) throw new Error(`${owner} and ${filename} share the class ${name}: make it longer`);
  owners.set(name, filename);
  return name;
}
