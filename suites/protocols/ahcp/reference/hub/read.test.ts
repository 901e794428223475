import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Hub, notify, select, startTestHub } from "./hub.fixture.ts";

let hub: Hub;
beforeEach(async () => {
  hub = await startTestHub();
});
afterEach(() => hub.hub.close());

describe("a read", () => {
  it("answers 404 to agents other than the submitter, even if the message was deleted", async () => {
    const id = await hub.accept(select());
    const unknownReply = await hub.read("msg_unknown", "", "b");
    expect([unknownReply.status, unknownReply.body.error.code]).toEqual([404, "not_found"]);
    for (const query of ["", "?wait=1", "?since=2020-01-01T00:00:00Z"])
      expect(await hub.read(id, query, "b")).toMatchObject({ status: 404, body: unknownReply.body });
    await hub.operate("delete", { id });
    expect(await hub.read(id, "", "b")).toMatchObject({ status: 404, body: unknownReply.body });
    expect((await hub.read(id, "", "nobody")).status).toBe(401);
  });

  it.each(["__proto__", "constructor", "..%2f", "%00", "%", "x".repeat(9000), "%6dsg"])(
    "answers 404 to the id %s",
    async (id) => {
      expect((await hub.read(id)).status).toBe(404);
    },
  );

  it("waits until the message has an outcome", async () => {
    const id = await hub.accept(select());
    const pendingRead = hub.read(id, "?wait=20");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await hub.resolve(id, "declined");
    expect((await pendingRead).body.response.resolution).toBe("declined");
  });

  it.each(["?wait=7", "?wait=600"])(
    "ends after the time of %s (at most 60 s) if the message is unchanged",
    async (query) => {
      const id = await hub.accept(select());
      let hasEnded = false;
      const pendingRead = hub.read(id, query).then((answer) => {
        hasEnded = true;
        return answer;
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await hub.clock({ advanceMs: 6900 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(hasEnded).toBe(false);
      await hub.clock({ advanceMs: query === "?wait=7" ? 100 : 53_100 });
      expect(await pendingRead).toMatchObject({ status: 200, body: { status: "open" } });
    },
  );

  it.each(["?wait=0", "?wait=-1", "?wait=soon", "?wait=", "?since=never", "?since="])(
    "ignores the invalid query %s",
    async (query) => {
      expect((await hub.read(await hub.accept(select()), query)).status).toBe(200);
    },
  );

  it("answers 304 if nothing has changed since the time in the query", async () => {
    const id = await hub.accept(select());
    const unchangedReply = await hub.read(id, "?since=2026-03-01T12:00:00Z");
    expect([unchangedReply.status, unchangedReply.body]).toEqual([304, undefined]);
    expect((await hub.read(id, "?since=2026-03-01T14:00:00+02:00")).status).toBe(304);
    await hub.clock({ advanceMs: 1000 });
    await hub.resolve(id, "declined");
    expect((await hub.read(id, "?since=2026-03-01T12:00:00Z")).body.status).toBe("declined");
    expect((await hub.read(id, "?since=2026-03-01T12:00:01Z")).status).toBe(304);
  });

  it("answers 410 to the submitter of a deleted message, as do other operations", async () => {
    const id = await hub.accept(select());
    await hub.operate("delete", { id });
    for (const reply of [await hub.read(id), await hub.cancel(id)])
      expect([reply.status, reply.body.error.code]).toEqual([410, "gone"]);
    expect(await hub.resolve(id, "declined")).toMatchObject({ applied: false, code: "gone" });
  });

  it("finds an ended message for the published retention time, and an open one for longer", async () => {
    const [id, openId] = [await hub.accept(notify), await hub.accept(select())];
    await hub.clock({ at: "2026-03-31T12:00:00Z" });
    expect((await hub.read(id)).status).toBe(200);
    await hub.clock({ at: "2026-03-31T12:00:00.001Z" });
    expect((await hub.read(id)).status).toBe(410);
    expect((await hub.read(openId)).status).toBe(200);
  });
});

describe("the capability document", () => {
  it("contains the hub's limits and algorithms, and requires no credential", async () => {
    const answer = await hub.send("GET", "/.well-known/ahcp", { as: "nobody" });
    expect(answer.body).toMatchObject({
      signature_algs: ["hmac-sha256", "ed25519"],
      rate_limit: { requests_per_minute: 1200, inbox_depth: 1000 },
      retention_days: 30,
    });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("date")).toBe("Sun, 01 Mar 2026 12:00:00 GMT");
    expect((await hub.send("POST", "/documents/capability", { body: answer.body })).body).toEqual({ valid: true });
  });
});
