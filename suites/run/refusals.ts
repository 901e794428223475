import { type Result, type Skip, verdictOf } from "../../schemas/index.ts";
import type { Case } from "./case.ts";

/** Finds the refusals that tell nothing: whoever refuses what is valid refuses what is made from it for a cause of its own. */
export interface Refusals {
  /** Takes a result as it comes, and gives those that are settled by then. */
  settle(result: Result): Result[];
  /** Once all cases have ended: valid vectors outside of the selection on which what still waits depends. Their results are settled, too. */
  wanted(): Case[];
  /** What still waits, judged by what is known. */
  rest(): Result[];
}

type Fate = "accepted" | "refused" | "unknown";

/** `all` has the cases that may be asked, those that were selected among them. */
export function refusalsOf(cases: readonly Case[], all: readonly Case[]): Refusals {
  const own = new Set(cases.map(({ vector }) => vector.id));
  const byId = new Map(all.map((each) => [each.vector.id, each]));
  const witnesses = witnessesOf(all, own);
  const fates = new Map<string, Fate>();
  /** Limits of the server that valid vectors are over. */
  const limits = new Map<string, Skip>();
  const waiting = new Map<string, Result[]>();

  const parentOf = ({ id }: Result): Case | undefined => {
    const { parent = "" } = byId.get(id)?.vector ?? {};
    const found = byId.get(parent);
    return found !== undefined && verdictOf(found.vector) === "valid" ? found : undefined;
  };

  /** Fates of the vectors that tell whether anything valid of a document is accepted, until one more is known. */
  const known = new Map<string, ReadonlySet<Fate | undefined>>();
  const fatesOf = (document: string): ReadonlySet<Fate | undefined> => {
    const there = known.get(document);
    if (there !== undefined) return there;
    const all = new Set((witnesses.get(document) ?? []).map(({ vector }) => fates.get(vector.id)));
    known.set(document, all);
    return all;
  };

  /** Undefined as long as it depends on what is to come. */
  const judged = (result: Result, isLast: boolean): Result | undefined => {
    const parent = parentOf(result)?.vector.id;
    const fate = parent === undefined ? "unknown" : (fates.get(parent) ?? (isLast ? "unknown" : undefined));
    if (fate === "accepted") return result;
    if (fate === "refused") {
      const limit = limits.get(parent as string);
      return skipped(result, limit ?? ofRefusedParent(parent as string));
    }
    if (fate === undefined) return undefined;
    const others = fatesOf(result.document);
    if (others.has("accepted")) return result;
    if (!isLast && others.has(undefined)) return undefined;
    if (!others.has("refused")) return result;
    return skipped(result, {
      why: `nothing valid of ${result.document} was accepted, so a refusal shows nothing`,
      cause: { kind: "nothing-accepted", document: result.document },
    });
  };

  const released = (document: string, isLast = false): Result[] => {
    const held = waiting.get(document);
    if (held === undefined || held.length === 0) return [];
    const settled = held.map((each) => judged(each, isLast));
    waiting.set(
      document,
      held.filter((_, index) => settled[index] === undefined),
    );
    return settled.filter((each) => each !== undefined);
  };

  return {
    settle(result) {
      const { id, document, verdict } = result;
      if (verdict === "valid") {
        fates.set(id, fateOf(result));
        const { outcome, why, cause } = result;
        if (outcome === "skipped" && why !== undefined && cause !== undefined) limits.set(id, { why, cause });
        known.delete(document);
        return [...(own.has(id) ? [result] : []), ...released(document)];
      }
      const settled = isRefused(result) ? judged(result, false) : result;
      if (settled !== undefined) return [settled];
      const held = waiting.get(document);
      if (held === undefined) waiting.set(document, [result]);
      else held.push(result);
      return [];
    },
    wanted() {
      const found = new Set<Case>();
      for (const result of [...waiting.values()].flat()) {
        const parent = parentOf(result);
        for (const each of parent === undefined ? (witnesses.get(result.document) ?? []) : [parent])
          if (!own.has(each.vector.id)) found.add(each);
      }
      return [...found];
    },
    rest: () => [...waiting.keys()].flatMap((document) => released(document, true)),
  };
}

/** By document: the selected vectors that are valid for everyone, or else the first one that is not selected. */
function witnessesOf(all: readonly Case[], own: ReadonlySet<string>): Map<string, Case[]> {
  const found = new Map<string, Case[]>();
  const plain = all.filter(({ vector }) => verdictOf(vector) === "valid" && vector.beyond === undefined);
  for (const each of plain) {
    if (!own.has(each.vector.id)) continue;
    const there = found.get(each.document.name);
    if (there === undefined) found.set(each.document.name, [each]);
    else there.push(each);
  }
  for (const each of plain) if (!found.has(each.document.name)) found.set(each.document.name, [each]);
  return found;
}

function fateOf({ outcome, answer, cause }: Result): Fate {
  if (outcome === "conforms" || answer?.verdict === "accepted") return "accepted";
  // Whoever answers it with a code that is about something else tells it from what is invalid.
  if (outcome === "skipped" && cause?.kind === "unjudged-code") return "accepted";
  const isJudged = outcome === "violates" || outcome === "warns" || outcome === "skipped";
  return isJudged && answer?.verdict === "rejected" ? "refused" : "unknown";
}

/** Whether it passes for having refused what is invalid. */
function isRefused({ verdict, outcome }: Result): boolean {
  return verdict === "invalid" && (outcome === "conforms" || outcome === "wrong-reason");
}

function skipped({ answer: _answer, vector: _vector, ...result }: Result, { why, cause }: Skip): Result {
  return { ...result, outcome: "skipped", why, cause };
}

function ofRefusedParent(parent: string): Skip {
  return {
    why: `its valid parent is refused (${parent}), so a refusal shows nothing`,
    cause: { kind: "parent-refused", parent },
  };
}
