import { beforeAll, describe, expect, it } from "vitest";
import { documentNamed, type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { createApp } from "../../../packs/reference/app.ts";
import { service } from "./service.ts";

const protocol = await ruled(protocolNamed("aaep"));

describe("the AAEP producer", () => {
  let producer: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    producer = await createApp(protocol, service);
  });
  async function post(path: string, body: Json) {
    const answer = await producer(
      new Request(`http://producer.test${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
  }
  const sample = (name: string) => documentNamed(protocol, name).samples?.[0] as JsonObject;

  it("accepts every sample at the endpoint of its document", async () => {
    for (const { endpoint, samples = [] } of protocol.profile.documents) {
      for (const message of endpoint === undefined ? [] : samples) {
        expect((await post(endpoint?.path ?? "", message)).status).toBe(201);
      }
    }
  });

  it("grants a subscription in a valid message", async () => {
    for (const request of documentNamed(protocol, "subscription.request").samples ?? []) {
      const answer = await post("/aaep/v1/subscriptions", request);
      const { body } = answer;
      expect(answer.headers.get("location")).toBe(`/aaep/v1/events?subscription_id=${body.subscription_id}`);
      expect((await post("/documents/subscription.accepted", body)).body).toEqual({ valid: true });
      const { tidewatch: _, ...requestedCapabilities } = (request as { capabilities: JsonObject }).capabilities;
      expect(body.honored_capabilities).toEqual(requestedCapabilities);
    }
  });

  it.each<[string, string, () => JsonObject, RegExp]>([
    [
      "an event with an invalid payload",
      "/aaep/v1/events",
      () => ({ ...sample("agent.awaiting.confirmation"), timeout_seconds: 86401 }),
      /^\/timeout_seconds .*86400 \(AAEP-CONF-/,
    ],
    [
      "an unknown event of the core",
      "/aaep/v1/events",
      () => ({ ...sample("envelope"), type: "aaep:agent.purple.flamingo" }),
      /^\/type .*\(AAEP-(ENV-008|EXT-002)\)$/,
    ],
    [
      "a document that is not an event",
      "/aaep/v1/events",
      () => ({ ...sample("envelope"), type: "aaep:envelope" }),
      /\(AAEP-(ENV|EXT)-[0-9]+\)$/,
    ],
    [
      "an extension event without an id",
      "/aaep/v1/events",
      () => ({ ...sample("envelope"), event_id: "x" }),
      /^\/event_id .*\(AAEP-ENV-011\)$/,
    ],
  ])("rejects %s", async (_, path, body, message) => {
    const answer = await post(path, body());
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: "invalid_message", message: expect.stringMatching(message) });
  });

  it("rejects a request with a rejection message", async () => {
    const answer = await post("/aaep/v1/subscriptions", { ...sample("subscription.request"), capabilities: 1 });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: "subscription.rejected", reason_code: "unknown" });
    expect(answer.body.reason_message).toMatch(/^\/capabilities .*\(AAEP-HS-/);
    expect((await post("/documents/subscription.rejected", answer.body)).body).toEqual({ valid: true });
  });

  it("does not explain why it rejects a reply", async () => {
    const reply = sample("confirmation.reply");
    const answers = [{ ...reply, reply_token: "rpl_" }, { ...reply, decision: 1 }, { ...reply, type: "other" }, 7].map(
      (body) => post("/aaep/v1/replies", body),
    );
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: "invalid_message", message: "the reply was not accepted" });
    }
  });

  it("accepts the two types of messages that have no schema", async () => {
    expect((await post("/aaep/v1/replies", { type: "subscription.close" })).status).toBe(204);
    expect((await post("/aaep/v1/replies", { type: "subscription.renegotiate", capabilities: {} })).status).toBe(204);
  });
});
