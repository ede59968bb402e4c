/** Requests to the server's HTTP API, and the refusals it answers with. */
import type { ErrorBody } from "../generated/protocol";

/** Why the server did not do something: a code of the catalogs, never a sentence. */
export class Refusal extends Error {
  constructor(
    readonly reason: string,
    readonly clause: string | null,
    readonly params: Readonly<Record<string, unknown>>,
    readonly status: number,
  ) {
    super(reason);
    this.name = "Refusal";
  }
}

/** The reason of a refusal when no answer came at all; its text is `app.offline`. */
export const OFFLINE = "offline";

async function answerOf(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Refusal(OFFLINE, null, {}, 0);
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const body = (await response.json()) as ErrorBody;
    return new Refusal(body.reason, body.clause, body.params, response.status);
  } catch {
    // a proxy answers for a server that is not there
    const reason = response.status >= 502 && response.status <= 504 ? OFFLINE : "internal";
    return new Refusal(reason, null, {}, response.status);
  }
}

/** Ask the server; throws a `Refusal`. */
export async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const init: RequestInit = { method, headers: { ...headers } };
  if (body !== undefined) {
    init.body = typeof body === "string" ? body : JSON.stringify(body);
    init.headers = { "Content-Type": "application/json", ...headers };
  }
  const response = await answerOf(path, init);
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** Ask the server for a value; throws a `Refusal`. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<T> {
  return (await (await request(method, path, body, headers)).json()) as T;
}

/** Read an answer of one JSON value a line, handing on each as it comes. */
export async function lines<T>(path: string, take: (value: T) => void): Promise<void> {
  const response = await request("GET", path);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) if (line !== "") take(JSON.parse(line) as T);
  }
  if (rest !== "") take(JSON.parse(rest) as T);
}

/** Return what the user is told of an error of any kind. */
export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal("internal", null, {}, 0);
}
