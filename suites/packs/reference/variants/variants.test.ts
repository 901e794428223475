import { describe, expect, it } from "vitest";
import {
  documentNamed,
  type Json,
  type JsonObject,
  protocolNamed,
  protocolsNamed,
  type Service,
} from "../../../../schemas/index.ts";
import { referenceOf } from "../../pack/load.ts";
import { createApp } from "../app.ts";
import { listVariants } from "../start.ts";
import { judgeFor } from "../validator.ts";
import { allVariants } from "./index.ts";

const notifyMessage = documentNamed(protocolNamed("ahcp"), "message").samples?.[0] as JsonObject;
const startedEvent = documentNamed(protocolNamed("aaep"), "agent.session.started").samples?.[0] as JsonObject;
const confirmationRequest = documentNamed(protocolNamed("aaep"), "agent.awaiting.confirmation")
  .samples?.[0] as JsonObject;
const eventEnvelope = documentNamed(protocolNamed("aaep"), "envelope").samples?.[0] as JsonObject;
const envelope = documentNamed(protocolNamed("snap"), "envelope").samples?.[0] as JsonObject;
const producer = startedEvent.producer as JsonObject;
const emojis200 = "😀".repeat(200);

/** For each variant, a message that it misjudges, and similar messages that it must judge correctly. The last two values are the verdicts of the correct implementation and of the variant. */
const cases: [
  variant: string,
  protocol: string,
  document: string,
  value: Json,
  isValid: boolean,
  isAcceptedByVariant: boolean,
][] = [
  ["no-formats", "ahcp", "message", { ...notifyMessage, created_at: "soon" }, false, true],
  ["no-formats", "ahcp", "message", { ...notifyMessage, created_at: 7 }, false, false],
  ["no-conditionals", "snap", "envelope", without(envelope, "sig"), false, true],
  ["no-conditionals", "snap", "envelope", without(envelope, "id"), false, false],
  ["draft-07", "aaep", "envelope", { ...eventEnvelope, "@context": ["https://example.org/v1"] }, false, true],
  ["draft-07", "aaep", "envelope", { ...eventEnvelope, "@context": [7] }, false, false],
  ["utf16-length", "ahcp", "message", { ...notifyMessage, title: emojis200 }, true, false],
  ["utf16-length", "ahcp", "message", { ...notifyMessage, title: `${emojis200}x` }, false, false],
  ["utf16-length", "ahcp", "message", { ...notifyMessage, title: "x".repeat(200) }, true, true],
  [
    "line-feeds",
    "aaep",
    "agent.session.started",
    { ...startedEvent, event_id: `${startedEvent.event_id}\n` },
    false,
    true,
  ],
  [
    "line-feeds",
    "aaep",
    "agent.session.started",
    { ...startedEvent, event_id: `${startedEvent.event_id}\n\n` },
    false,
    false,
  ],
  ["loose-patterns", "aaep", "agent.session.started", { ...startedEvent, event_id: "an evt_1 and more" }, false, true],
  ["loose-patterns", "aaep", "agent.session.started", { ...startedEvent, event_id: "event 1" }, false, false],
  [
    "open-objects",
    "aaep",
    "agent.session.started",
    { ...startedEvent, producer: { ...producer, more: 1 } },
    false,
    true,
  ],
  ["open-objects", "aaep", "agent.session.started", { ...startedEvent, producer: {} }, false, false],
  ["closed-objects", "aaep", "agent.session.started", { ...startedEvent, more: 1 }, true, false],
  [
    "closed-objects",
    "aaep",
    "agent.session.started",
    { ...startedEvent, extensions: { any: { more: 1 } } },
    true,
    true,
  ],
  [
    "closed-objects",
    "aaep",
    "agent.session.started",
    { ...startedEvent, producer: { ...producer, more: 1 } },
    false,
    false,
  ],
  ["closed-objects", "ahcp", "message", { ...notifyMessage, state: { more: { any: 1 } } }, true, true],
  [
    "closed-objects",
    "ahcp",
    "message",
    { ...notifyMessage, context: [{ kind: "text", text: "x", more: 1 }] },
    true,
    false,
  ],
  [
    "any-case-names",
    "ahcp",
    "message",
    { ...without(notifyMessage, "title"), TITLE: notifyMessage.title ?? null },
    false,
    true,
  ],
  ["any-case-names", "ahcp", "message", { ...without(notifyMessage, "title"), "title ": "x" }, false, false],
  ["any-case-names", "ahcp", "message", { ...notifyMessage, TITLE: 7 }, true, false],
  [
    "integer-strings",
    "aaep",
    "agent.awaiting.confirmation",
    { ...confirmationRequest, timeout_seconds: "300" },
    false,
    true,
  ],
  [
    "integer-strings",
    "aaep",
    "agent.awaiting.confirmation",
    { ...confirmationRequest, timeout_seconds: "86401" },
    false,
    false,
  ],
  [
    "integer-strings",
    "aaep",
    "agent.awaiting.confirmation",
    { ...confirmationRequest, timeout_seconds: "3e2" },
    false,
    false,
  ],
  ["integer-strings", "aaep", "agent.awaiting.confirmation", { ...confirmationRequest, action: 300 }, false, false],
  [
    "boolean-integers",
    "aaep",
    "agent.awaiting.confirmation",
    { ...confirmationRequest, timeout_seconds: true },
    false,
    true,
  ],
  [
    "boolean-integers",
    "aaep",
    "agent.awaiting.confirmation",
    { ...confirmationRequest, timeout_seconds: null },
    false,
    false,
  ],
  ["boolean-integers", "aaep", "agent.awaiting.confirmation", { ...confirmationRequest, action: true }, false, false],
  ["first-error-only", "ahcp", "message", { ...notifyMessage, title: 1, created_at: 2 }, false, false],
  ["first-error-only", "ahcp", "message", notifyMessage, true, true],
];

describe("the variants", () => {
  it.each(cases)(
    "%s misjudges only messages that its difference affects: %s %s, %j",
    async (variant, protocolName, documentName, value, isValid, isAcceptedByVariant) => {
      const protocol = protocolNamed(protocolName);
      const document = documentNamed(protocol, documentName);
      const original = structuredClone(value);
      const judgeCorrectly = await judgeFor(protocol);
      const judgeAsVariant = await judgeFor(
        protocol,
        allVariants.find(({ name }) => name === variant),
      );
      expect(judgeCorrectly(document, value).length === 0).toBe(isValid);
      expect(judgeAsVariant(document, value).length === 0).toBe(isAcceptedByVariant);
      expect(value).toEqual(original);
    },
  );

  it("all have cases above, except those that change how a body is read or ignore only semantic rules", () => {
    const withCases = [...new Set(cases.map(([variant]) => variant))];
    expect(withCases).toEqual(
      allVariants
        .filter(
          ({ fixedAnswer, schemaOnly, respellText }) =>
            fixedAnswer === undefined && schemaOnly !== true && respellText === undefined,
        )
        .map(({ name }) => name),
    );
  });

  it.each([
    ["plain-integers", '{"a":1,"b":"1.0 and 1e0","c":1.5,"d":-0.25e1}', "as it is"],
    ["plain-integers", '{"a":[1,2.0]}', undefined],
    ["plain-integers", '{"a":1e0}', undefined],
    ["rounded-integers", '{"a":9007199254740992,"b":"9007199254740993"}', "as it is"],
    ["rounded-integers", "[9007199254740993,-9007199254740993]", "[9007199254740992,-9007199254740992]"],
    ["rounded-integers", "[9007199254740993.0]", "as it is"],
  ])("%s reads %s as %s", (name, text, read) => {
    const variant = allVariants.find((candidate) => candidate.name === name);
    expect(variant?.respellText?.(text)).toBe(read === "as it is" ? text : read);
  });

  it("first-error-only returns one reason if the correct implementation returns several", async () => {
    const protocol = protocolNamed("ahcp");
    const message = documentNamed(protocol, "message");
    const twoFaults = { ...notifyMessage, title: 1, created_at: 2 };
    expect((await judgeFor(protocol))(message, twoFaults)).toHaveLength(2);
    const judgeFirstError = await judgeFor(
      protocol,
      allVariants.find(({ name }) => name === "first-error-only"),
    );
    expect(judgeFirstError(message, twoFaults)).toHaveLength(1);
  });
});

const references = await Promise.all(protocolsNamed("all").map(referenceOf));

describe.each(references)("the variants of $protocol.name", ({ protocol, service }) => {
  it("accept every sample, except the two variants that refuse too much", async () => {
    for (const variant of listVariants(protocol).filter(
      (variantSummary) => !["reject-all", "closed-objects"].includes(variantSummary.name),
    )) {
      const judge = await judgeFor(
        protocol,
        allVariants.find((candidate) => candidate.name === variant.name),
      );
      for (const document of protocol.profile.documents) {
        for (const sample of document.samples ?? [])
          expect([variant.name, judge(document, sample)]).toEqual([variant.name, []]);
      }
    }
  });

  it("answer any body with the protocol's acceptance or refusal", async () => {
    for (const fixedAnswer of ["accept", "reject"] as const) {
      const app = await createApp(
        protocol,
        service as Service,
        allVariants.find((candidate) => candidate.fixedAnswer === fixedAnswer),
      );
      const { http } = protocol.profile;
      for (const { endpoint, samples = [] } of protocol.profile.documents.filter(
        (document) => document.endpoint !== undefined,
      )) {
        const path = endpoint?.path ?? "";
        for (const body of ["{", "null", "[1]", "{}", JSON.stringify(samples[0])]) {
          const headers = { "Content-Type": "application/json" };
          const answer = await app(new Request(`http://v.test${path}`, { method: "POST", headers, body }));
          const output = fixedAnswer === "accept" ? "accepted" : "rejected";
          expect(endpoint?.[output] ?? http[output].flatMap(({ status }) => status)).toContain(answer.status);
          const text = await answer.text();
          if (fixedAnswer === "accept") expect(text).not.toContain('"error"');
        }
      }
    }
  });
});

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}
