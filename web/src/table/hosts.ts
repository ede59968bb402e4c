/** Which host of a table this device has shown last, so that another one is told of. */

const key = (table: string): string => `bohn.host.${table}`;

/** Return who was host when somebody looked last; `null` where nobody has. */
export function knownHost(table: string): string | null {
  try {
    return localStorage.getItem(key(table));
  } catch {
    return null;
  }
}

/** Note who is host. */
export function knowHost(table: string, host: string): void {
  try {
    localStorage.setItem(key(table), host);
  } catch {
    // it is known as long as the page lasts
  }
}
