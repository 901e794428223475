import { expect, it } from "vitest";
import type { Cause } from "../../../schemas/index.ts";
import { describeContradiction, reasonBesideContradiction } from "./contradiction.ts";

it.each([
  ["a refusal of a valid message", describeContradiction("valid"), { kind: "refused" }, undefined],
  [
    "a refusal with a reason",
    describeContradiction("valid", "too long"),
    { kind: "refused", reason: "too long" },
    "too long",
  ],
  [
    "a doubtful refusal",
    "any",
    { kind: "refused", reason: "a", doubt: "b", said: "c" },
    "a; no violation, since b; it said: c",
  ],
  ["an acceptance of an invalid message", describeContradiction("invalid"), { kind: "accepted" }, undefined],
  ["any other", "refused for another cause: x", { kind: "other-reason", reason: "x" }, "refused for another cause: x"],
] as [string, string, Cause, string | undefined][])(
  "keeps the rest of the reason for %s, without the contradiction itself",
  (_, why, cause, beside) => expect(reasonBesideContradiction({ why, cause })).toBe(beside),
);
