import { expect, it } from "vitest";
import {
  brokenRule,
  type Document,
  type Observation,
  type Result,
  rememberedAt,
  TargetSkip,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { sampleProtocol } from "../../packs/corpus/sample.fixture.ts";
import type { RunCase } from "./case.ts";
import { observationOf, resultOf } from "./result.ts";
import { ItemDeadline } from "./schedule.ts";
import { verdictOn } from "./verdict.ts";

const vector: Vector = { id: "a", description: "", needs: [], tags: [], data: {} };
const valid = { ...vector, valid: true };
const cause = { kind: "declined" } as const;
const conditions = { protocol: sampleProtocol(), kind: "http" as const, codes: undefined, readings: undefined };

const ofCase = (caseVector: Vector): RunCase => ({ vector: caseVector, document: { name: "note" } as Document });
const resultOfCase = (caseVector: Vector, observation: Observation): Result =>
  resultOf(ofCase(caseVector), verdictOn({ of: ofCase(caseVector), observation }, conditions, {}));

it("a missing answer is disputed for a disputed message, and timed out for any other", () => {
  const deadlineObservation = observationOf(new ItemDeadline("no answer in 5 s"));
  expect(resultOfCase(vector, deadlineObservation).outcome).toBe("disputed");
  expect(resultOfCase(valid, deadlineObservation).outcome).toBe("timed-out");
  expect(resultOfCase(vector, observationOf(new Error("broken"))).outcome).toBe("errored");
});

it("the reason for a missing answer is one line, with the hint of an error", () => {
  const lostTarget = new TouchstoneError("target", "it was lost", { hint: "the last time: it exited with code 3" });
  expect(resultOfCase(vector, observationOf(lostTarget)).why).toBe("it was lost; the last time: it exited with code 3");
});

it("a disputed result names the validator that refuses the message, and the assertion", () => {
  const site = "https://example.org/list#/contains";
  const readings: Vector["readings"] = [
    { verdict: "valid", by: ["hyperjump"] },
    { verdict: "invalid", by: ["ajv"], site },
  ];
  const disputedVector = { ...vector, readings };
  expect(resultOf(ofCase(disputedVector), { outcome: "disputed", why: "", cause }).difference).toEqual({
    by: ["ajv"],
    site,
  });
  expect(resultOf(ofCase(disputedVector), { outcome: "skipped", why: "", cause })).not.toHaveProperty("difference");
});

it("an earlier acceptance conforms for a valid message, and does not decide any other", () => {
  const rememberedObservation = rememberedAt("/key");
  expect(resultOfCase(valid, rememberedObservation).outcome).toBe("conforms");
  expect(resultOfCase({ ...vector, valid: false }, rememberedObservation).outcome).toBe("skipped");
  expect(resultOfCase(vector, rememberedObservation).outcome).toBe("disputed");
  expect(resultOfCase(valid, observationOf(new TargetSkip("no"))).outcome).toBe("skipped");
});

it("an answer that breaks only advice causes a warning, and does not hide any other failure", () => {
  const breach = brokenRule("PET-STATUS-001", "status 200 is not documented", "SHOULD");
  const correctAnswer = { verdict: "accepted" as const, reasons: [], breach };
  expect(resultOfCase(valid, correctAnswer)).toMatchObject({ outcome: "warns", level: "SHOULD", rule: breach.rule });
  const wrongAnswer = { ...correctAnswer, verdict: "rejected" as const };
  expect(resultOfCase(valid, wrongAnswer)).toMatchObject({ outcome: "violates", why: "refused, although it is valid" });
  const adviceVector = { ...valid, level: "SHOULD" as const };
  expect(resultOfCase(adviceVector, wrongAnswer)).toMatchObject({
    outcome: "warns",
    why: "refused, although it is valid",
  });
  const { level: _, ...mustBreach } = breach;
  expect(resultOfCase(adviceVector, { ...wrongAnswer, breach: mustBreach })).toMatchObject({
    outcome: "violates",
    level: "MUST",
  });
  const breachOnly: Observation = { kind: "broken", breach, why: breach.message, cause: { kind: "answer-broken" } };
  expect(resultOfCase(valid, breachOnly)).toMatchObject({ outcome: "warns", level: "SHOULD" });
});
