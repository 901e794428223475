import { type Result, type Skip, verdictOf } from "../../../schemas/index.ts";
import type { Seen } from "./asker.ts";
import type { Case } from "./case.ts";
import { resultOf } from "./result.ts";
import { isRefusal, type Verdict, verdictBeside } from "./verdict.ts";

/** Finds the refusals that tell nothing: whoever refuses what is valid refuses what is made from it for a cause of its own. */
export interface Refusals {
  /** Takes what was seen as it comes, and gives the results that are settled by then. */
  settle(seen: Seen): Result[];
  /** Once all cases have ended: valid vectors outside of the selection on which what still waits depends. Their results are settled, too. */
  wanted(): Case[];
  /** What still waits, judged by what is known. */
  rest(): Result[];
}

/** A refusal that waits. */
interface Held {
  of: Case;
  verdict: Verdict;
  result: Result;
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
  const waiting = new Map<string, Held[]>();

  const parentOf = ({ vector: { parent = "" } }: Case): Case | undefined => {
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

  /** Why a refusal shows nothing, false where it shows something. Undefined as long as it depends on what is to come. */
  const emptiness = (of: Case, isLast: boolean): Skip | false | undefined => {
    const parent = parentOf(of)?.vector.id;
    const fate = parent === undefined ? "unknown" : (fates.get(parent) ?? (isLast ? "unknown" : undefined));
    if (fate === "accepted") return false;
    if (fate === "refused") return limits.get(parent as string) ?? ofRefusedParent(parent as string);
    if (fate === undefined) return undefined;
    const { name } = of.document;
    const others = fatesOf(name);
    if (others.has("accepted")) return false;
    if (!isLast && others.has(undefined)) return undefined;
    return others.has("refused") ? nothingAccepted(name) : false;
  };

  /** Undefined as long as it depends on what is to come. */
  const settled = ({ of, verdict, result }: Held, isLast: boolean): Result | undefined => {
    const empty = emptiness(of, isLast);
    if (empty === undefined) return undefined;
    return empty === false ? result : resultOf(of, verdictBeside(of, verdict, { emptiness: () => empty }));
  };

  const released = (document: string, isLast = false): Result[] => {
    const held = waiting.get(document);
    if (held === undefined || held.length === 0) return [];
    const results = held.map((each) => settled(each, isLast));
    waiting.set(
      document,
      held.filter((_, index) => results[index] === undefined),
    );
    return results.filter((each) => each !== undefined);
  };

  return {
    settle(seen) {
      const { exchange, verdict: its, result } = seen;
      const { id, document, verdict } = result;
      if (verdict === "valid") {
        fates.set(id, fateOf(result));
        const { outcome, why, cause } = result;
        if (outcome === "skipped" && why !== undefined && cause !== undefined) limits.set(id, { why, cause });
        known.delete(document);
        return [...(own.has(id) ? [result] : []), ...released(document)];
      }
      if (!isRefusal(exchange.of, its)) return [result];
      // What was answered is not kept: it may be large.
      const { answer: _, ...without } = its;
      const mine: Held = { of: exchange.of, verdict: without as Verdict, result };
      const now = settled(mine, false);
      if (now !== undefined) return [now];
      const held = waiting.get(document);
      if (held === undefined) waiting.set(document, [mine]);
      else held.push(mine);
      return [];
    },
    wanted() {
      const found = new Set<Case>();
      for (const { of } of [...waiting.values()].flat()) {
        const parent = parentOf(of);
        for (const each of parent === undefined ? (witnesses.get(of.document.name) ?? []) : [parent])
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

function nothingAccepted(document: string): Skip {
  return {
    why: `nothing valid of ${document} was accepted, so a refusal shows nothing`,
    cause: { kind: "nothing-accepted", document },
  };
}

function ofRefusedParent(parent: string): Skip {
  return {
    why: `its valid parent is refused (${parent}), so a refusal shows nothing`,
    cause: { kind: "parent-refused", parent },
  };
}
