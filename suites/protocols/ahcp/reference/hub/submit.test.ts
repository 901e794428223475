import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Hub, lateTime, noon, notify, push, select, soonTime, startTestHub, task } from "./hub.fixture.ts";

let hub: Hub;
beforeEach(async () => {
  hub = await startTestHub({ limits: { requestsPerMinute: 30, inboxDepth: 3 } });
});
afterEach(() => hub.hub.close());

const pastTime = "2026-03-01T11:59:55Z";
const selectLoosely = (request: object) => select(request as never);

describe("a submit", () => {
  it("is acknowledged, and the message can be read unchanged", async () => {
    for (const [message, status] of [
      [notify, "delivered"],
      [select(), "open"],
      [task(), "open"],
    ] as const) {
      const ack = await hub.submit(message);
      expect([ack.status, ack.body.status, Object.keys(ack.body)]).toEqual([202, status, ["id", "status", "poll_url"]]);
      const answer = await hub.send("GET", ack.body.poll_url);
      expect(answer.body).toEqual({ ...message, id: ack.body.id, status });
    }
  });

  it.each([
    ["no credential", "nobody", 401, "unauthenticated"],
    ["another agent's credential", "b", 403, "agent_id_mismatch"],
  ])("with %s is refused", async (_, as, status, code) => {
    const refusal = await hub.submit(notify, as);
    expect([refusal.status, refusal.body.error.code]).toEqual([status, code]);
  });

  it("requires a credential before it reads the body", async () => {
    const refusal = await hub.send("POST", "/v1/messages", { as: "nobody", text: "{" });
    expect([refusal.status, refusal.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="hub"']);
  });

  it.each([
    ["a different major version", { ...notify, ahcp_version: "2.0", title: "" }, 400, "version_not_supported"],
    [
      "a push before version 0.3",
      select(push("http://127.0.0.1:9/"), { ahcp_version: "0.2" }),
      400,
      "version_not_supported",
    ],
    ["no title", { ...notify, title: "" }, 400, "validation_error"],
    ["a null deadline", { ...notify, expires_at: null }, 400, "validation_error"],
    ["a deadline that has passed", select({}, { expires_at: pastTime }), 422, "invalid_field"],
    ["a deadline that is this instant", select({}, { expires_at: noon }), 422, "invalid_field"],
    [
      "a deadline that has passed in another time zone",
      select({}, { expires_at: "2026-03-02T01:00:00+14:00" }),
      422,
      "invalid_field",
    ],
    ["a default that is not an option", selectLoosely({ default_on_expire: "green" }), 422, "invalid_field"],
    [
      "a default that is not an answer to a confirm",
      selectLoosely({ mode: "confirm", default_on_expire: "maybe" }),
      422,
      "invalid_field",
    ],
    ["a large body", { ...notify, body: "ä".repeat(32_769) }, 422, "invalid_field"],
    ["a large part", { ...notify, context: [{ kind: "text", text: "€".repeat(87_382) }] }, 422, "invalid_field"],
    ["many parts", { ...notify, context: Array(17).fill({ kind: "text", text: "" }) }, 422, "invalid_field"],
  ])("with %s is refused", async (_, message, status, code) => {
    const refusal = await hub.submit(message as never);
    expect([refusal.status, refusal.body.error.code]).toEqual([status, code]);
  });

  it("is refused if it is nested too deeply for signing", async () => {
    const nested = (depth: number): string => {
      const state = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      return JSON.stringify({ ...notify, state: {} }).replace('"state":{}', `"state":${state}`);
    };
    const statuses = [100, 1001, 9000, 20_000].map(async (depth) => {
      const { status, body } = await hub.send("POST", "/v1/messages", { text: nested(depth) });
      return [status, body.error?.code];
    });
    expect(await Promise.all(statuses)).toEqual([
      [202, undefined],
      [422, "invalid_field"],
      [422, "invalid_field"],
      [400, "validation_error"],
    ]);
  });

  it("is accepted if sizes and deadlines are exactly at the limit", async () => {
    const text = "x".repeat(262_144);
    const context = [{ kind: "text", text }, ...Array(15).fill({ kind: "data", data: { a: [] } })];
    expect((await hub.submit({ ...notify, body: "ä".repeat(32_768), context })).status).toBe(202);
    expect((await hub.submit(select({}, { expires_at: "2026-03-01T00:30:00-12:00" }))).status).toBe(202);
    expect((await hub.submit(select({}, { ahcp_version: "0.0", expires_at: "2099-12-31T23:59:60Z" }))).status).toBe(
      202,
    );
  });

  it("cannot set members that belong to the hub", async () => {
    const hubMembers = { id: "msg_mine", status: "answered", response: { x: 1 }, resolution_id: "r" };
    const id = await hub.accept(select({}, hubMembers));
    const { body } = await hub.read(id);
    expect([id, body.status, body.response, body.resolution_id]).toEqual([body.id, "open", undefined, undefined]);
    expect((await hub.read("msg_mine")).status).toBe(404);
  });

  it("is refused for a minute after an agent has exceeded the rate, but not for other agents", async () => {
    for (let count = 0; count < 30; count++) expect((await hub.submit(notify)).status).toBe(202);
    await hub.clock({ advanceMs: 12_500 });
    const refusal = await hub.submit(notify);
    expect([refusal.status, refusal.body.error.code, refusal.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "48",
    ]);
    expect((await hub.submit({ ...notify, agent: { ...(notify.agent as object), id: "b" } }, "b")).status).toBe(202);
    await hub.clock({ advanceMs: 47_500 });
    expect((await hub.submit(notify)).status).toBe(202);
  });

  it("is refused while the agent has too many open messages", async () => {
    const firstId = await hub.accept(select());
    await hub.accept(select());
    await hub.accept(task());
    const refusal = await hub.submit(task());
    expect([refusal.status, refusal.headers.has("retry-after")]).toEqual([429, true]);
    expect((await hub.submit(notify)).status).toBe(202);
    await hub.cancel(firstId);
    expect((await hub.submit(task())).status).toBe(202);
  });
});

describe("a repeated submit", () => {
  it("is recognized in any order of members and in any run", async () => {
    const { request, ...members } = select();
    const id = await hub.accept({ ...members, request: request as never });
    const repetition = { request: request as never, ...members, agent: { id: "a", run_id: "run-2", runtime: "cli" } };
    expect((await hub.submit(repetition)).body.id).toBe(id);
    const conflict = await hub.submit({ ...repetition, title: "Other" });
    expect([conflict.status, conflict.body.error.code]).toEqual([409, "idempotency_conflict"]);
    expect((await hub.submit(task({}, { idempotency_key: members.idempotency_key as string }))).status).toBe(409);
    expect((await hub.read(id)).body.title).toBe("Done");
  });

  it("is answered with the state of the message, even after its deadline", async () => {
    const message = select({ default_on_expire: "blue" }, { expires_at: soonTime });
    const id = await hub.accept(message);
    await hub.clock({ at: lateTime });
    const repetition = await hub.submit(message);
    expect([repetition.status, repetition.body.id, repetition.body.status]).toEqual([202, id, "expired"]);
  });

  it("is recognized only with the same key of the same agent", async () => {
    const message = select();
    const id = await hub.accept(message);
    const sameKeyOfB = { ...message, agent: { id: "b", run_id: "run-1", runtime: "cli" } };
    expect((await hub.submit(sameKeyOfB, "b")).body.id).not.toBe(id);
    expect(await hub.accept(notify)).not.toBe(await hub.accept(notify));
    const keyed = { ...notify, idempotency_key: "n" };
    expect(await hub.accept(keyed)).toBe(await hub.accept(keyed));
  });

  it("can reuse the key of a refused message", async () => {
    const message = select({ default_on_expire: "green" });
    expect((await hub.submit(message)).status).toBe(422);
    expect((await hub.submit({ ...message, request: select().request as never })).status).toBe(202);
  });

  it("is merged if it arrives at the same time; only one of several payloads is accepted", async () => {
    const message = select();
    const acks = await Promise.all(Array.from({ length: 10 }, () => hub.submit(message)));
    expect(new Set(acks.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => hub.submit(select({}, { idempotency_key: "race", title: `${n}` }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(409)]);
  });
});

describe("a hub without credentials", () => {
  it("accepts and shows messages without a credential", async () => {
    const openHub = await startTestHub({ credentials: undefined as never });
    try {
      const { body } = await openHub.submit(notify, "nobody");
      expect((await openHub.read(body.id, "", "nobody")).body.title).toBe("Done");
    } finally {
      await openHub.hub.close();
    }
  });
});
