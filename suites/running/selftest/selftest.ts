import {
  type Answer,
  type Json,
  type Judge,
  type Objections,
  type Outcome,
  type Protocol,
  protocolNamed,
  type Reason,
  type RuledProtocol,
  readJson,
  readYaml,
  type Vector,
} from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { respellBody } from "../../packs/reference/body.ts";
import { rulesFor } from "../../packs/reference/rules.ts";
import { differingVariants, ruleVariants } from "../../packs/reference/start.ts";
import { judgeFor } from "../../packs/reference/validator.ts";
import type { Variant } from "../../packs/reference/variants/variant.ts";
import { judge } from "../run/judge.ts";

/** Whether a set of vectors detects one implementation that is wrong on purpose. */
export interface Detection {
  variant: string;
  /** The missing rule, if the implementation lacks exactly one. */
  rule?: string;
  /** The ids of the vectors that detect the implementation. */
  killedBy: string[];
  /** The vectors of `killedBy` that report a rule other than the missing one. */
  falsePositives: string[];
  /** Whether the mistake that disables the rule also breaks other rules, so that these may be reported too. */
  isBroad: boolean;
  /** Whether the implementation still follows every rule, so that nothing may detect it. */
  conforms: boolean;
}

/** The outcomes that report an implementation as wrong, or at least suggest so. */
const graveOutcomes: readonly Outcome[] = ["violates", "wrong-reason"];
const decisiveOutcomes: readonly Outcome[] = [...graveOutcomes, "warns"];

/** Whether an implementation is misjudged: a wrong one that no vector detects, a correct one that a vector detects, or one without a rule that fails vectors of other rules. */
export function misjudged({ killedBy, falsePositives, isBroad, conforms }: Detection): boolean {
  if (conforms) return killedBy.length > 0;
  return killedBy.length === falsePositives.length || (falsePositives.length > 0 && !isBroad);
}

/** Runs a vector set against the reference of a protocol, which no vector may detect, and then against each variant of it. `onVariant` is called before each. Throws a usage error for an unknown protocol. */
export async function selftest(
  protocolName: string | Protocol,
  folder?: string,
  onVariant: (done: number, total: number) => void = () => {},
): Promise<Detection[]> {
  const protocol = await ruled(typeof protocolName === "string" ? protocolNamed(protocolName) : protocolName);
  const askedVectors = loadVectors(protocol, folder).files.flatMap(({ document, tests }) =>
    tests.map((vector) => ({ vector, document })),
  );
  const reference: Variant = { name: "reference", description: "" };
  const knownObjections: RuleObjections = new Map();
  const detections: Detection[] = [];
  const [wholeVariants, singleVariants] = [[reference, ...differingVariants(protocol)], ruleVariants(protocol)];
  const total = wholeVariants.length + singleVariants.length;
  for (const variant of wholeVariants) {
    onVariant(detections.length, total);
    const answers = await answersOf(protocol, variant, askedVectors, knownObjections);
    detections.push(detectionOf(variant, askedVectors, (index) => answers[index]?.answer, protocol));
  }
  const referenceAnswers = await answersOf(protocol, reference, askedVectors, knownObjections);
  for (const variant of singleVariants) {
    onVariant(detections.length, total);
    if (isSlip(variant)) {
      const slipAnswers = await answersOf(protocol, variant, askedVectors, knownObjections);
      detections.push(detectionOf(variant, askedVectors, (index) => slipAnswers[index]?.answer, protocol));
      continue;
    }
    const isKnown = ({ rule }: Reason): boolean => rule !== variant.withoutRule;
    // Only vectors for which the reference reports this rule can detect an implementation without it.
    const differs = referenceAnswers.flatMap((fullAnswer, index) =>
      [...(fullAnswer?.breaches ?? []), ...(fullAnswer?.advice ?? [])].every(isKnown) ? [] : [index],
    );
    const answerWithoutRule = (index: number): Answer => {
      const { breaches = [], advice = [] } = referenceAnswers[differs[index] as number] ?? {};
      return answerOf(breaches.filter(isKnown), advice.filter(isKnown));
    };
    const affected = differs.map((index) => askedVectors[index] as AskedVector);
    detections.push(detectionOf(variant, affected, answerWithoutRule, protocol));
  }
  return detections;
}

/** Whether the variant lacks its rule because of a mistake that has other effects as well. */
function isSlip({ lenientText, rewrite, options }: Variant): boolean {
  return lenientText === true || rewrite !== undefined || options !== undefined;
}

interface AskedVector {
  vector: Vector;
  document: string;
}

interface VectorAnswer {
  answer: Answer;
  breaches?: Reason[];
  advice?: Reason[];
}

/** The objections of the rules to a vector's value, by the set of rules that the variant knows. */
type RuleObjections = Map<string, WeakMap<object, Objections>>;

/** Caches the objections of a judge, because most variants know all rules and read values unchanged. */
function rememberJudgments(
  judge: Judge,
  knownObjections: RuleObjections,
  { schemaOnly, missingEnforcer, withoutRule, respellText }: Variant,
): Judge {
  if (respellText !== undefined) return judge;
  const name = JSON.stringify([schemaOnly, missingEnforcer, withoutRule]);
  const answers: WeakMap<object, Objections> = knownObjections.get(name) ?? new WeakMap();
  knownObjections.set(name, answers);
  return (document, value, bytes) => {
    if (typeof value !== "object" || value === null) return judge(document, value, bytes);
    const answer = answers.get(value) ?? judge(document, value, bytes);
    answers.set(value, answer);
    return answer;
  };
}

/** Returns the answers of a variant to the vectors, in order; undefined for a vector of an unknown document. */
async function answersOf(
  protocol: RuledProtocol,
  variant: Variant,
  askedVectors: readonly AskedVector[],
  knownObjections: RuleObjections,
): Promise<(VectorAnswer | undefined)[]> {
  const schema = await judgeFor(protocol, variant);
  const rules = rememberJudgments(await rulesFor(protocol, variant), knownObjections, variant);
  return Promise.all(
    askedVectors.map(async ({ vector, document: name }): Promise<VectorAnswer | undefined> => {
      const document = protocol.profile.documents.find((each) => each.name === name);
      if (document === undefined) return undefined;
      if (variant.fixedAnswer === "accept") return { answer: answerOf([], []) };
      if (variant.fixedAnswer === "reject") return { answer: answerOf([{ message: "is refused" }], []) };
      const read = await instanceOf(vector, variant);
      if ("message" in read) return { answer: answerOf([read], []) };
      const reasons = schema(document, read.value);
      if (reasons.length > 0) return { answer: answerOf(reasons, []) };
      const { breaches, advice } = rules(document, read.value, read.bytes);
      return { answer: answerOf(breaches, advice), breaches, advice };
    }),
  );
}

function bytesOf({ data, raw, base64 = "" }: Vector): Uint8Array {
  if (data !== undefined) return Buffer.from(JSON.stringify(data), "utf8");
  return raw === undefined ? Buffer.from(base64, "base64") : Buffer.from(raw, "utf8");
}

/** Returns the value of a vector as the variant reads it, or the reason why it cannot be read. */
async function instanceOf(
  vector: Vector,
  { lenientText, respellText }: Variant,
): Promise<{ value: Json; bytes: Uint8Array } | { message: string }> {
  const isYaml = vector.needs.includes("yaml-text");
  const bytes = isYaml ? bytesOf(vector) : respellBody(bytesOf(vector), respellText);
  if (bytes === undefined) return { message: "is not accepted in this spelling" };
  if (vector.data !== undefined) return { value: vector.data, bytes };
  try {
    if (lenientText !== true)
      return { value: (isYaml ? await readYaml(bytes, "text") : readJson(bytes, "text")).value, bytes };
    const text = new TextDecoder("utf-8").decode(bytes);
    return { value: isYaml ? await lenientYaml(text) : (JSON.parse(text) as Json), bytes };
  } catch (error) {
    return { message: (error as Error).message };
  }
}

/** Reads YAML 1.1. The last value of a repeated key counts. */
async function lenientYaml(text: string): Promise<Json> {
  const { parse } = await import("yaml");
  return parse(text, { version: "1.1", uniqueKeys: false, strict: false, logLevel: "silent" }) as Json;
}

function answerOf(breaches: Reason[], advice: Reason[]): Answer {
  return breaches.length > 0 ? { verdict: "rejected", reasons: breaches } : { verdict: "accepted", reasons: advice };
}

function detectionOf(
  variant: Variant,
  askedVectors: readonly AskedVector[],
  answer: (index: number) => Answer | undefined,
  { profile }: Protocol,
): Detection {
  const { name, withoutRule, conforms } = variant;
  const isConforming = name === "reference" || (conforms?.(profile) ?? false);
  const countedOutcomes = isConforming && name !== "reference" ? graveOutcomes : decisiveOutcomes;
  const killers = askedVectors.flatMap(({ vector }, index) => {
    const variantAnswer = answer(index);
    return variantAnswer !== undefined && countedOutcomes.includes(judge(vector, variantAnswer).outcome)
      ? [vector]
      : [];
  });
  return {
    variant: name,
    ...(withoutRule === undefined ? {} : { rule: withoutRule }),
    killedBy: killers.map(({ id }) => id),
    falsePositives:
      withoutRule === undefined ? [] : killers.filter(({ rule }) => rule !== withoutRule).map(({ id }) => id),
    isBroad: isSlip(variant),
    conforms: isConforming,
  };
}
