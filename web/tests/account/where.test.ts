import { describe, expect, it } from "vitest";
import { addressAt, deviceName, obstacleOf, type Place } from "../../src/account/where";

const HERE: Place = { secure: true, host: "bohn.example.org", passkeys: true };

describe("where passkeys can be used", () => {
  it.each<[Partial<Place>, string | null]>([
    [{}, null],
    [{ host: "play.bohn.example.org" }, null],
    [{ secure: false }, "no-tls"],
    [{ secure: false, host: "192.0.2.7", passkeys: false }, "no-tls"],
    [{ host: "192.0.2.7" }, "other-host"],
    [{ host: "notbohn.example.org" }, "other-host"],
    [{ host: "example.org" }, "other-host"],
    [{ passkeys: false }, "no-passkeys"],
  ])("tells of %o", (other, obstacle) => {
    expect(obstacleOf("bohn.example.org", { ...HERE, ...other })).toBe(obstacle);
  });

  it("leads to the host that has them, on this machine at the same port", () => {
    const here = new URL("http://127.0.0.1:8001/rules/full");
    expect(addressAt("localhost", here)).toBe("http://localhost:8001/");
    expect(addressAt("bohn.example.org", here)).toBe("https://bohn.example.org/");
  });
});

describe("what a device is called", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
      "Safari, iPhone",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
      "Edge, Windows",
    ],
    ["Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome, Android"],
    ["something else", ""],
  ])("reads %s", (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});
