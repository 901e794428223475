import { compileModel, type Formula, nearMisses, sites, solve } from "../../../generators/index.ts";
import type { JsonObject } from "../../../schemas/index.ts";

/** The answer to one question: an instance, a proof that there is none, or neither. `wrong` is an instance that the pattern refuses. */
type PatternOutcome = "found" | "none" | "gaveUp" | "wrong";

/** The results for one pattern. */
export interface MeasuredPattern {
  /** A matching text, a text that does not match, and matching texts of at least 20 and of at most 3 characters. */
  questions: Record<"matching" | "other" | "long" | "short", PatternOutcome>;
  /** The near misses of a matching text. */
  nearMisses: readonly string[];
  /** Processor time. */
  milliseconds: number;
}

/** Asks the solver about a pattern as a schema of its own. */
export async function measure(pattern: string): Promise<MeasuredPattern> {
  const regexp = new RegExp(pattern, "u");
  const before = process.cpuUsage();
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
  const { user, system } = process.cpuUsage(before);
  return { questions, nearMisses: misses, milliseconds: (user + system) / 1000 };
}

type PatternAnswer = { found: string } | "none" | "gaveUp";

/** An accepted text, or a text that only the pattern refuses. */
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

function judgeAnswer(answer: PatternAnswer, isRight: (text: string) => boolean): PatternOutcome {
  if (typeof answer !== "object") return answer;
  return isRight(answer.found) ? "found" : "wrong";
}
