import { expect, it } from "vitest";
import type { Cause } from "../../../schemas/index.ts";
import { besideContrary, describeContradiction } from "./contradiction.ts";

it.each([
  ["a refusal of what is valid", describeContradiction("valid"), { kind: "refused" }, undefined],
  [
    "one that says why",
    describeContradiction("valid", "too long"),
    { kind: "refused", reason: "too long" },
    "too long",
  ],
  [
    "one in doubt",
    "any",
    { kind: "refused", reason: "a", doubt: "b", said: "c" },
    "a; no violation, since b; it said: c",
  ],
  ["an acceptance of what is invalid", describeContradiction("invalid"), { kind: "accepted" }, undefined],
  ["any other", "refused for another cause: x", { kind: "other-reason", reason: "x" }, "refused for another cause: x"],
] as [string, string, Cause, string | undefined][])(
  "of %s what is beside the verdict remains",
  (_, why, cause, beside) => expect(besideContrary({ why, cause })).toBe(beside),
);
