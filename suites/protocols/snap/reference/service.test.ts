import { beforeAll, describe, expect, it } from "vitest";
import { documentNamed, type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { createApp } from "../../../packs/reference/app.ts";
import { service } from "./service.ts";

const protocol = await ruled(protocolNamed("snap"));

describe("the SNAP agent", () => {
  let agent: (request: Request) => Promise<Response>;
  beforeAll(async () => {
    agent = await createApp(protocol, service);
  });
  async function post(path: string, body: Json | string) {
    const answer = await agent(
      new Request(`http://agent.test${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "SNAP-Version": "0.1" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
  }
  const sampleMessage = documentNamed(protocol, "message-send.request").wrap?.in as JsonObject;

  it("answers every signed sample with a response for its method", async () => {
    for (const { name, endpoint, wrap, samples = [] } of protocol.profile.documents) {
      for (const sample of endpoint === undefined ? [] : samples) {
        const { signAgain } = await import("../rules/signature.ts");
        const envelope = wrap === undefined ? sample : { ...(wrap.in as JsonObject), payload: sample };
        const message = signAgain(envelope) as JsonObject;
        const answer = await post("/snap", message);
        expect(answer.headers.get("snap-version")).toBe("0.1");
        const { body } = answer;
        expect([answer.status, body.payload.error, name]).toEqual([200, undefined, name]);
        expect([body.id, body.from, body.to, body.type, body.method]).toEqual([
          message.id,
          message.to,
          message.from,
          "response",
          message.method,
        ]);
      }
    }
  });

  it.each<[string, JsonObject, number, RegExp]>([
    ["an empty payload", { payload: {} }, 1004, /^\/payload must have .*'message'/],
    [
      "a fault deep in the payload",
      { payload: { message: { messageId: "m", role: "robot", parts: [{ text: "x" }] } } },
      1004,
      /^\/payload\/message\/role /,
    ],
    ["a method of the wrong form", { method: "Message/Send" }, 1003, /^\/method .*SNAP-ENV-009/],
    ["a sender that is not an address", { from: "bc1pshort" }, 2005, /^\/from /],
    ["a timestamp as a string", { timestamp: "1768469400" }, 1003, /^\/timestamp /],
    ["an additional member", { extra: 1 }, 1003, /"extra"/],
  ])("refuses %s", async (_, change, code, message) => {
    const answer = await post("/snap", { ...sampleMessage, ...change });
    expect(answer.status).toBe(200);
    const { body } = answer;
    expect(body.payload.error).toEqual({ code, message: expect.stringMatching(message) });
    expect((await post("/documents/error", body.payload.error)).status).toBe(200);
    expect(body.to).toBe("from" in change ? change.from : sampleMessage.from);
  });

  it("distinguishes a missing signature from a malformed message", async () => {
    const { sig: _, ...unsigned } = sampleMessage;
    expect((await post("/snap", unsigned)).body.payload.error.code).toBe(2002);
    const error = { code: 1001, message: "no such task" };
    const answer = await post("/snap", { ...unsigned, type: "response", payload: { error } });
    expect(answer.body.payload.error).toBeUndefined();
    expect((await post("/snap", [])).body.payload.error.code).toBe(1003);
  });

  it("accepts a payload without a schema", async () => {
    const { signAgain } = await import("../rules/signature.ts");
    const message = signAgain({ ...sampleMessage, method: "weather/get", payload: { any: 1 } }) as JsonObject;
    expect((await post("/snap", message)).body.payload).toEqual({});
  });

  it.each(["{", "", '{"id":"a","id":"b"}'])("answers %j with 400", async (text) => {
    const answer = await post("/snap", text);
    expect(answer.status).toBe(400);
    expect(answer.body.payload.error.code).toBe(1003);
  });
});
