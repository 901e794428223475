import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Hub, notify, push, select, startReceiver, startTestHub } from "./hub.fixture.ts";

let hub: Hub;
beforeEach(async () => {
  hub = await startTestHub();
});
afterEach(() => hub.hub.close());

describe("the operator's interface", () => {
  it("accepts its input as JSON or as a query, and answers 400 or 404 to invalid requests", async () => {
    const id = await hub.accept(select());
    const input = { id, actor: "human:tester", resolution: "declined" };
    expect((await hub.send("POST", "/operator/resolve", { body: input })).body).toEqual({
      applied: true,
      became: "declined",
    });
    expect((await hub.send("GET", "/operator/secret?scheme=apikey")).body).toEqual({
      token_ref: "vault://touchstone/apikey",
      token: expect.any(String),
    });
    expect((await hub.send("GET", "/operator/nothing")).status).toBe(404);
    expect(await hub.send("POST", "/operator/clock", { body: { at: "noon" } })).toMatchObject({
      status: 400,
      body: { error: '"at" is not an RFC 3339 time' },
    });
    expect((await hub.send("POST", "/operator/clock", { text: "{" })).status).toBe(400);
  });

  it("refuses a request with a Host header that is not local", async () => {
    const { request } = await import("node:http");
    const port = new URL(hub.hub.url).port;
    const status = await new Promise((resolve) => {
      const path = "/operator/logs";
      request({ host: "127.0.0.1", port, path, headers: { host: "evil.example" } }, (answer) => {
        resolve(answer.statusCode);
        answer.resume();
      }).end();
    });
    expect(status).toBe(403);
  });

  it("moves, stops and starts the clock", async () => {
    expect(await hub.clock({ advanceMs: 2000 })).toEqual({
      now: "2026-03-01T12:00:02.000Z",
      pushes: true,
    });
    expect(await hub.clock({ at: "2027-01-01T00:00:00+01:00", advanceMs: 5 })).toEqual({
      now: "2026-12-31T23:00:00.005Z",
      pushes: true,
    });
    await hub.clock({ stopped: false });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await hub.clock({})).now).not.toBe("2026-12-31T23:00:00.005Z");
  });
});

describe("the secrets of messages and of the hub", () => {
  const canary = "canary-4711";
  it("are never logged", async () => {
    const callback = await startReceiver(500, 200);
    const contentMembers = {
      body: canary,
      state: { canary },
      context: [{ kind: "text", text: canary }],
      title: canary,
    };
    const id = await hub.accept(
      select(push(`${callback.url}/${canary}`, "bearer"), { ...contentMembers, client_ref: canary }),
    );
    await hub.submit({ ...notify, title: canary, expires_at: canary });
    await hub.resolve(id, "answered", { value: canary });
    await hub.resolve(id, "declined", { comment: canary });
    await callback.waitForPushes(1);
    const { secret = "" } = await hub.operate("key", { callback: `${callback.url}/${canary}` });
    const text = JSON.stringify(await hub.operate("logs"));
    expect(text).toContain(id);
    for (const secretText of [canary, "token-of-a", "key-of-b", "vault:", ...(secret === "" ? [] : [secret as string])])
      expect(text).not.toContain(secretText);
    callback.close();
  });

  it("are not shown to resolvers, who see escaped text and, in a confirm, two options", async () => {
    const body = `<script>x</script> [link](https://${canary}.example)`;
    const confirm = { mode: "confirm", options: undefined as never, ...push(`http://${canary}/`) };
    const members = { client_ref: canary, state: { canary }, idempotency_key: canary };
    const view = await hub.operate("view", { id: await hub.accept(select(confirm, { ...members, title: "Go?" })) });
    expect(JSON.stringify(view)).not.toContain(canary);
    expect((view.options as { value: string }[]).map(({ value }) => value)).toEqual(["approve", "deny"]);
    const { html } = await hub.operate("view", { id: await hub.accept({ ...notify, body }) });
    expect(html).not.toMatch(/<(?!\/?(h1|pre)>)/);
    expect(html).toContain("link");
  });
});
