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
const judging = { protocol: sampleProtocol(), kind: "http" as const, codes: undefined, readings: undefined };

const ofCase = (its: Vector): RunCase => ({ vector: its, document: { name: "note" } as Document });
const seen = (its: Vector, observation: Observation): Result =>
  resultOf(ofCase(its), verdictOn({ of: ofCase(its), observation }, judging, {}));

it("no answer in time is disputed for a disputed message, and timed out for any other", () => {
  const late = observationOf(new ItemDeadline("no answer in 5 s"));
  expect(seen(vector, late).outcome).toBe("disputed");
  expect(seen(valid, late).outcome).toBe("timed-out");
  expect(seen(vector, observationOf(new Error("broken"))).outcome).toBe("errored");
});

it("the reason for a missing answer is one line, with the hint of an error", () => {
  const lost = new TouchstoneError("target", "it was lost", { hint: "the last time: it exited with code 3" });
  expect(seen(vector, observationOf(lost)).why).toBe("it was lost; the last time: it exited with code 3");
});

it("a disputed result says which validator refuses the message, at which assertion", () => {
  const site = "https://example.org/list#/contains";
  const readings: Vector["readings"] = [
    { verdict: "valid", by: ["hyperjump"] },
    { verdict: "invalid", by: ["ajv"], site },
  ];
  const judged = { ...vector, readings };
  expect(resultOf(ofCase(judged), { outcome: "disputed", why: "", cause }).difference).toEqual({ by: ["ajv"], site });
  expect(resultOf(ofCase(judged), { outcome: "skipped", why: "", cause })).not.toHaveProperty("difference");
});

it("an earlier acceptance is right for a valid message, and says nothing about another one", () => {
  const known = rememberedAt("/key");
  expect(seen(valid, known).outcome).toBe("conforms");
  expect(seen({ ...vector, valid: false }, known).outcome).toBe("skipped");
  expect(seen(vector, known).outcome).toBe("disputed");
  expect(seen(valid, observationOf(new TargetSkip("no"))).outcome).toBe("skipped");
});

it("an answer that breaks advice only gives a warning, and hides no other failure", () => {
  const breach = brokenRule("PET-STATUS-001", "status 200 is not documented", "SHOULD");
  const right = { verdict: "accepted" as const, reasons: [], breach };
  expect(seen(valid, right)).toMatchObject({ outcome: "warns", level: "SHOULD", rule: breach.rule });
  const wrong = { ...right, verdict: "rejected" as const };
  expect(seen(valid, wrong)).toMatchObject({ outcome: "violates", why: "refused, although it is valid" });
  const mild = { ...valid, level: "SHOULD" as const };
  expect(seen(mild, wrong)).toMatchObject({ outcome: "warns", why: "refused, although it is valid" });
  const { level: _, ...grave } = breach;
  expect(seen(mild, { ...wrong, breach: grave })).toMatchObject({ outcome: "violates", level: "MUST" });
  const alone: Observation = { kind: "broken", breach, why: breach.message, cause: { kind: "answer-broken" } };
  expect(seen(valid, alone)).toMatchObject({ outcome: "warns", level: "SHOULD" });
});
