import { beforeEach, describe, expect, it } from "vitest";
import type { TargetAnswer, Vector } from "../../../schemas/index.ts";
import { speechIn } from "../../targets/mcp/speech.ts";
import { judge } from "./judge.ts";
import { withReserve, wordsForValid } from "./reserve.ts";

const vector = (valid: boolean): Vector => ({ id: "x", description: "", valid, data: {}, needs: [], tags: [] });
const refusal = (message: string, code: string | number = "isError"): TargetAnswer => ({
  verdict: "rejected",
  reasons: [{ code, message }],
  speech: speechIn([{ code, message }]),
});
const knownWords = new Set<string>();
const judgeOutcome = (valid: boolean, answer: TargetAnswer): string => {
  const askedVector = vector(valid);
  const { outcome } = withReserve(judge(askedVector, answer), askedVector, answer, (words) => knownWords.has(words));
  const words = wordsForValid(askedVector, answer);
  if (words !== undefined) knownWords.add(words);
  return outcome;
};
beforeEach(() => knownWords.clear());

describe("a refusal of valid input", () => {
  it.each([
    "Input validation error: Invalid arguments for tool add: Too big: expected number to be <=10 at b",
    'MCP error -32602: Invalid arguments for tool add: [ { "code": "too_small", "path": ["a"] } ]',
    "Input validation error: 'a' is a required property",
    "1 validation error for addArguments a Input should be a valid integer [type=int_parsing, input_value='x']",
    "data/points must NOT have fewer than 2 items",
    "Invalid arguments: data/seats must be <= 12, data must have required property 'room'",
    "Input validation error: '' is too short",
    "Expected string, received number",
    "✖ Too small: expected string to have >=1 characters\n  → at room",
  ])("is a violation if it was written by a validator: %s", (message) => {
    expect(judgeOutcome(true, refusal(message))).toBe("violates");
  });

  it.each([
    "ENOENT: no such file or directory, open '/a'",
    "Access denied - path outside allowed directories: /etc",
    "Cannot specify both head and tail parameters simultaneously",
    "The name must be that of a city",
    "Booking refused: to must be > from",
    "Booking refused: the meeting is too short for this room",
    "Booking refused: Expected later, received earlier",
    "to must be after from",
    "the end must be >= the start",
    "a room must have required equipment",
    "Number must be free at that hour",
    "the stay is less than the minimum of the house",
    "Booking refused: must be >= 2",
    "seats must be equal to one of the rooms",
  ])("is skipped if it may be a condition of the tool itself: %s", (message) => {
    expect(judgeOutcome(true, refusal(message))).toBe("skipped");
  });

  it.each([
    ["Unknown timezone", -32602],
    ["Input validation error: Invalid arguments for tool t: Not a city at name", "isError"],
    ["1 validation error for t city Value error, not a city [type=value_error, input_value='x']", "isError"],
  ])("is a warning if it calls the input invalid, perhaps for a reason outside the schema: %s", (message, code) => {
    expect(judgeOutcome(true, refusal(message, code))).toBe("warns");
  });
});

describe("a refusal of invalid input", () => {
  it("conforms, regardless of its words", () => {
    expect(judgeOutcome(false, refusal("no"))).toBe("conforms");
  });

  it("is skipped if valid input was refused in the same words", () => {
    judgeOutcome(true, refusal("Error: ENOENT: no such file or directory, open '/a/1'"));
    expect(judgeOutcome(false, refusal("Error: ENOENT: no such file or directory, open '/b'"))).toBe("skipped");
    expect(judgeOutcome(false, refusal("path must be string"))).toBe("conforms");
  });
});

it("does not change the result of accepted input", () => {
  const acceptedAnswer: TargetAnswer = { verdict: "accepted", reasons: [] };
  expect(judgeOutcome(false, acceptedAnswer)).toBe("violates");
  expect(judgeOutcome(true, acceptedAnswer)).toBe("conforms");
});
