import { type Answer, type Outcome, type Protocol, type Reason, readJson, type Vector } from "../../schemas/index.ts";
import { loadVectors, ownVectors } from "../corpus/index.ts";
import { rulesFor } from "../reference/rules.ts";
import { differing, ruleVariants } from "../reference/start.ts";
import { judgeFor } from "../reference/validator.ts";
import type { Variant } from "../reference/variants/variant.ts";
import { judge } from "../run/judge.ts";

/** Whether a set of vectors exposes one implementation that is wrong on purpose. */
export interface Detection {
  variant: string;
  /** The rule that it does not know, when it lacks one alone. */
  rule?: string;
  /** Vectors on which it was found out. */
  exposed: string[];
  /** Of these, the ones that accuse it under another rule than the one it lacks. */
  astray: string[];
  /** It keeps every rule all the same, so that nothing may expose it. */
  conforms: boolean;
}

/** What exposes an implementation, or should make one think. */
const telling: readonly Outcome[] = ["violates", "warns", "wrong-reason"];

/** A wrong implementation escapes when nothing exposes it, a right one when anything does; one that lacks a rule also when others accuse it. */
export function escapes({ exposed, astray, conforms }: Detection): boolean {
  return conforms ? exposed.length > 0 : exposed.length === 0 || astray.length > 0;
}

/** Puts a vector set to every variant of a protocol's reference, and first to the reference itself, which nothing may expose. */
export async function selftest(protocol: Protocol, folder: string = ownVectors): Promise<Detection[]> {
  const asked = loadVectors(protocol, folder).files.flatMap(({ document, tests }) =>
    tests.map((vector) => ({ vector, document })),
  );
  const known: Variant = { name: "reference", description: "" };
  const detections: Detection[] = [];
  for (const variant of [known, ...differing(protocol)]) {
    const answers = await answersOf(protocol, variant, asked);
    detections.push(detection(variant, asked, (index) => answers[index]?.answer, protocol));
  }
  const full = await answersOf(protocol, known, asked);
  for (const variant of await ruleVariants(protocol)) {
    const without = (index: number): Answer | undefined => {
      const { answer, breaches = [], advice = [] } = full[index] ?? {};
      if (answer === undefined || [...breaches, ...advice].length === 0) return answer;
      const keep = ({ rule }: Reason): boolean => rule !== variant.withoutRule;
      return answerOf(breaches.filter(keep), advice.filter(keep));
    };
    detections.push(detection(variant, asked, without, protocol));
  }
  return detections;
}

interface Asked {
  vector: Vector;
  document: string;
}

interface Said {
  answer: Answer;
  breaches?: Reason[];
  advice?: Reason[];
}

/** Undefined for a text, which variants do not read. */
async function answersOf(protocol: Protocol, variant: Variant, asked: readonly Asked[]): Promise<(Said | undefined)[]> {
  const schema = await judgeFor(protocol, variant);
  const rules = await rulesFor(protocol, variant);
  return asked.map(({ vector, document: name }): Said | undefined => {
    const document = protocol.profile.documents.find((each) => each.name === name);
    const data = vector.data ?? instanceOf(vector);
    if (document === undefined || data === undefined) return undefined;
    if (variant.always === "accept") return { answer: answerOf([], []) };
    if (variant.always === "reject") return { answer: answerOf([{ message: "is refused" }], []) };
    const reasons = schema(document, data);
    if (reasons.length > 0) return { answer: answerOf(reasons, []) };
    const { breaches, advice } = rules(document, data);
    return { answer: answerOf(breaches, advice), breaches, advice };
  });
}

function instanceOf({ raw, valid }: Vector): Vector["data"] {
  if (raw === undefined || valid !== true) return undefined;
  try {
    return readJson(raw, "vector").value;
  } catch {
    return undefined;
  }
}

function answerOf(breaches: Reason[], advice: Reason[]): Answer {
  return breaches.length > 0 ? { verdict: "rejected", reasons: breaches } : { verdict: "accepted", reasons: advice };
}

function detection(
  { name, withoutRule, conforms }: Variant,
  asked: readonly Asked[],
  answer: (index: number) => Answer | undefined,
  { profile }: Protocol,
): Detection {
  const found = asked.flatMap(({ vector }, index) => {
    const said = answer(index);
    return said !== undefined && telling.includes(judge(vector, said).outcome) ? [vector] : [];
  });
  return {
    variant: name,
    ...(withoutRule === undefined ? {} : { rule: withoutRule }),
    exposed: found.map(({ id }) => id),
    astray: withoutRule === undefined ? [] : found.filter(({ rule }) => rule !== withoutRule).map(({ id }) => id),
    conforms: name === "reference" || (conforms?.(profile) ?? false),
  };
}
