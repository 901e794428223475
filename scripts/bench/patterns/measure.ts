import { compileModel, type Formula, nearMisses, sites, solve } from "../../../generators/index.ts";
import type { JsonObject } from "../../../schemas/index.ts";

/** The answer to one question: an instance, a proof that none exists, or neither. `wrong` is an instance that does not fit the question. */
type PatternOutcome = "found" | "none" | "gaveUp" | "wrong";

/** The results for one pattern. */
export interface MeasuredPattern {
  /** A matching string, a string that does not match, and matching strings of at least 20 and of at most 3 characters. */
  questions: Record<"matching" | "other" | "long" | "short", PatternOutcome>;
  /** The near misses of a matching string. */
  nearMisses: readonly string[];
  /** The processor time. */
  milliseconds: number;
}

/** Asks the solver about a pattern, as the only assertion of a schema. */
export async function measure(pattern: string): Promise<MeasuredPattern> {
  const regexp = new RegExp(pattern, "u");
  const usageBefore = process.cpuUsage();
  const matching = await askAssertions({ pattern }, false);
  const questions = {
    matching: judgeAnswer(matching, (text) => regexp.test(text)),
    other: judgeAnswer(await askAssertions({ pattern }, true), (text) => !regexp.test(text)),
    long: judgeAnswer(
      await askAssertions({ pattern, minLength: 20 }, false),
      (text) => regexp.test(text) && [...text].length >= 20,
    ),
    short: judgeAnswer(
      await askAssertions({ pattern, maxLength: 3 }, false),
      (text) => regexp.test(text) && [...text].length <= 3,
    ),
  };
  const misses = typeof matching === "object" ? nearMisses(regexp, matching.found).map(({ text }) => text) : [];
  const { user, system } = process.cpuUsage(usageBefore);
  return { questions, nearMisses: misses, milliseconds: (user + system) / 1000 };
}

type PatternAnswer = { found: string } | "none" | "gaveUp";

/** Asks for a string that satisfies the assertions or, if `isBroken`, violates only the pattern. */
async function askAssertions(assertions: JsonObject, isBroken: boolean): Promise<PatternAnswer> {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const $id = "https://example.org/text";
  const model = await compileModel([{ $schema, $id, type: "string", ...assertions }], $id);
  const site = sites(model).find(({ location }) => location.endsWith("/pattern"))?.location as string;
  const holds: Formula = { op: "schema", node: model.root, sign: true, scope: {} };
  const solution = solve(model, [isBroken ? { ...holds, focus: { steps: [], end: { break: site } } } : holds]);
  if ("found" in solution) return { found: solution.found as string };
  return "none" in solution ? "none" : "gaveUp";
}

function judgeAnswer(answer: PatternAnswer, fitsQuestion: (text: string) => boolean): PatternOutcome {
  if (typeof answer !== "object") return answer;
  return fitsQuestion(answer.found) ? "found" : "wrong";
}
