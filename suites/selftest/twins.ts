import {
  type Answer,
  ownVectors,
  type Protocol,
  protocolNamed,
  type Twin,
  type TwinQuestion,
  type Vector,
} from "../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { packOf } from "../pack/load.ts";
import { judge } from "../run/judge.ts";

/** What a vector set says of one right implementation. */
export interface TwinTrial {
  /** `strict` and `lenient` use every freedom one way; `strict but X` and `lenient but X` use one the other way. */
  twin: string;
  /** The freedom that is used unlike all others. */
  freedom?: string;
  asked: number;
  /** Vectors that say that it is wrong, with its reason for refusing. */
  accused: { id: string; why: string }[];
}

/** Which freedoms each twin uses to refuse. */
function* ways(
  freedoms: readonly string[],
): Generator<Pick<TwinTrial, "twin" | "freedom"> & { isStrict: (freedom: string) => boolean }> {
  yield { twin: "strict", isStrict: () => true };
  yield { twin: "lenient", isStrict: () => false };
  for (const freedom of freedoms) {
    yield { twin: `strict but ${freedom}`, freedom, isStrict: (each) => each !== freedom };
    yield { twin: `lenient but ${freedom}`, freedom, isStrict: (each) => each === freedom };
  }
}

/** Puts a vector set to the right implementations of a protocol: none of them may be accused. Nothing for a pack that has none. */
export async function twinTrials(named: string | Protocol, folder: string = ownVectors): Promise<TwinTrial[]> {
  const protocol = typeof named === "string" ? protocolNamed(named) : named;
  const { twin } = (await (await packOf(protocol)).twin?.()) ?? {};
  if (twin === undefined) return [];
  const asked = loadVectors(protocol, folder).files.flatMap(({ document, tests }) =>
    tests.map((vector) => ({ vector, question: questionOf(vector, document) })),
  );
  // A freedom changes the answers to few questions: each answer is found once for the ways that differ in what it looked at.
  const known = asked.map(() => new Map<string, string | undefined>());
  const trials: TwinTrial[] = [];
  for (const { isStrict, ...way } of ways(twin.freedoms)) {
    const accused: TwinTrial["accused"] = [];
    for (const [index, { vector, question }] of asked.entries()) {
      const why = await answered(twin, question, isStrict, known[index] as Map<string, string | undefined>);
      const answer: Answer = { verdict: why === undefined ? "accepted" : "rejected", reasons: [] };
      if (judge(vector, answer).outcome === "violates") accused.push({ id: vector.id, why: why ?? "accepted" });
    }
    trials.push({ ...way, asked: asked.length, accused });
  }
  return trials;
}

/** The twin's answer: found again where every freedom that it asked about before is used as it was then. */
async function answered(
  twin: Twin,
  question: TwinQuestion,
  isStrict: (freedom: string) => boolean,
  known: Map<string, string | undefined>,
): Promise<string | undefined> {
  for (const [key, why] of known) {
    const looked = JSON.parse(key) as [string, boolean][];
    if (looked.every(([freedom, strict]) => isStrict(freedom) === strict)) return why;
  }
  const looked = new Map<string, boolean>();
  const why = await twin.judge(question, (freedom) => {
    const strict = isStrict(freedom);
    looked.set(freedom, strict);
    return strict;
  });
  known.set(JSON.stringify([...looked]), why);
  return why;
}

function questionOf({ data, raw, base64, needs }: Vector, document: string): TwinQuestion {
  if (data !== undefined) return { document, value: data, text: Buffer.from(JSON.stringify(data), "utf8") };
  const text = raw === undefined ? Buffer.from(base64 ?? "", "base64") : Buffer.from(raw, "utf8");
  return { document, text, ...(needs.includes("yaml-text") ? { yaml: true } : {}) };
}
