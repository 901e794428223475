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

/** A case that was sent: the answer of the target, and the result for the report. */
export interface AskedCase {
  exchange: Exchange;
  verdict: CaseVerdict;
  result: Result;
}

/** Sends questions to a target, and judges its answers. */
export interface Asker {
  /** Sends one case to the target, or skips it with a reason. Throws the errors of the target. */
  ask(of: RunCase, signal: AbortSignal): AskedCase | Promise<AskedCase>;
  /** Makes the result for a thrown error. */
  failed(of: RunCase, thrown: unknown): AskedCase;
  /** Judges an exchange, given the facts from other exchanges. */
  judged(exchange: Exchange, soFar?: SoFar): AskedCase;
}

export interface AskerOptions {
  protocol: Protocol;
  target: Target;
  seed: number;
  /** The chosen readings; undefined if it does not matter which readings would decide. */
  readings?: readonly string[] | undefined;
  /** Converts a result for the report. */
  told?: (result: Result) => Result;
}

export function askerOf({ protocol, target, seed, readings, told = (result) => result }: AskerOptions): Asker {
  // A code names the cause only if the protocol defines codes, as it does for the answers of its servers.
  const isServer = target.kind === "http" || target.kind === "reference";
  const codes = isServer ? protocol.profile.http.reason?.codes : undefined;
  const conditions: VerdictConditions = { protocol, kind: target.kind, codes, readings };
  const skips = skipFinderOf(target);
  /** The first words of a tool's refusals of valid input, by document. */
  const validRefusals = new Set<string>();
  const knownReasons: SoFar = { refusesValidIn: (document, reason) => validRefusals.has(`${document} ${reason}`) };
  const judgeExchange = (exchange: Exchange, soFar: SoFar = knownReasons): AskedCase => {
    const verdict = verdictOn(exchange, conditions, soFar);
    const { of, observation } = exchange;
    const refusalWords = observation.verdict === undefined ? undefined : wordsForValid(of.vector, observation);
    if (refusalWords !== undefined) validRefusals.add(`${of.document.name} ${refusalWords}`);
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

/** Returns a function that finds the reason why a target cannot receive a vector; undefined if it can. */
function skipFinderOf(target: Target): (vector: Vector, question: Question) => Skip | undefined {
  // The claims of a command are known only once it is open.
  let knownTarget: { claims: readonly Capability[] | undefined } | undefined;
  return (vector, question) => {
    knownTarget ??= { claims: target.claims ?? assumedOf(target) };
    // For servers, the target's own reason goes first: whether a server can receive a vector at all does not depend on claims.
    const unmet = skipUnmet(vector, knownTarget.claims);
    if (unmet !== undefined && target.kind !== "http") return unmet;
    const skip =
      target.skips(question) ?? unmet ?? (vector.rule === undefined ? undefined : target.offers?.(vector.rule));
    return typeof skip === "string" ? { why: skip, cause: { kind: "declined", reason: skip } } : skip;
  };
}

/** Counts the cases that are sent to an open target. */
export function askedOf(target: Target, cases: readonly RunCase[], seed: number): number {
  const skips = skipFinderOf(target);
  return cases.filter(({ vector, document }) => skips(vector, questionOf(vector, document, seed)) === undefined).length;
}

/** Capabilities that receivers need not have: only targets that claim them are tested. */
const optionalCapabilities: readonly string[] = ["lint", "records"] satisfies Capability[];

/**
 * Returns the assumed claims of a target that claims nothing: all capabilities except the optional ones, and `yaml-text` only for servers, which show
 * by the media type whether they read YAML. Undefined if everything is assumed.
 */
export function assumedClaims({ kind }: { kind: string }): readonly Capability[] | undefined {
  if (kind === "reference") return undefined;
  const excluded = kind === "http" ? optionalCapabilities : [...optionalCapabilities, "yaml-text"];
  return (Object.keys(capabilities) as Capability[]).filter((capability) => !excluded.includes(capability));
}

/** Returns the claims that a target itself says to assume, or else those of `assumedClaims`. Undefined if everything is assumed. */
export function assumedOf(target: Pick<Target, "kind" | "assumes">): readonly Capability[] | undefined {
  return target.assumes ?? assumedClaims(target);
}

/** Returns the reason for skipping a vector if the target claims less than the vector needs. */
function skipUnmet(vector: Vector, claims: readonly Capability[] | undefined): Skip | undefined {
  const unmetNeeds = claims === undefined ? [] : vector.needs.filter((need) => !claims.includes(need as Capability));
  if (unmetNeeds.length === 0) return undefined;
  const needTexts = unmetNeeds.map(
    (need) => `${need}: it ${capabilities[need as Capability] ?? "has a capability that is not described"}`,
  );
  return {
    why: `needs a target that claims ${needTexts.join("; and ")}`,
    cause: { kind: "needs-claim", claims: [...unmetNeeds] },
  };
}
