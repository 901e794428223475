import {
  type Capability,
  capabilities,
  type Protocol,
  type Question,
  type Result,
  type Skip,
  type Target,
  type TargetAnswer,
  type Vector,
} from "../../schemas/index.ts";
import type { Case } from "./case.ts";
import { inexactIn } from "./inexact.ts";
import { judge } from "./judge.ts";
import { withLatitude } from "./latitude.ts";
import { questionOf } from "./question.ts";
import { withReserve } from "./reserve.ts";
import { resultOf, withBreach } from "./result.ts";

/** Puts one case to a target that is open, and gives its result as it is `told`; what it cannot be asked is skipped. Throws what the target throws. */
export function asking(
  protocol: Protocol,
  target: Target,
  seed: number,
  told: (result: Result) => Result = (result) => result,
): (each: Case, signal: AbortSignal) => Result | Promise<Result> {
  const judged = judging(protocol, target);
  const skips = skipping(target);
  return (each, signal) => {
    const { vector, document } = each;
    const question = questionOf(vector, document, seed);
    const skip = skips(vector, question);
    if (skip !== undefined) return told(resultOf(vector, document.name, { outcome: "skipped", ...skip }));
    const answer = target.check(question, signal);
    return "then" in answer ? answer.then((said) => told(judged(each, said))) : told(judged(each, answer));
  };
}

/** Why a vector is no question to a target that is open, or undefined. */
function skipping(target: Target): (vector: Vector, question: Question) => Skip | undefined {
  // Of a command they are known when it is open.
  let known: { claims: readonly Capability[] | undefined } | undefined;
  return (vector, question) => {
    known ??= { claims: target.claims ?? assumedOf(target) };
    // What no server is asked is no matter of its claims.
    const lacking = unmet(vector, known.claims);
    if (lacking !== undefined && target.kind !== "http") return lacking;
    const own = target.skips(question) ?? lacking;
    return typeof own === "string" ? { why: own, cause: { kind: "declined", reason: own } } : own;
  };
}

/** How many of the cases a target that is open is asked. */
export function askedOf(target: Target, cases: readonly Case[], seed: number): number {
  const skips = skipping(target);
  return cases.filter(({ vector, document }) => skips(vector, questionOf(vector, document, seed)) === undefined).length;
}

/** The result that an answer of the target comes to. */
export function judging(
  protocol: Protocol,
  target: Pick<Target, "kind">,
): (each: Case, answer: TargetAnswer) => Result {
  // A code names the cause only where the protocol defines what it means: in the answers of its servers.
  const isServer = target.kind === "http" || target.kind === "reference";
  const codes = isServer ? protocol.profile.http.reason?.codes : undefined;
  const reserved = withReserve();
  return ({ vector, document }, answer) => {
    const judgement = judge(vector, answer, codes, () => inexactIn(protocol, vector.data));
    const said =
      target.kind === "http"
        ? withLatitude(judgement, vector, answer, protocol)
        : target.kind === "mcp"
          ? reserved(judgement, vector, answer, document.name)
          : judgement;
    return withBreach(resultOf(vector, document.name, said, answer), vector, answer);
  };
}

/** What nobody has to do who receives messages: it is asked only of those who claim it. */
const extraordinary: readonly string[] = ["lint", "records"] satisfies Capability[];

/**
 * What is taken for granted of a target that claims nothing, undefined for everything: all but what is extraordinary, and but a reader of
 * YAML, which a server shows by the media type.
 */
export function unsaid({ kind }: { kind: string }): readonly Capability[] | undefined {
  if (kind === "reference") return undefined;
  const not = kind === "http" ? extraordinary : [...extraordinary, "yaml-text"];
  return (Object.keys(capabilities) as Capability[]).filter((capability) => !not.includes(capability));
}

/** What is taken for granted of a target that claims nothing, in its own words where it has any; undefined for everything. */
export function assumedOf(target: Pick<Target, "kind" | "assumes">): readonly Capability[] | undefined {
  return target.assumes ?? unsaid(target);
}

/** Why a vector cannot be held against a target that claims less than it needs. */
function unmet(vector: Vector, claims: readonly Capability[] | undefined): Skip | undefined {
  const lacking = claims === undefined ? [] : vector.needs.filter((need) => !claims.includes(need as Capability));
  if (lacking.length === 0) return undefined;
  const named = lacking.map((need) => `${need}: it ${capabilities[need as Capability] ?? "does what is unknown here"}`);
  return {
    why: `needs a target that claims ${named.join("; and ")}`,
    cause: { kind: "needs-claim", claims: [...lacking] },
  };
}
