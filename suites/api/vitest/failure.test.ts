import { expect, it } from "vitest";
import { protocolNamed, type Result, type Vector } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { rules, violatedResult } from "../../results/sample.fixture.ts";
import { failureOf, undecidedError } from "./failure.ts";

const protocol = protocolNamed("agentformat");
const vectors = loadVectors(protocol).files.flatMap(({ tests }) => tests);

it("begins with the statement of the rule, or with the place of an assertion without a rule", () => {
  const failed = [{ result: violatedResult("sample/1.0/note/invalid/title"), vector: {} as Vector }];
  const place = "note.schema.json:6:47 #/properties/title/minLength";
  expect(failureOf(failed, 2, undefined, place).message).toMatch(`1 of 2 vectors failed: ${place}\n`);
  expect(failureOf(failed, 2, rules[0], place).message).toMatch(
    /^1 of 2 vectors failed: S-1 MUST, clause 4.2: A title/,
  );
  expect(failureOf(failed, 2, undefined).message).toMatch(/^1 of 2 vectors failed\n/);
});

it("puts everything into the message, and leaves the stack empty", () => {
  for (const vector of vectors) {
    const { id, description } = vector;
    const result: Result = {
      id,
      kind: "vector",
      description,
      document: "agent",
      verdict: "valid",
      level: "MUST",
      outcome: "violates",
    };
    const error = failureOf([{ result, vector }], 1, undefined);
    expect([id, error.name, error.stack]).toEqual([id, "violates", ""]);
    expect(error.message).toContain(id);
  }
  const error = undecidedError(["it takes no text"]);
  expect([error.name, error.stack]).toEqual(["undecided", ""]);
  expect(error.message).toContain("it takes no text");
});
