import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Reaction } from "../../../../schemas/index.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const post = (url: string, body = ""): Promise<Response> => fetch(url, { method: "POST", body, redirect: "manual" });

describe("a receiver of callbacks", () => {
  it("keeps requests byte for byte, separately for each callback", async () => {
    const [firstCallback, otherCallback] = [
      receiver.callback("one", [200], "/p%7e?b=1&a=2"),
      receiver.callback("other", [200]),
    ];
    await fetch(firstCallback.url, {
      method: "POST",
      body: Buffer.from([0, 255]),
      headers: { "X-Some": "é".normalize() },
    });
    expect(firstCallback.arrivals).toMatchObject([
      { method: "POST", target: "/one/p%7e?b=1&a=2", body: Buffer.from([0, 255]) },
    ]);
    expect(firstCallback.arrivals[0]?.headers["x-some"]).toBeDefined();
    expect(otherCallback.arrivals).toEqual([]);
  });

  it("reacts as listed, and repeats the last reaction", async () => {
    const limitedReaction: Reaction = { status: 429, headers: { "retry-after": "7" } };
    const { url, arrivals } = receiver.callback("turns", [
      503,
      "reset",
      { status: 500, half: true },
      limitedReaction,
      204,
    ]);
    expect((await post(url)).status).toBe(503);
    await expect(post(url)).rejects.toThrow();
    const half = await post(url);
    expect(half.status).toBe(500);
    await expect(half.text()).rejects.toThrow();
    expect((await post(url)).headers.get("retry-after")).toBe("7");
    expect([(await post(url)).status, (await post(url)).status]).toEqual([204, 204]);
    expect(arrivals.length).toBe(6);
  });

  it("delays its answer, and redirects", async () => {
    const location = "http://127.0.0.1:1/";
    const { url } = receiver.callback("slow", [{ status: 307, headers: { location }, afterMs: 60 }]);
    const startedAt = performance.now();
    const answer = await post(url);
    expect(performance.now() - startedAt).toBeGreaterThan(50);
    expect(answer.headers.get("location")).toBe(location);
  });

  it("reports senders that did not wait for the answer", async () => {
    const { url, arrivals, come } = receiver.callback("left", [{ status: 200, afterMs: 600_000 }, 200]);
    const leaving = new AbortController();
    const abandoned = fetch(url, { method: "POST", signal: leaving.signal }).catch(() => "left");
    await come(1, 5000);
    expect(arrivals[0]?.leftAt).toBeUndefined();
    leaving.abort();
    expect(await abandoned).toBe("left");
    await vi.waitFor(() => expect(arrivals[0]?.leftAt).toBeGreaterThan(0), 5000);
    await post(url);
    expect(arrivals[1]?.leftAt).toBeUndefined();
  });

  it("reports whether this many requests arrived in time", async () => {
    const { url, come } = receiver.callback("some", [200]);
    expect(await come(1, 20)).toBe(false);
    const bothCame = come(2, 5000);
    await post(url);
    await post(url);
    expect(await bothCame).toBe(true);
  });

  it("refuses unknown addresses, and can be closed at any time", async () => {
    const { url } = receiver.callback("never", [{ status: 200, afterMs: 60_000 }]);
    expect((await post(url.replace("never", "stranger"))).status).toBe(404);
    const hanging = post(url).catch(() => "broken");
    await new Promise((done) => setTimeout(done, 30));
    await receiver.close();
    expect(await hanging).toBe("broken");
    receiver = await startReceiver();
  });
});
