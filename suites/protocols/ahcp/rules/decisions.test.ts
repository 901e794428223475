import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { pulledDelivery, pushedDelivery } from "./deliveries.fixture.ts";
import { askWith, confirm, form, input, notify, options, select, task } from "./messages.fixture.ts";
import {
  answerOf,
  cancelledResponse,
  completedResponse,
  declinedResponse,
  defaultApplied,
  expiredResponse,
  outcome,
  resolvedBy,
  response,
  storedAs,
} from "./responses.fixture.ts";

const protocol = await ruled(protocolNamed("ahcp"));

/** The rules that an instance breaks: [in brackets] if they only warn, {in braces} if they only note. */
function rulesBrokenBy(document: string, instance: Json): string[] {
  const rules = findings(protocol, document, instance).map(({ rule, level }) => {
    const name = rule.replace("AHCP-", "");
    return level === "MUST" ? name : level === "NOTE" ? `{${name}}` : `[${name}]`;
  });
  return [...new Set(rules)];
}

const part = (members: JsonObject): JsonObject => ({ ...notify, context: [{ kind: "text", text: "x", ...members }] });
const noteForm = form({ note: { type: "string" }, count: { type: "number" } }, ["note"]);
const askWithDefault = (value: Json): JsonObject => askWith(input, { schema: noteForm, default_on_expire: value });
const askWithSensitiveField = askWith(input, { schema: form({ key: { type: "string", "x-ahcp-sensitive": true } }) });
const errorOf = (status: number, body: Json): JsonObject => ({ endpoint: "read", status, body });
const errorBody = (code: string): Json => ({ error: { code, message: "no such message" } });
const capability = { ahcp_version: "0.3", max_body_bytes: 65536, rate_limit: { requests_per_minute: 60 } };
const conductOfRefusal = (limit: string, amount: number): JsonObject => ({
  capability,
  refused: [{ limit, amount, ...(limit === "body" ? { request: amount + 300 } : {}) }],
});

describe("the catalogue's valid and invalid cases", () => {
  it.each<[string, string, Json, string[]]>([
    ["VER-008", "message", notify, []],
    ["VER-008", "message", { ...notify, ahcp_version: "0.4" }, ["[VER-008]"]],
    ["ENV-008", "message", { ...notify, title: "Ship?" }, []],
    ["ENV-008", "message", { ...notify, title: "a\nb" }, ["[ENV-008]"]],
    ["PRT-006", "message", part({}), []],
    ["PRT-006", "message", part({ data: {} }), ["[PRT-006]"]],
    [
      "ASK-005",
      "message",
      askWith(input, { schema: form({ a: { type: "string" }, b: { enum: ["x", "y"] } }, ["a"]) }),
      [],
    ],
    [
      "ASK-005",
      "message",
      askWith(input, { schema: { properties: { a: { type: "array", items: {} } } } }),
      ["[ASK-005]"],
    ],
    ["ASK-010", "message", askWith(select, { options: options("red", "blue"), default_on_expire: "blue" }), []],
    [
      "ASK-010",
      "message",
      askWith(select, { options: options("red", "blue"), default_on_expire: "Blue" }),
      ["ASK-010"],
    ],
    [
      "ASK-010",
      "message",
      askWith(select, { options: options("red", "blue"), default_on_expire: "green" }),
      ["ASK-010"],
    ],
    ["ASK-010", "message", askWith(select, { options: options("red", "blue"), default_on_expire: {} }), ["ASK-010"]],
    ["ASK-011", "message", askWithDefault({ note: "n/a" }), []],
    ["ASK-011", "message", askWithDefault("n/a"), ["ASK-011"]],
    ["ASK-011", "message", askWithDefault({ count: 1 }), ["ASK-011"]],
    ["ASK-011", "message", askWithDefault({ note: 5 }), ["ASK-011"]],
    ["ASK-012", "message", askWith(confirm, { default_on_expire: "deny" }), []],
    ["ASK-012", "message", askWith(confirm, { default_on_expire: "maybe" }), ["[ASK-012]"]],
    ["ASK-018", "message", askWith(select, { options: options("red", "red") }), ["[ASK-018]"]],
    ["GET-002", "get-message", storedAs("answered", select, answerOf("rye")), []],
    ["GET-002", "get-message", storedAs("completed", select), ["GET-002"]],
    ["GET-002", "get-message", storedAs("open", select, answerOf("rye")), ["GET-002"]],
    ["RSP-007", "outcome", outcome(task, response("dismissed")), []],
    ["RSP-007", "outcome", outcome(task, cancelledResponse), ["RSP-007", "[RSP-009]"]],
    ["RSP-007", "outcome", outcome(select, completedResponse), ["RSP-007"]],
    ["RSP-008", "response", declinedResponse, []],
    ["RSP-008", "response", response("cancelled"), ["RSP-008"]],
    ["RSP-009", "outcome", outcome(task, completedResponse), []],
    [
      "RSP-009",
      "outcome",
      outcome(task, response("completed", resolvedBy("human:bea", { value: "done" }))),
      ["RSP-009"],
    ],
    ["RSP-010", "outcome", outcome(select, answerOf("rye")), []],
    ["RSP-010", "outcome", outcome(input, answerOf("text")), ["RSP-010"]],
    ["RSP-010", "outcome", outcome(select, answerOf("green")), ["RSP-010"]],
    ["RSP-011", "outcome", outcome(askWith(select, { default_on_expire: "rye" }), defaultApplied("rye")), []],
    ["RSP-011", "response", response("answered", resolvedBy()), ["RSP-011"]],
    ["RSP-011", "outcome", outcome(select, response("expired", resolvedBy("system:x", { value: "rye" }))), ["RSP-011"]],
    ["RSP-012", "response", defaultApplied("rye"), []],
    [
      "RSP-012",
      "response",
      response("answered", resolvedBy("system:default_on_expire", { value: "rye" })),
      ["RSP-012"],
    ],
    ["RSP-012", "response", response("expired", undefined, { defaulted: true }), ["RSP-012"]],
    ["RSP-017", "response", { ...declinedResponse, payload_sha256: "" }, ["RSP-017"]],
    ["ERR-001", "error", errorOf(404, errorBody("not_found")), []],
    ["ERR-001", "error", errorOf(404, { error: "not_found" }), ["ERR-001"]],
    ["ERR-002", "error", errorOf(404, errorBody("unauthenticated")), ["ERR-002"]],
    ["LIM-005", "conduct", conductOfRefusal("rate", 61), []],
    ["LIM-005", "conduct", conductOfRefusal("body", 10_000), ["LIM-005"]],
    [
      "CAP-004",
      "conduct",
      { capability: { ...capability, signature_algs: ["ed25519"] }, signed_with: ["hmac-sha256"] },
      ["[CAP-004]"],
    ],
    ["SAF-005", "outcome", outcome(askWithSensitiveField, answerOf({ key: { secret_ref: "vault://k" } })), []],
    ["SAF-005", "outcome", outcome(askWithSensitiveField, answerOf({ key: { secret_ref: 5 } })), ["[SAF-005]"]],
  ])("%s judges its cases of the document %s", (_, document, instance, expected) =>
    expect(rulesBrokenBy(document, instance)).toEqual(expected),
  );
});

describe("known faults of the upstream reference", () => {
  const expiredWithDefault = response("expired", resolvedBy("system:default_on_expire"), { defaulted: true });
  it.each<[string, string, Json, string[]]>([
    ["a task's outcome for an ask", "outcome", outcome(select, completedResponse), ["RSP-007"]],
    ["an answer to a confirm that is not an option", "outcome", outcome(confirm, answerOf("maybe")), ["RSP-010"]],
    ["an expired task that claims a default", "outcome", outcome(task, expiredWithDefault), ["[RSP-009]", "[RSP-012]"]],
    [
      "an expired ask that claims a default although it has none",
      "outcome",
      outcome(select, expiredWithDefault),
      ["[RSP-012]"],
    ],
    [
      "a person's answer after the deadline",
      "outcome",
      outcome(select, { ...expiredResponse, response: resolvedBy() }),
      ["RSP-012"],
    ],
  ])("reports %s", (_, document, instance, expected) => expect(rulesBrokenBy(document, instance)).toEqual(expected));
});

describe("a delivery", () => {
  const responseWithState = { ...answerOf("rye"), state: { step: 1 } };
  it.each<[string, Json, string[]]>([
    ["may be read from the hub without a signature", pulledDelivery(responseWithState), []],
    [
      "breaks two rules if it is altered and late",
      { ...pushedDelivery(responseWithState), body: answerOf("oat"), clock: 0 },
      ["SIG-012", "SIG-013"],
    ],
    [
      "breaks only SIG-011 if it is altered and the hub's log is missing",
      without({ ...pushedDelivery(responseWithState), body: answerOf("oat") }, "signed"),
      ["SIG-011"],
    ],
    [
      "breaks only SIG-011 if the hub's log is wrong",
      { ...pushedDelivery(responseWithState), signed: {} },
      ["SIG-011"],
    ],
    ["breaks no rule on signatures if its body is not JSON", { ...pushedDelivery(responseWithState), body: "{" }, []],
    [
      "breaks SIG-011 if its body has no canonical form",
      { ...pushedDelivery(responseWithState), body: { ...responseWithState, state: { x: "\ud800" } } },
      ["SIG-011"],
    ],
  ])("%s", (_, record, expected) => expect(rulesBrokenBy("delivery", record)).toEqual(expected));

  function without(record: JsonObject, name: string): JsonObject {
    return Object.fromEntries(Object.entries(record).filter(([member]) => member !== name));
  }
});

describe("a document at the maximum depth", () => {
  const nested = (text: string): JsonObject =>
    JSON.parse(`{"x":${"[".repeat(9000)}${text}${"]".repeat(9000)}}`) as JsonObject;
  it("is compared down to a difference at the deepest level", () => {
    const stored = (state: JsonObject): Json =>
      storedAs("answered", { ...select, state: nested("1") }, { ...answerOf("rye"), state });
    expect(rulesBrokenBy("get-message", stored(nested("1")))).toEqual([]);
    expect(rulesBrokenBy("get-message", stored(nested("2")))).toEqual(["GET-002"]);
  });

  it("is judged in every document", () => {
    for (const { name } of protocol.profile.documents)
      for (const value of [
        nested("1"),
        nested("1").x as Json,
        { ...select, request: nested("1"), context: [nested("1")] },
      ])
        expect(() => rulesBrokenBy(name, value)).not.toThrow();
  });
});
