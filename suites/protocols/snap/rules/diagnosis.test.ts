import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../schemas/index.ts";
import { diagnosis } from "./diagnosis.ts";
import { mistakeFacts, wrongFacts } from "./facts.fixture.ts";
import { keyA, keyB } from "./keys.ts";
import { missignMessage, mistakes } from "./mistakes.ts";
import { signAgain } from "./signature.ts";
import { spellings, spellValue } from "./spelling.ts";

const head = { version: "0.1", from: keyA.address.main, to: keyB.address.main, type: "request", timestamp: 1738627200 };
const parts = [{ text: "hello" }];
const unsignedMessage: JsonObject = {
  ...head,
  id: "der-neg-1",
  method: "message/send",
  payload: { message: { messageId: "inner-001", role: "user", parts } },
};
const { to: _to, ...messageWithoutRecipient } = {
  ...head,
  id: "der-svc-1",
  method: "service/call",
  payload: { name: "query_database", arguments: { sql: "SELECT 1" } },
};
const messages: Record<string, JsonObject> = {
  "insertion-order": { ...unsignedMessage, payload: { message: { role: "user", parts, messageId: "inner-001" } } },
  ascii: {
    ...unsignedMessage,
    id: "der-neg-2",
    payload: { message: { messageId: "inner-001", role: "user", parts: [{ text: "\u4f60\u597d" }] } },
  },
  "to-dropped": messageWithoutRecipient,
};

describe("a mistake", () => {
  it.each(Object.entries(mistakeFacts))(
    "%s produces the signature that other implementations computed, and is recognized",
    (name, sig) => {
      const message = messages[name] ?? unsignedMessage;
      expect(missignMessage(message, name, keyA.tweaked)).toBe(sig);
      const rule = mistakes.find((mistake) => mistake.name === name)?.rule;
      expect(diagnosis({ ...message, sig })?.rule).toBe(rule);
    },
  );

  it("has a unique name", () => {
    expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
  });

  it("throws for a message that it does not apply to", () => {
    expect(() => missignMessage(unsignedMessage, "to-dropped", keyA.tweaked)).toThrow("to-dropped");
  });
});

describe("the diagnosis", () => {
  it.each(Object.entries(wrongFacts))("refuses a wrong signature (%s)", (name, sig) => {
    const rule = name === "order" || name === "prime" ? "SNAP-SIG-006" : "SNAP-SIG-005";
    expect(diagnosis({ ...unsignedMessage, sig })?.rule).toBe(rule);
  });

  it("finds nothing in a correct signature, without a signature, or without a key", () => {
    const signedMessage = signAgain({ ...unsignedMessage, sig: "" }) as JsonObject;
    expect(diagnosis(signedMessage)).toBeUndefined();
    expect(diagnosis(unsignedMessage)).toBeUndefined();
    expect(diagnosis({ ...signedMessage, sig: "AB".repeat(64) })).toBeUndefined();
    expect(diagnosis({ ...signedMessage, from: `${keyA.address.main.slice(0, -1)}q` })).toBeUndefined();
    expect(diagnosis({ ...signedMessage, payload: null })).toBeUndefined();
  });

  it("does not depend on the message that was judged before", () => {
    const signedMessage = signAgain({ ...unsignedMessage, sig: "" }) as JsonObject;
    expect(diagnosis({ ...signedMessage, id: "other" })?.rule).toBe("SNAP-SIG-005");
    expect(diagnosis(signedMessage)).toBeUndefined();
  });

  it("gives up on a message that is nested too deeply", () => {
    let deepPayload: JsonObject = {};
    for (let level = 0; level < 50_000; level += 1) deepPayload = { deep: deepPayload };
    const signedMessage = signAgain({ ...unsignedMessage, sig: "" }) as JsonObject;
    expect(diagnosis({ ...signedMessage, payload: deepPayload })).toBeUndefined();
    expect(diagnosis({ ...signedMessage, "x-deep": deepPayload })).toBeUndefined();
  });
});

describe("a spelling", () => {
  const data: JsonObject = {
    "\uff5e": 1e21,
    "\u{1f309}": [1e-7, "\b</\u001f", "e\u0301"],
    B: { z: null, a: 0.1 + 0.2 },
    a: [],
    10: "ten",
    9: "nine",
  };

  it("follows RFC 8785 by default", () => {
    expect(spellValue(data)).toBe(
      '{"10":"ten","9":"nine","B":{"a":0.30000000000000004,"z":null},"a":[],"\u{1f309}":[1e-7,"\\b</\\u001f","e\u0301"],"\uff5e":1e+21}',
    );
  });

  it.each(Object.entries(spellings))("differs from RFC 8785 if it is %s", (_, { spelling }) => {
    expect(spellValue(data, spelling)).not.toBe(spellValue(data));
    expect(spellValue({}, spelling)).toBe("{}");
  });
});
