import { expect, it } from "vitest";
import type { Cause, JsonObject } from "../../../schemas/index.ts";
import { formerBrief, formerCause, formerCodeless } from "./former-causes.ts";

const causeOf = (outcome: string, why: string, more: JsonObject = {}): Cause | undefined =>
  formerCause({ kind: "vector", document: "note", verdict: "valid", outcome, why, ...more });

/** Sentences as they were written before results had causes. */
it.each<[outcome: string, why: string, cause: Cause, more?: JsonObject]>([
  ["violates", "refused, although it is valid", { kind: "refused" }],
  ["violates", "refused, although it is valid: too old", { kind: "refused", reason: "too old" }],
  [
    "warns",
    "refused, although it is valid: a; no violation, since b; it said: c",
    { kind: "refused", reason: "a", doubt: "b", said: "c" },
  ],
  ["violates", "accepted, although it is invalid", { kind: "accepted" }, { verdict: "invalid" }],
  ["violates", "the body of the answer (HTTP 200) is not as described", { kind: "answer-broken" }],
  ["violates", "it is sent twice", { kind: "expectation" }, { kind: "scenario" }],
  ["wrong-reason", "refused for another cause: x", { kind: "other-reason", reason: "x" }],
  ["disputed", "refused: the schema accepts it, and it breaks A-1", { kind: "left-open", by: "rules" }],
  ["disputed", "taken: A-1 binds the agent, and nobody has to refuse for it", { kind: "left-open", by: "binding" }],
  [
    "skipped",
    "HTTP 409: it is there; it said: no",
    { kind: "http-status", status: 409, reason: "it is there", said: "no" },
  ],
  [
    "skipped",
    "HTTP 404: nothing is here; so that one is found, look; it said: no",
    { kind: "not-there", status: 404, reason: "nothing is here", advice: "look", said: "no" },
  ],
  [
    "skipped",
    "its valid parent is refused (a/b), so a refusal shows nothing",
    { kind: "parent-refused", parent: "a/b" },
  ],
  [
    "skipped",
    "nothing valid of note was accepted, so a refusal shows nothing",
    { kind: "nothing-accepted", document: "note" },
  ],
  ["skipped", "the target skips it: not supported (code 7)", { kind: "declined", reason: "not supported (code 7)" }],
  ["skipped", "the lease is not known (code unknown-lease)", { kind: "unjudged-code", code: "unknown-lease" }],
  ["skipped", "not decided: the tool refused a valid input for reasons", { kind: "tool-refused", of: "valid" }],
  ["skipped", "the server remembers this /key from an earlier run: start it", { kind: "remembered", at: "/key" }],
  [
    "skipped",
    "a server is never asked this: the implementation sends this document",
    { kind: "never-asked", of: "emitted" },
  ],
  ["skipped", "there is no validator for note", { kind: "no-validator", document: "note" }],
  ["skipped", "no endpoint is known for note: name its path", { kind: "no-endpoint", document: "note" }],
  ["skipped", "needs a target that claims raw-text: it reads", { kind: "needs-claim", claims: ["raw-text"] }],
  ["skipped", 'needs the hook "clock"', { kind: "needs-setting", needs: ["clock"] }],
  ["skipped", "needs the credential of an agent and more", { kind: "needs-setting", needs: ["credential"] }],
  ["skipped", "needs a target in its production profile", { kind: "needs-setting", needs: ["production"] }],
  ["skipped", 'the hook "clock" cannot: stopped', { kind: "hook-answer", hook: "clock" }],
  ["skipped", 'waits for 60 s without the hook "clock" (--max-wait)', { kind: "waits-for", milliseconds: 60_000 }],
  ["skipped", "the session does not end", { kind: "not-shown" }],
  ["errored", "the module threw Error: no", { kind: "threw", reason: "Error: no" }, { stage: "crash" }],
  ["errored", "no connection: refused", { kind: "no-connection" }, { stage: "connect" }],
  ["errored", "HTTP 401: give credentials", { kind: "access", status: 401 }, { stage: "access" }],
  [
    "errored",
    "HTTP 500: the server failed",
    { kind: "http-status", status: 500, reason: "the server failed" },
    { stage: "answer" },
  ],
  ["timed-out", "no answer within 5 ms", { kind: "timed-out" }, { stage: "answer" }],
])("derives the cause of a result: %s, %s", (outcome, why, cause, more) => {
  expect(causeOf(outcome, why, more)).toEqual(cause);
});

it("returns no cause for a conforming result, and reads codeless refusals and brief failures", () => {
  expect(causeOf("conforms", "")).toBeUndefined();
  expect(formerCodeless([{ message: "no code at /error/code of the body" }])).toBe("/error/code");
  expect(formerCodeless([{ message: "no code" }])).toBeUndefined();
  expect(formerBrief("the target went away during a: no connection: x")).toBe("the target went away during a");
});
