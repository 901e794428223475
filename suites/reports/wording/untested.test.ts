import { expect, it } from "vitest";
import type { Report, Result } from "../../../schemas/index.ts";
import { describeUntested } from "./untested.ts";

const result = (verdict: Result["verdict"], members: Partial<Result>): Result =>
  ({ id: "", kind: "vector", document: "a", description: "", verdict, level: "MUST", ...members }) as Result;

/** Describes a report of one invalid vector that was skipped because of a status, and twenty that conform. */
function untestedFor(status: number): string | undefined {
  const cause = { kind: "http-status" as const, status, reason: "" };
  const results = [
    result("valid", { outcome: "conforms" }),
    result("invalid", { outcome: "skipped", why: "", cause }),
    ...Array.from({ length: 20 }, () => result("invalid", { outcome: "conforms" })),
  ];
  return describeUntested({ runs: [{ results }] } as unknown as Report);
}

it("mentions an answer that may accept an invalid message, even if it is rare", () => {
  for (const status of [200, 207, 302])
    expect(untestedFor(status)).toBe(
      `1 of the 21 invalid vectors sent for a were skipped because the target answers HTTP ${status}`,
    );
  for (const status of [404, 409]) expect(untestedFor(status)).toBeUndefined();
});
