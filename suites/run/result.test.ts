import { expect, it } from "vitest";
import { TargetBreach, TargetMemory, TargetSkip, TouchstoneError, type Vector } from "../../schemas/index.ts";
import { resultOf, resultWithout, withBreach } from "./result.ts";
import { Deadline } from "./schedule.ts";

const vector: Vector = { id: "a", description: "", needs: [], tags: [], data: {} };

const cause = { kind: "declined" } as const;

it("no answer in time to what readings differ on is disputed, to anything else it is timed out", () => {
  const late = new Deadline("no answer in 5 s");
  expect(resultWithout(vector, "note", late).outcome).toBe("disputed");
  expect(resultWithout({ ...vector, valid: true }, "note", late).outcome).toBe("timed-out");
  expect(resultWithout(vector, "note", new Error("broken")).outcome).toBe("errored");
});

it("why a question has no answer is said in one line, with the hint of an error", () => {
  const lost = new TouchstoneError("target", "it was lost", { hint: "the last time: it exited with code 3" });
  expect(resultWithout(vector, "note", lost).why).toBe("it was lost; the last time: it exited with code 3");
});

it("a disputed result says by whom and at which assertion it is refused, where validators differ", () => {
  const site = "https://example.org/list#/contains";
  const readings: Vector["readings"] = [
    { verdict: "valid", by: ["hyperjump"] },
    { verdict: "invalid", by: ["ajv"], site },
  ];
  const judged = { ...vector, readings };
  expect(resultOf(judged, "note", { outcome: "disputed", why: "", cause }).difference).toEqual({ by: ["ajv"], site });
  expect(resultOf(judged, "note", { outcome: "skipped", why: "", cause })).not.toHaveProperty("difference");
});

it("what a server took before is right for a valid message, and says nothing of another", () => {
  const known = new TargetMemory("/key");
  expect(resultWithout({ ...vector, valid: true }, "note", known).outcome).toBe("conforms");
  expect(resultWithout({ ...vector, valid: false }, "note", known).outcome).toBe("skipped");
  expect(resultWithout(vector, "note", known).outcome).toBe("disputed");
  expect(resultWithout({ ...vector, valid: true }, "note", new TargetSkip("no")).outcome).toBe("skipped");
});

it("what is only advised against in an answer warns, and hides no other failure", () => {
  const valid = { ...vector, valid: true };
  const breach = { rule: "PET-STATUS-001", message: "status 200 is not documented", level: "SHOULD" } as const;
  const answer = { verdict: "accepted" as const, reasons: [], breach };
  const right = resultOf(valid, "pet", { outcome: "conforms" }, answer);
  expect(withBreach(right, valid, answer)).toMatchObject({ outcome: "warns", level: "SHOULD", rule: breach.rule });
  const wrong = resultOf(valid, "pet", { outcome: "warns", why: "refused", cause }, answer);
  expect(withBreach(wrong, valid, answer)).toBe(wrong);
  const { level: _, ...grave } = breach;
  expect(withBreach(wrong, valid, { ...answer, breach: grave })).toMatchObject({ outcome: "violates", level: "MUST" });
  const failure = new TargetBreach(breach.rule, breach.message, breach.level);
  expect(resultWithout(valid, "pet", failure)).toMatchObject({ outcome: "warns", level: "SHOULD" });
});
