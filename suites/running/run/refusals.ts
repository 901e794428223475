import { type Result, type Skip, verdictOf } from "../../../schemas/index.ts";
import type { AskedCase } from "./asker.ts";
import type { RunCase } from "./case.ts";
import { resultOf } from "./result.ts";
import { type CaseVerdict, isRefusal, verdictBeside } from "./verdict.ts";

/** Finds refusals that show nothing, because a target that refuses a valid message refuses the messages made from it for the same reason. */
export interface Refusals {
  /** Receives the next judged case, and returns the results that are settled by it. */
  settle(askedCase: AskedCase): Result[];
  /** Returns the unselected valid vectors on which waiting results depend. To be called after all cases have ended. */
  wanted(): RunCase[];
  /** Returns the results that still wait, judged by the known facts. */
  rest(): Result[];
}

/** A refusal that waits until it is known whether valid messages are refused too. */
interface HeldRefusal {
  of: RunCase;
  verdict: CaseVerdict;
  result: Result;
}

type RefusalFate = "accepted" | "refused" | "unknown";

/** `all` contains the cases that may be sent, including the selected ones. */
export function refusalsOf(cases: readonly RunCase[], all: readonly RunCase[]): Refusals {
  return new HeldRefusals(cases, all);
}

class HeldRefusals implements Refusals {
  /** The ids of the selected cases. */
  readonly #selectedIds: ReadonlySet<string>;
  readonly #byId: ReadonlyMap<string, RunCase>;
  /** The vectors that show whether any valid message is accepted, by document. */
  readonly #witnesses: ReadonlyMap<string, RunCase[]>;
  readonly #fates = new Map<string, RefusalFate>();
  /** Cached fates of the witnesses, by document; cleared when a new fate becomes known. */
  readonly #knownFates = new Map<string, ReadonlySet<RefusalFate | undefined>>();
  /** Why valid vectors were skipped, such as a limit of the server, by their ids. */
  readonly #limits = new Map<string, Skip>();
  readonly #waiting = new Map<string, HeldRefusal[]>();

  constructor(cases: readonly RunCase[], all: readonly RunCase[]) {
    this.#selectedIds = new Set(cases.map(({ vector }) => vector.id));
    this.#byId = new Map(all.map((runCase) => [runCase.vector.id, runCase]));
    this.#witnesses = witnessesOf(all, this.#selectedIds);
  }

  settle(askedCase: AskedCase): Result[] {
    const { exchange, verdict: caseVerdict, result } = askedCase;
    const { id, document, verdict } = result;
    if (verdict === "valid") {
      this.#fates.set(id, fateOf(result));
      const { outcome, why, cause } = result;
      if (outcome === "skipped" && why !== undefined && cause !== undefined) this.#limits.set(id, { why, cause });
      this.#knownFates.delete(document);
      return [...(this.#selectedIds.has(id) ? [result] : []), ...this.#release(document)];
    }
    if (!isRefusal(exchange.of, caseVerdict)) return [result];
    // Answers are not kept: they may be large.
    const { answer: _, ...withoutAnswer } = caseVerdict;
    const heldRefusal: HeldRefusal = { of: exchange.of, verdict: withoutAnswer as CaseVerdict, result };
    const settledResult = this.#judge(heldRefusal, false);
    if (settledResult !== undefined) return [settledResult];
    const waitingCases = this.#waiting.get(document);
    if (waitingCases === undefined) this.#waiting.set(document, [heldRefusal]);
    else waitingCases.push(heldRefusal);
    return [];
  }

  wanted(): RunCase[] {
    const toAsk = new Set<RunCase>();
    for (const { of } of [...this.#waiting.values()].flat()) {
      const parent = this.#parentOf(of);
      for (const runCase of parent === undefined ? this.#witnessesOf(of.document.name) : [parent])
        if (!this.#selectedIds.has(runCase.vector.id)) toAsk.add(runCase);
    }
    return [...toAsk];
  }

  rest(): Result[] {
    return [...this.#waiting.keys()].flatMap((document) => this.#release(document, true));
  }

  /** Returns the results of a document that no longer depend on later results. */
  #release(document: string, isLast = false): Result[] {
    const waitingCases = this.#waiting.get(document);
    if (waitingCases === undefined || waitingCases.length === 0) return [];
    const results = waitingCases.map((heldRefusal) => this.#judge(heldRefusal, isLast));
    this.#waiting.set(
      document,
      waitingCases.filter((_, index) => results[index] === undefined),
    );
    return results.filter((result) => result !== undefined);
  }

  /** Returns the final result; undefined as long as it depends on later results. */
  #judge({ of, verdict, result }: HeldRefusal, isLast: boolean): Result | undefined {
    const emptySkip = this.#emptinessOf(of, isLast);
    if (emptySkip === undefined) return undefined;
    return emptySkip === false ? result : resultOf(of, verdictBeside(of, verdict, { emptiness: () => emptySkip }));
  }

  /** Returns a skip if a refusal shows nothing; false if it shows something. Undefined as long as that depends on later results. */
  #emptinessOf(of: RunCase, isLast: boolean): Skip | false | undefined {
    const parentId = this.#parentOf(of)?.vector.id;
    const parentOutcome =
      parentId === undefined ? "unknown" : (this.#fates.get(parentId) ?? (isLast ? "unknown" : undefined));
    if (parentOutcome === "accepted") return false;
    if (parentOutcome === "refused")
      return this.#limits.get(parentId as string) ?? skipForRefusedParent(parentId as string);
    if (parentOutcome === undefined) return undefined;
    const { name } = of.document;
    const otherFates = this.#fatesOf(name);
    if (otherFates.has("accepted")) return false;
    if (!isLast && otherFates.has(undefined)) return undefined;
    return otherFates.has("refused") ? skipForNothingAccepted(name) : false;
  }

  #fatesOf(document: string): ReadonlySet<RefusalFate | undefined> {
    const knownFate = this.#knownFates.get(document);
    if (knownFate !== undefined) return knownFate;
    const fates = new Set(this.#witnessesOf(document).map(({ vector }) => this.#fates.get(vector.id)));
    this.#knownFates.set(document, fates);
    return fates;
  }

  #witnessesOf(document: string): readonly RunCase[] {
    return this.#witnesses.get(document) ?? [];
  }

  #parentOf({ vector: { parent = "" } }: RunCase): RunCase | undefined {
    const parentCase = this.#byId.get(parent);
    return parentCase !== undefined && verdictOf(parentCase.vector) === "valid" ? parentCase : undefined;
  }
}

/** Finds the selected vectors that are valid in every reading, by document. If a document has none, the first unselected one is used. */
function witnessesOf(all: readonly RunCase[], ownIds: ReadonlySet<string>): Map<string, RunCase[]> {
  const witnesses = new Map<string, RunCase[]>();
  const plainCases = all.filter(({ vector }) => verdictOf(vector) === "valid" && vector.beyond === undefined);
  for (const runCase of plainCases) {
    if (!ownIds.has(runCase.vector.id)) continue;
    const witnessesOfDocument = witnesses.get(runCase.document.name);
    if (witnessesOfDocument === undefined) witnesses.set(runCase.document.name, [runCase]);
    else witnessesOfDocument.push(runCase);
  }
  for (const runCase of plainCases)
    if (!witnesses.has(runCase.document.name)) witnesses.set(runCase.document.name, [runCase]);
  return witnesses;
}

function fateOf({ outcome, answer, cause }: Result): RefusalFate {
  if (outcome === "conforms" || answer?.verdict === "accepted") return "accepted";
  // A target that answers with a code about another matter distinguishes this message from invalid ones.
  if (outcome === "skipped" && cause?.kind === "unjudged-code") return "accepted";
  const isJudged = outcome === "violates" || outcome === "warns" || outcome === "skipped";
  return isJudged && answer?.verdict === "rejected" ? "refused" : "unknown";
}

function skipForNothingAccepted(document: string): Skip {
  return {
    why: `nothing valid of ${document} was accepted, so a refusal shows nothing`,
    cause: { kind: "nothing-accepted", document },
  };
}

function skipForRefusedParent(parent: string): Skip {
  return {
    why: `its valid parent is refused (${parent}), so a refusal shows nothing`,
    cause: { kind: "parent-refused", parent },
  };
}
