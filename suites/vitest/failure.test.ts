import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { failureOf, nothingDecided } from "./failure.ts";

const protocol = protocolNamed("agentformat");
const vectors = loadVectors(protocol).files.flatMap(({ tests }) => tests);

it("has all that it says in its message, and nothing in its stack, in which vitest looks for places", () => {
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
  const error = nothingDecided(["it takes no text"]);
  expect([error.name, error.stack]).toEqual(["undecided", ""]);
  expect(error.message).toContain("it takes no text");
});
