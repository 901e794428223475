import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { type Hub, lateTime, noon, notify, select, soonTime, startTestHub, task } from "./hub.fixture.ts";

let hub: Hub;
beforeEach(async () => {
  hub = await startTestHub();
});
afterEach(() => hub.hub.close());

const appliedAs = (status: string) => ({ applied: true, became: status });
const refusedWith = (status: number, code: string) => expect.objectContaining({ applied: false, status, code });
const input = {
  mode: "input",
  options: undefined as never,
  schema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
};
const confirm = { mode: "confirm", options: undefined as never };

describe("a resolution", () => {
  it("is reported to the agent, with the resolver's input", async () => {
    const state = { a: [null, false, 0, "", [], {}], ñ: "é", "n\u0303": 1 };
    const id = await hub.accept(select({}, { state }));
    await hub.clock({ advanceMs: 1500 });
    expect(await hub.resolve(id, "answered", { value: "red", comment: "now" })).toEqual(appliedAs("answered"));
    const { body } = await hub.read(id);
    expect(body.status).toBe("answered");
    expect(body.response).toEqual({
      ahcp_version: "0.3",
      in_reply_to: id,
      resolution_id: expect.stringMatching(/^res_[\w-]{22}$/),
      agent: { id: "a", run_id: "run-1" },
      resolution: "answered",
      response: { value: "red", actor: "human:tester", resolved_at: "2026-03-01T12:00:01.500Z", comment: "now" },
      state,
    });
    expect((await hub.send("POST", "/documents/get-message", { body })).body).toEqual({ valid: true });
  });

  it.each([
    ["a select", {}, "red", { value: "green" }],
    ["a confirm", confirm, "deny", { value: "maybe" }],
    ["an input", input, { note: "x" }, { value: { count: 1 } }],
    ["an ask, without a value", {}, "blue", {}],
  ] as const)("answers %s only with a permitted value", async (_, request, validValue, invalidAnswer) => {
    const id = await hub.accept(select(request as JsonObject));
    expect(await hub.resolve(id, "answered", invalidAnswer)).toEqual(refusedWith(422, "invalid_field"));
    expect((await hub.read(id)).body.status).toBe("open");
    expect(await hub.resolve(id, "answered", { value: validValue })).toEqual(appliedAs("answered"));
  });

  it("is refused unless it is an outcome of the message's type", async () => {
    const resolutions = [
      "answered",
      "declined",
      "cancelled",
      "expired",
      "completed",
      "dismissed",
      "ignored",
      "open",
      "delivered",
    ];
    const statusesAfter = async (message: JsonObject): Promise<unknown[]> => {
      const endStatuses = await Promise.all(
        resolutions.map(async (resolution) => {
          const value = resolution === "answered" ? { value: "red" } : {};
          return (await hub.resolve(await hub.accept(message), resolution, value)).became;
        }),
      );
      return endStatuses.filter((status) => status !== undefined);
    };
    const unkeyed = (message: JsonObject) => ({ ...message, idempotency_key: undefined as never });
    expect(await statusesAfter(notify)).toEqual([]);
    for (const [message, expected] of [
      [select(), ["answered", "declined"]],
      [task(), ["completed", "dismissed"]],
    ] as const) {
      const outcomesSeen: unknown[] = [];
      for (const resolution of resolutions) {
        const id = await hub.accept({ ...unkeyed(message), idempotency_key: `${message.type}-${resolution}` });
        const value = resolution === "answered" ? { value: "red" } : {};
        outcomesSeen.push((await hub.resolve(id, resolution, value)).became);
      }
      expect(outcomesSeen.filter((became) => became !== undefined)).toEqual(expected);
    }
  });

  it("respects the permissions of the ask", async () => {
    const unanswerable = await hub.accept(select({ permissions: { allow_respond: false } }));
    expect(await hub.resolve(unanswerable, "answered", { value: "red" })).toMatchObject({ applied: false });
    expect(await hub.resolve(unanswerable, "declined")).toEqual(appliedAs("declined"));
    const undeclinable = await hub.accept(select({ permissions: { allow_ignore: false } }));
    expect(await hub.resolve(undeclinable, "declined")).toMatchObject({ applied: false });
    expect(await hub.resolve(undeclinable, "answered", { value: "red" })).toEqual(appliedAs("answered"));
  });

  it("has no value for a task, but may have a comment and a checklist", async () => {
    const id = await hub.accept(task());
    expect(await hub.resolve(id, "completed", { value: "done" })).toEqual(refusedWith(422, "invalid_field"));
    expect(await hub.resolve(id, "completed", { checklist: [{ done: true }] })).toEqual(
      refusedWith(422, "invalid_field"),
    );
    const checklist = [{ text: "Closed", done: true }];
    expect(await hub.resolve(id, "completed", { checklist, comment: "ok" })).toEqual(appliedAs("completed"));
    expect((await hub.read(id)).body.response.response).toEqual({
      actor: "human:tester",
      resolved_at: noon,
      comment: "ok",
      checklist,
    });
  });

  it("is final, even after the deadline", async () => {
    const id = await hub.accept(select({ default_on_expire: "blue" }, { expires_at: soonTime }));
    await hub.resolve(id, "answered", { value: "red" });
    const { body } = await hub.read(id);
    expect(await hub.resolve(id, "declined")).toEqual(refusedWith(409, "already_terminal"));
    const conflict = await hub.cancel(id);
    expect([conflict.status, conflict.body]).toEqual([
      409,
      {
        id,
        status: "answered",
        resolution: "answered",
        error: { code: "already_terminal", message: expect.any(String) },
      },
    ]);
    await hub.clock({ at: lateTime });
    expect((await hub.read(id)).body).toEqual(body);
  });

  it("succeeds only once, even if many arrive at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await hub.accept(select());
      const calls = [0, 1, 2, 3].flatMap((callNumber) => [
        hub.resolve(id, "answered", { value: callNumber % 2 === 0 ? "red" : "blue" }),
        hub.cancel(id).then(({ status }) => ({ applied: status === 200 })),
      ]);
      const results = await Promise.all(calls);
      const { status } = (await hub.read(id)).body;
      expect(results.filter(({ applied }) => applied).length).toBe(status === "answered" ? 1 : 4);
    }
  });
});

describe("the permission to resolve a message", () => {
  it.each([
    ["no list", undefined, ["agent:a"]],
    ["an empty list", [], []],
    ["a list", ["human:tester", "agent:x", "system:default_on_expire", "human:*"], ["human:tester", "agent:x"]],
  ])("depends on allowed_resolvers (%s)", async (_, allowedResolvers, expected) => {
    const actors = ["human:tester", "human:test", "human:tester2", "human:Tester", "agent:a", "agent:x", "a"];
    const message = select({ allowed_resolvers: allowedResolvers as never });
    const permitted: string[] = [];
    for (const actor of [...actors, "system:default_on_expire"]) {
      const id = await hub.accept({ ...message, idempotency_key: actor });
      const answer = await hub.resolve(id, "answered", { value: "red", actor });
      if (answer.applied) permitted.push(actor);
      else expect(answer).toEqual(refusedWith(403, "not_authorized"));
      expect((await hub.read(id)).body.status).toBe(answer.applied ? "answered" : "open");
    }
    expect(permitted).toEqual(expected);
  });

  it("does not depend on claims in the request", async () => {
    const id = await hub.accept(select());
    await hub.resolve(id, "answered", { value: "red", claims: { actor: "human:boss" } });
    expect((await hub.read(id)).body.response.response.actor).toBe("human:tester");
  });

  it("is checked before the state of the message is revealed", async () => {
    const id = await hub.accept(select());
    await hub.resolve(id, "declined");
    expect(await hub.resolve(id, "declined", { actor: "human:other" })).toEqual(refusedWith(403, "not_authorized"));
  });
});

describe("a deadline", () => {
  it("is exact to the millisecond of the hub's clock", async () => {
    const message = select({ default_on_expire: "blue" }, { expires_at: soonTime, created_at: "2030-01-01T00:00:00Z" });
    const [answeredInTime, answeredTooLate] = [
      await hub.accept(message),
      await hub.accept({ ...message, idempotency_key: "other" }),
    ];
    await hub.clock({ at: soonTime });
    expect((await hub.read(answeredTooLate)).body.status).toBe("open");
    expect(await hub.resolve(answeredInTime, "answered", { value: "red" })).toEqual(appliedAs("answered"));
    await hub.clock({ at: lateTime });
    expect(await hub.resolve(answeredTooLate, "answered", { value: "red" })).toEqual(
      refusedWith(409, "already_terminal"),
    );
    const { status, response } = (await hub.read(answeredTooLate)).body;
    expect([status, response.defaulted, response.response]).toEqual([
      "expired",
      true,
      { value: "blue", actor: "system:default_on_expire", resolved_at: soonTime },
    ]);
  });

  it.each([
    ["an ask without a default", select({}, { expires_at: soonTime })],
    ["an ask with a default of null", select({ default_on_expire: null }, { expires_at: soonTime })],
    ["a task, with or without a default", task({ default_on_expire: "x" }, { expires_at: soonTime })],
  ])("expires %s without a value", async (_, message) => {
    const id = await hub.accept(message);
    await hub.clock({ at: lateTime });
    const { status, response } = (await hub.read(id)).body;
    expect([status, response.defaulted]).toEqual(["expired", undefined]);
    expect(response.response).toEqual({ actor: "system:expiry", resolved_at: soonTime });
  });

  it("takes effect even without a read", async () => {
    const id = await hub.accept(select({}, { expires_at: soonTime }));
    await hub.clock({ at: lateTime });
    const { lines } = (await hub.operate("logs")) as { lines: JsonObject[] };
    expect(lines.filter((line) => line.id === id).map(({ note }) => note)).toEqual(["ask", "expired"]);
  });

  it("is optional, and is ignored in a notify", async () => {
    const ids = [await hub.accept(select()), await hub.accept({ ...notify, expires_at: soonTime })];
    await hub.clock({ at: "2026-03-20T12:00:00Z" });
    expect(await Promise.all(ids.map(async (id) => (await hub.read(id)).body.status))).toEqual(["open", "delivered"]);
  });

  it("takes effect before a later cancellation", async () => {
    const id = await hub.accept(select({}, { expires_at: soonTime }));
    await hub.clock({ at: lateTime });
    const { status, body } = await hub.cancel(id);
    expect([status, body.status]).toEqual([409, "expired"]);
  });
});

describe("a cancellation", () => {
  it("ends an open ask, and may be repeated", async () => {
    const id = await hub.accept(select());
    for (let attempt = 0; attempt < 3; attempt++) {
      const { status, body } = await hub.cancel(id);
      expect([status, body]).toEqual([200, { id, status: "cancelled" }]);
    }
    const { response } = (await hub.read(id)).body;
    expect(response.response).toEqual({ actor: "agent:a", resolved_at: noon });
  });

  it("is refused for tasks and notifies, and for agents other than the submitter", async () => {
    for (const [message, status] of [
      [task(), "open"],
      [notify, "delivered"],
    ] as const) {
      const id = await hub.accept(message);
      expect((await hub.cancel(id)).status).toBe(400);
      expect((await hub.read(id)).body.status).toBe(status);
    }
    const id = await hub.accept(select());
    const unknownReply = await hub.cancel("msg_unknown", "b");
    expect(await hub.cancel(id, "b")).toMatchObject({ status: 404, body: unknownReply.body });
    expect((await hub.cancel(id)).status).toBe(200);
  });
});
