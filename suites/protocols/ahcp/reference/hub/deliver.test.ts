import { ed25519 } from "@noble/curves/ed25519.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import {
  type Hub,
  lateTime,
  notify,
  push,
  type ReceivedPush,
  type Receiver,
  select,
  soonTime,
  startReceiver,
  startTestHub,
  task,
  waitForAttempts,
} from "./hub.fixture.ts";

let hub: Hub;
let callback: Receiver;
beforeEach(async () => {
  hub = await startTestHub();
  callback = await startReceiver(200);
});
afterEach(async () => {
  callback.close();
  await hub.hub.close();
});

/** The reason why an agent would refuse this push; undefined if it would accept it. */
async function refusalOf({ headers, body }: ReceivedPush, url: string): Promise<string | undefined> {
  const ahcpSignature = await import("../../rules/signature.ts");
  const { alg, secret, publicKey } = await hub.operate("key", { callback: url });
  const key =
    alg === "ed25519"
      ? { alg, public_key: publicKey as string }
      : { alg: "hmac-sha256" as const, secret: secret as string };
  const { now } = await hub.clock({});
  const value = headers["ahcp-signature"] as string;
  return ahcpSignature.verify(body, value, {
    callbackUrl: url,
    key: key as never,
    clock: Date.parse(now as string) / 1000,
  });
}

describe("a push", () => {
  it.each(["hmac", "bearer", "apikey"])("is the signed Response, sent to the exact URL (%s)", async (scheme) => {
    const url = `${callback.url}/a/../b%7e?z=1&a=2`;
    const id = await hub.accept(select(push(url, scheme), { state: { n: [1e21, 1e-7, -0], s: "<é\u2028>" } }));
    await hub.resolve(id, "answered", { value: "red" });
    await callback.waitForPushes(1);
    const [received] = callback.pushes as [ReceivedPush];
    expect(received.path).toBe("/a/../b%7e?z=1&a=2");
    expect(received.body).toEqual((await hub.read(id)).body.response);
    expect(received.headers["content-type"]).toBe("application/json");
    expect(received.headers["ahcp-signature"]).toMatch(/^t=\d+,jti=[\w-]+,v1=[\w-]+$/);
    expect(await refusalOf(received, url)).toBeUndefined();
    expect(await refusalOf({ ...received, body: { ...received.body, state: {} } }, url)).toBe("mismatch");
  });

  it("contains the token only if its host is bound to the agent", async () => {
    const url = callback.url.replace("127.0.0.1", "cb.localhost");
    await hub.operate("bind", { host: `CB.localhost.:${callback.port}`, agent: "a" });
    const credentialsSent: unknown[] = [];
    for (const [target, scheme] of [
      [url, "bearer"],
      [url.replace("cb", "CB"), "apikey"],
      [url.replace("cb", "x.cb"), "bearer"],
      [url.replace("cb", "xcb"), "bearer"],
      [callback.url, "bearer"],
    ] as const) {
      await hub.cancel(await hub.accept(select(push(target, scheme))));
      await callback.waitForPushes(credentialsSent.length + 1);
      const { headers } = callback.pushes.at(-1) as ReceivedPush;
      expect(headers["ahcp-signature"]).toBeDefined();
      credentialsSent.push(headers.authorization?.slice(0, 7) ?? (headers["x-api-key"] === undefined ? "none" : "key"));
    }
    expect(credentialsSent).toEqual(["Bearer ", "key", "none", "none", "none"]);
    const agentB = { id: "b", run_id: "r", runtime: "cli" };
    await hub.cancel(await hub.accept({ ...select(push(url, "bearer")), agent: agentB }, "b"), "b");
    await callback.waitForPushes(6);
    expect(callback.pushes.at(-1)?.headers.authorization).toBeUndefined();
  });

  it("is sent for every outcome of a message", async () => {
    const expiring = { expires_at: soonTime };
    const ask = push(`${callback.url}/`);
    const ids = await Promise.all([
      ...[select(ask), select(ask), select(ask)].map((message) => hub.accept(message)),
      ...[task(ask), task(ask), select(ask, expiring)].map((message) => hub.accept(message)),
    ]);
    await hub.resolve(ids[0] as string, "answered", { value: "red" });
    await hub.resolve(ids[1] as string, "declined");
    await hub.cancel(ids[2] as string);
    await hub.resolve(ids[3] as string, "completed");
    await hub.resolve(ids[4] as string, "dismissed");
    await hub.clock({ at: lateTime });
    await callback.waitForPushes(6);
    expect(callback.pushes.map(({ body }) => body.resolution).sort()).toEqual([
      "answered",
      "cancelled",
      "completed",
      "declined",
      "dismissed",
      "expired",
    ]);
  });

  it("is sent only if the message asks for it", async () => {
    const pull = { callback: { mode: "pull", url: `${callback.url}/pull` } };
    const notifyId = await hub.accept({ ...notify, ...push(`${callback.url}/stray`) });
    await hub.cancel(await hub.accept(select(pull)));
    expect(await hub.resolve(notifyId, "answered", { value: "red" })).toMatchObject({ applied: false });
    await hub.cancel(await hub.accept(select(push(`${callback.url}/last`))));
    await callback.waitForPushes(1);
    expect(callback.pushes.map(({ path }) => path)).toEqual(["/last"]);
  });

  it("is not sent unsigned if the secret is unknown", async () => {
    const auth = { scheme: "hmac", secret_ref: "vault://elsewhere" };
    const id = await hub.accept(select({ callback: { mode: "push", url: callback.url, auth } }));
    await hub.cancel(id);
    expect(await waitForAttempts(hub, 1)).toEqual(["attempt 1: no key to sign with, refused"]);
    expect(callback.pushes).toEqual([]);
    expect((await hub.read(id)).body.response.resolution).toBe("cancelled");
  });
});

describe("an attempt", () => {
  it("is repeated after a server error or a broken connection, with the same body and a fresh signature", async () => {
    callback.answers.splice(0, 1, 503, "break", 200);
    await hub.cancel(await hub.accept(select(push(callback.url))));
    expect(await waitForAttempts(hub, 3)).toEqual([
      "attempt 1: 503, pending",
      "attempt 2: no answer, pending",
      "attempt 3: 200, delivered",
    ]);
    expect(new Set(callback.pushes.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(
      new Set(callback.pushes.map(({ headers }) => /jti=([^,]+)/.exec(String(headers["ahcp-signature"]))?.[1])).size,
    ).toBe(3);
  });

  it("is repeated at growing intervals, six times in all, and the Response can still be read", async () => {
    callback.answers.splice(0, 1, 500);
    await hub.hub.close();
    hub = await startTestHub({ timeScale: 1 });
    const id = await hub.accept(select(push(callback.url)));
    await hub.cancel(id);
    await waitForAttempts(hub, 6);
    await hub.clock({ advanceMs: 3_600_000 });
    expect(await waitForAttempts(hub, 6)).toHaveLength(6);
    const dates = callback.pushes.map(({ headers }) => Number(/t=(\d+)/.exec(String(headers["ahcp-signature"]))?.[1]));
    const gaps = dates.slice(1).map((time, index) => time - (dates[index] as number));
    expect(gaps.every((gap, index) => gap >= 2 ** index)).toBe(true);
    expect((await hub.read(id)).body.response.resolution).toBe("cancelled");
  });

  it.each([400, 404, 408, 410, 422, 429, 204, 301, 307])("is not repeated after %i", async (status) => {
    const second = await startReceiver(200);
    callback.answers.splice(0, 1, status < 300 || status >= 400 ? status : { status, location: second.url });
    await hub.cancel(await hub.accept(select(push(callback.url))));
    const [logLine] = await waitForAttempts(hub, 1);
    expect(logLine).toBe(`attempt 1: ${status}, ${status === 204 ? "delivered" : "refused"}`);
    await hub.clock({ advanceMs: 3_600_000 });
    expect([callback.pushes.length, second.pushes.length]).toEqual([1, 0]);
    second.close();
  });
});

describe("the key of a callback", () => {
  it("is the hub's own if the callback has no secret", async () => {
    const { alg, publicKey } = (await hub.operate("key", { callback: "https://nobody.example/" })) as JsonObject;
    expect(alg).toBe("ed25519");
    expect(() => ed25519.Point.fromHex(publicKey as string)).not.toThrow();
  });
});
