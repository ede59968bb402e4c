import { createHash } from "node:crypto";

export type Content = string | Uint8Array;

/** Return the name of a build: the same for the same files, another one where any of them has changed. */
export function buildName(files: Iterable<readonly [string, Content]>): string {
  const digest = createHash("sha256");
  for (const [name, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    digest.update(`${name}\0${content.length}\0`).update(content);
  return digest.digest("hex").slice(0, 12);
}
