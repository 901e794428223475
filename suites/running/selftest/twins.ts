import {
  type Answer,
  ownVectors,
  type Protocol,
  protocolNamed,
  type Twin,
  type TwinQuestion,
  type Vector,
} from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { packOf } from "../../packs/pack/load.ts";
import { judge } from "../run/judge.ts";
import { drawStrictness } from "./population.ts";

/** The verdict of a vector set on one correct implementation. */
export interface TwinTrial {
  /** The name of the twin. `strict` and `lenient` use every freedom in the same way. `strict but X` and `lenient but X` use one freedom differently. Random twins are named after the freedoms that they use to refuse. */
  twin: string;
  /** The freedom that is used differently from all others. */
  freedom?: string;
  asked: number;
  /** The vectors that fail the twin, with its reason for refusing. */
  accused: { id: string; why: string }[];
}

/** Yields twins that use every freedom in the same way, and twins that use one freedom differently. */
function* useEachFreedom(
  freedoms: readonly string[],
): Generator<Pick<TwinTrial, "twin" | "freedom"> & { isStrict: (freedom: string) => boolean }> {
  yield { twin: "strict", isStrict: () => true };
  yield { twin: "lenient", isStrict: () => false };
  for (const freedom of freedoms) {
    yield { twin: `strict but ${freedom}`, freedom, isStrict: (name) => name !== freedom };
    yield { twin: `lenient but ${freedom}`, freedom, isStrict: (each) => each === freedom };
  }
}

/** Draws this many twins that use random freedoms to refuse. */
async function drawFreedomUses(freedoms: readonly string[], { count, seed }: Population) {
  const strictnesses = await drawStrictness(freedoms, count, seed);
  return strictnesses.map((strict) => {
    const isUsed = new Set(strict);
    return { twin: strict.join(" ") || "lenient", isStrict: (freedom: string) => isUsed.has(freedom) };
  });
}

export interface Population {
  count: number;
  seed: number;
}

/** Runs a vector set against correct implementations of a protocol, none of which may fail. They use each freedom in both ways, or are a random population. Does nothing for a pack without a twin. */
export async function twinTrials(
  protocolName: string | Protocol,
  folder: string = ownVectors,
  population?: Population,
): Promise<TwinTrial[]> {
  const protocol = typeof protocolName === "string" ? protocolNamed(protocolName) : protocolName;
  const { twin } = (await (await packOf(protocol)).twin?.()) ?? {};
  if (twin === undefined) return [];
  const askedVectors = loadVectors(protocol, folder).files.flatMap(({ document, tests }) =>
    tests.map((vector) => ({ vector, question: questionOf(vector, document) })),
  );
  const freedomUses =
    population === undefined ? [...useEachFreedom(twin.freedoms)] : await drawFreedomUses(twin.freedoms, population);
  const trials = freedomUses.map(({ isStrict, ...freedomUse }) => ({
    isStrict,
    trial: { ...freedomUse, asked: askedVectors.length, accused: [] } as TwinTrial,
  }));
  for (const { vector, question } of askedVectors) {
    // A freedom affects few answers. Each answer is therefore computed and judged once for all twins that agree on the freedoms that it used.
    const judgedTwins: JudgedTwin[] = [];
    for (const { isStrict, trial } of trials) {
      let sameAnswers = judgedTwins.find(({ usedFreedoms }) =>
        usedFreedoms.every(([freedom, strict]) => isStrict(freedom) === strict),
      );
      if (sameAnswers === undefined) {
        sameAnswers = await judgeTwin(twin, question, vector, isStrict);
        judgedTwins.push(sameAnswers);
      }
      if (sameAnswers.accused !== undefined) trial.accused.push({ id: vector.id, why: sameAnswers.accused });
    }
  }
  return trials.map(({ trial }) => trial);
}

/** The verdict on a twin's answer to one question, and the freedoms that the answer used. */
interface JudgedTwin {
  usedFreedoms: [freedom: string, strict: boolean][];
  accused?: string;
}

async function judgeTwin(
  twin: Twin,
  question: TwinQuestion,
  vector: Vector,
  isStrict: (freedom: string) => boolean,
): Promise<JudgedTwin> {
  const usedFreedoms = new Map<string, boolean>();
  const why = await twin.judge(question, (freedom) => {
    const strict = isStrict(freedom);
    usedFreedoms.set(freedom, strict);
    return strict;
  });
  const answer: Answer = { verdict: why === undefined ? "accepted" : "rejected", reasons: [] };
  const isAccused = judge(vector, answer).outcome === "violates";
  return { usedFreedoms: [...usedFreedoms], ...(isAccused ? { accused: why ?? "accepted" } : {}) };
}

function questionOf({ data, raw, base64, needs }: Vector, document: string): TwinQuestion {
  if (data !== undefined) return { document, value: data, text: Buffer.from(JSON.stringify(data), "utf8") };
  const text = raw === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(raw, "utf8");
  return { document, text, ...(needs.includes("yaml-text") ? { yaml: true } : {}) };
}
