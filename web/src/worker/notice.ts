/** What a push says, and where a press on it leads; without any of the browser's parts, so that it can be tested. */

/** A message of the server, as `bohn.server.alerts.message` makes it. */
export interface Notice {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly table: string;
  readonly count: number;
}

const TABLE = /^[\w-]+$/;

/** Return the message that has come, or `null` for what is none: an older server, or somebody else's. */
export function noticeOf(data: unknown): Notice | null {
  const { kind, title, body, table, count } = (data ?? {}) as Record<string, unknown>;
  if (typeof kind !== "string" || typeof title !== "string" || typeof body !== "string") return null;
  return {
    kind,
    title,
    body,
    table: typeof table === "string" && TABLE.test(table) ? table : "",
    count: typeof count === "number" ? count : 0,
  };
}

/** Return the path that a message leads to. */
export const pathOf = (table: unknown): string =>
  typeof table === "string" && TABLE.test(table) ? `/t/${table}` : "/";
