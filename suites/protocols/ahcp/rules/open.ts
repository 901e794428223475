import { type Breach, type Checker, type Json, pointer } from "../../../../schemas/index.ts";

/** Makes a checker that only notes points that the specification leaves open. The schema accepts such messages, but a hub may refuse them. */
function notingChecker(
  rule: string,
  documents: readonly string[],
  find: (instance: Json) => Iterable<Breach>,
): Checker {
  return {
    rule,
    documents,
    *check(instance) {
      for (const breach of find(instance)) yield { ...breach, level: "NOTE" };
    },
  };
}

function* stringsAt(instance: Json, pointers: readonly string[]): Generator<{ at: string; text: string }> {
  for (const at of pointers) {
    const text = pointer.at(at, instance);
    if (typeof text === "string") yield { at, text };
  }
}

const leadingZeros = notingChecker(
  "AHCP-VER-001",
  ["message", "response", "get-message", "capability"],
  function* (instance) {
    for (const { at, text } of stringsAt(instance, ["/ahcp_version", "/response/ahcp_version"]))
      if (/(^|\.)0[0-9]/.test(text)) yield { at, why: `is "${text}", and readings differ on zeros that lead a number` };
  },
);

const timePointers = ["/created_at", "/expires_at", "/response/resolved_at", "/response/response/resolved_at"];

const leapSeconds = notingChecker("AHCP-ENV-003", ["message", "response", "get-message"], function* (instance) {
  for (const { at, text } of stringsAt(instance, timePointers))
    if (/:60(\.[0-9]+)?([Zz]|[+-])/.test(text)) yield { at, why: `is "${text}", and readings differ on leap seconds` };
});

const oddKeys = notingChecker("AHCP-ENV-015", ["message"], function* (instance) {
  for (const { at, text } of stringsAt(instance, ["/idempotency_key"])) {
    if (text.trim() === "") yield { at, why: "shows no character, and readings differ on such keys" };
    else if (text.length > 255) yield { at, why: `has ${text.length} characters, and readings differ on such keys` };
  }
});

const oddResolvers = notingChecker("AHCP-ASK-019", ["message"], function* (instance) {
  for (const holder of ["request", "action"]) {
    const list = pointer.at(`/${holder}/allowed_resolvers`, instance);
    for (const [index, text] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof text === "string" && (text.startsWith("system:") || /^[a-z]+:(\s*$|.*:)/.test(text)))
        yield {
          at: `/${holder}/allowed_resolvers/${index}`,
          why: `is "${text}", and readings differ on such resolvers`,
        };
    }
  }
});

export const openCheckers: readonly Checker[] = [leadingZeros, leapSeconds, oddKeys, oddResolvers];
