import {
  type Capability,
  capabilities,
  type Protocol,
  type Question,
  type Result,
  type Skip,
  type Target,
  type Vector,
} from "../../../schemas/index.ts";
import type { RunCase } from "./case.ts";
import { questionOf } from "./question.ts";
import { wordsForValid } from "./reserve.ts";
import { observationOf, resultOf } from "./result.ts";
import { type CaseVerdict, type Exchange, type SoFar, type VerdictConditions, verdictOn } from "./verdict.ts";

/** One asked case: the answer of the target, and the result as shown. */
export interface AskedCase {
  exchange: Exchange;
  verdict: CaseVerdict;
  result: Result;
}

/** Sends questions to a target, and judges its answers. */
export interface Asker {
  /** Asks the target one case, or says why it cannot be asked. Throws the errors of the target. */
  ask(of: RunCase, signal: AbortSignal): AskedCase | Promise<AskedCase>;
  /** The same for a thrown error. */
  failed(of: RunCase, thrown: unknown): AskedCase;
  /** The same for an exchange, with the knowledge from others. */
  judged(exchange: Exchange, soFar?: SoFar): AskedCase;
}

export interface AskerOptions {
  protocol: Protocol;
  target: Target;
  seed: number;
  /** The chosen readings, if it matters which others would decide. */
  readings?: readonly string[] | undefined;
  /** A result as it is shown. */
  told?: (result: Result) => Result;
}

export function askerOf({ protocol, target, seed, readings, told = (result) => result }: AskerOptions): Asker {
  // A code names the cause only if the protocol defines it: in the answers of its servers.
  const isServer = target.kind === "http" || target.kind === "reference";
  const codes = isServer ? protocol.profile.http.reason?.codes : undefined;
  const judging: VerdictConditions = { protocol, kind: target.kind, codes, readings };
  const skips = skipFinderOf(target);
  /** First words of a tool's refusals of valid input, by document. */
  const words = new Set<string>();
  const own: SoFar = { refusesValidIn: (document, reason) => words.has(`${document} ${reason}`) };
  const judgeExchange = (exchange: Exchange, soFar: SoFar = own): AskedCase => {
    const verdict = verdictOn(exchange, judging, soFar);
    const { of, observation } = exchange;
    const refusalWords = observation.verdict === undefined ? undefined : wordsForValid(of.vector, observation);
    if (refusalWords !== undefined) words.add(`${of.document.name} ${refusalWords}`);
    return { exchange, verdict, result: told(resultOf(of, verdict)) };
  };
  return {
    judged: judgeExchange,
    failed: (of, thrown) => judgeExchange({ of, observation: observationOf(thrown) }),
    ask(of, signal) {
      const question = questionOf(of.vector, of.document, seed);
      const skip = skips(of.vector, question);
      if (skip !== undefined) return judgeExchange({ of, observation: { kind: "not-asked", ...skip } });
      const observation = target.check(question, signal);
      return "then" in observation
        ? observation.then((observation) => judgeExchange({ of, observation }))
        : judgeExchange({ of, observation });
    },
  };
}

/** Why a vector cannot be asked of an open target, or undefined. */
function skipFinderOf(target: Target): (vector: Vector, question: Question) => Skip | undefined {
  // Of a command they are known when it is open.
  let known: { claims: readonly Capability[] | undefined } | undefined;
  return (vector, question) => {
    known ??= { claims: target.claims ?? assumedOf(target) };
    // Vectors that are never sent to servers do not depend on claims.
    const lacking = skipUnmet(vector, known.claims);
    if (lacking !== undefined && target.kind !== "http") return lacking;
    const own =
      target.skips(question) ?? lacking ?? (vector.rule === undefined ? undefined : target.offers?.(vector.rule));
    return typeof own === "string" ? { why: own, cause: { kind: "declined", reason: own } } : own;
  };
}

/** How many of the cases a target that is open is asked. */
export function askedOf(target: Target, cases: readonly RunCase[], seed: number): number {
  const skips = skipFinderOf(target);
  return cases.filter(({ vector, document }) => skips(vector, questionOf(vector, document, seed)) === undefined).length;
}

/** Capabilities that receivers need not have: only those who claim them are asked. */
const extraordinary: readonly string[] = ["lint", "records"] satisfies Capability[];

/**
 * The assumed claims of a target that claims nothing, undefined for everything: all but extraordinary ones, and but a reader of
 * YAML, which a server shows by the media type.
 */
export function assumedClaims({ kind }: { kind: string }): readonly Capability[] | undefined {
  if (kind === "reference") return undefined;
  const not = kind === "http" ? extraordinary : [...extraordinary, "yaml-text"];
  return (Object.keys(capabilities) as Capability[]).filter((capability) => !not.includes(capability));
}

/** The assumed claims of a target that claims nothing, in its own words if it has any; undefined for everything. */
export function assumedOf(target: Pick<Target, "kind" | "assumes">): readonly Capability[] | undefined {
  return target.assumes ?? assumedClaims(target);
}

/** Why a vector cannot be held against a target that claims less than it needs. */
function skipUnmet(vector: Vector, claims: readonly Capability[] | undefined): Skip | undefined {
  const lacking = claims === undefined ? [] : vector.needs.filter((need) => !claims.includes(need as Capability));
  if (lacking.length === 0) return undefined;
  const named = lacking.map(
    (need) => `${need}: it ${capabilities[need as Capability] ?? "has a capability that is not described"}`,
  );
  return {
    why: `needs a target that claims ${named.join("; and ")}`,
    cause: { kind: "needs-claim", claims: [...lacking] },
  };
}
