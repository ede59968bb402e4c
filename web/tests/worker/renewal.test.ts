/** A subscription that its push service has ended is renewed. */
import { describe, expect, test } from "vitest";
import { renew } from "../../src/worker/renewal";

const channel = (id: string, more: object = {}): object => ({
  id,
  kind: "push",
  here: true,
  label: "Phone",
  ...more,
});

/** A server that has these channels; a new one is called `new`, or as the one before. */
function server(channels: object[], endpoint = "new") {
  const asked: unknown[][] = [];
  const ask = (method: string, path: string, body?: unknown): Promise<unknown> => {
    asked.push(body === undefined ? [method, path] : [method, path, body]);
    const known = channels.some((one) => (one as { id: string }).id === endpoint);
    if (method === "POST" && !known) channels.push(channel(endpoint));
    return Promise.resolve({ offered: ["push"], key: "KEY", channels: [...channels] });
  };
  const subscribed: string[] = [];
  const subscribe = (key: string) => {
    subscribed.push(key);
    return Promise.resolve({ endpoint: "https://push.example/new", keys: { p256dh: "P", auth: "A" } });
  };
  return { asked, subscribed, run: () => renew(ask, subscribe) };
}

describe("a subscription that has ended", () => {
  test("is made anew with the key of the server, keeps its name, and the old one goes", async () => {
    const { asked, subscribed, run } = server([
      channel("mail", { kind: "mail", here: false }),
      channel("other", { here: false }),
      channel("old"),
    ]);
    await run();
    expect(subscribed).toEqual(["KEY"]);
    expect(asked).toEqual([
      ["GET", "/api/me/alerts"],
      [
        "POST",
        "/api/me/alerts/channels",
        { kind: "push", endpoint: "https://push.example/new", p256dh: "P", auth: "A", label: "Phone" },
      ],
      ["DELETE", "/api/me/alerts/channels/old"],
    ]);
  });

  test("is left alone if its browser was told no more", async () => {
    const { asked, subscribed, run } = server([channel("other", { here: false })]);
    await run();
    expect(subscribed).toEqual([]);
    expect(asked).toEqual([["GET", "/api/me/alerts"]]);
  });

  test("is not deleted when the browser gives the same again", async () => {
    const { asked, run } = server([channel("old")], "old");
    await run();
    expect(asked.map(([method]) => method)).toEqual(["GET", "POST"]);
  });
});
