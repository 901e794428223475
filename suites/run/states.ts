import { type Result, type TargetState, type Vector, verdictOf } from "../../schemas/index.ts";
import type { judging } from "./ask.ts";
import type { Case } from "./case.ts";

/** Tells a server's way to refuse from what is about its state: statuses such as 409 are either, and one answer does not show which. */
export interface States {
  /** Takes down what was thrown for a case whose result comes next. */
  note(each: Case, thrown: TargetState): void;
  /** Takes a result as it comes, and gives it, unless it waits for the others. */
  settle(result: Result): Result[];
  /** What waits, once all others have come: judged as a refusal where that is what it is, and skipped as it was elsewhere. */
  rest(): Result[];
}

/** Of what is invalid and refused so much has the status that is a refusal, and of all that is invalid more than half. */
const most = 0.9;

interface Seen {
  /** Invalid vectors that were refused with a status that always means it. */
  refused: number;
  /** Invalid vectors that were accepted. */
  taken: number;
  /** Whether anything valid was accepted. */
  isOpen: boolean;
}

interface Held {
  each: Case;
  thrown: TargetState;
  result: Result;
}

export function statesOf(cases: readonly Case[], judged: ReturnType<typeof judging>): States {
  const byId = new Map(cases.map((each) => [each.vector.id, each.vector]));
  const noted = new Map<string, Omit<Held, "result">>();
  const waiting: Held[] = [];
  const seen = new Map<string, Seen>();

  const seenOf = (document: string): Seen => {
    const there = seen.get(document) ?? { refused: 0, taken: 0, isOpen: false };
    seen.set(document, there);
    return there;
  };

  const look = ({ id, document, verdict, outcome, answer }: Result): void => {
    const [own, vector] = [seenOf(document), byId.get(id)];
    const isTaken = answer?.verdict === "accepted" || (verdict === "valid" && outcome === "conforms");
    if (verdict === "valid") own.isOpen ||= isTaken;
    else if (vector === undefined || !isPlain(vector) || outcome === "skipped") return;
    else if (isTaken) own.taken += 1;
    else if (outcome === "conforms" || outcome === "wrong-reason" || answer !== undefined) own.refused += 1;
  };

  const isRefusal = ({ result: { document }, thrown: { status } }: Held): boolean => {
    const alike = waiting.filter(({ result, thrown }) => result.document === document && thrown.status === status);
    const { refused, taken, isOpen } = seenOf(document);
    const count = alike.filter(({ each }) => isPlain(each.vector)).length;
    const isOfValid = alike.some(({ each }) => verdictOf(each.vector) === "valid" && each.vector.beyond === undefined);
    return isOpen && !isOfValid && count >= most * (count + refused) && count > (count + refused + taken) / 2;
  };

  return {
    note: (each, thrown) => noted.set(each.vector.id, { each, thrown }),
    settle(result) {
      const own = noted.get(result.id);
      if (own === undefined) look(result);
      else waiting.push({ ...own, result });
      return own === undefined ? [result] : [];
    },
    rest() {
      const found = new Map<string, boolean>();
      return waiting.map((held) => {
        const { each, thrown, result } = held;
        const key = `${thrown.status} ${result.document}`;
        const isAnswer = found.get(key) ?? isRefusal(held);
        found.set(key, isAnswer);
        return isAnswer && thrown.refusal !== undefined && isOfForm(each.vector)
          ? judged(each, thrown.refusal)
          : result;
      });
    },
  };
}

/** A message that breaks a demand of its schema, and not one that is only advised. */
function isPlain(vector: Vector): boolean {
  const isDemanded = vector.level === undefined || vector.level === "MUST";
  return verdictOf(vector) === "invalid" && vector.data !== undefined && vector.site !== undefined && isDemanded;
}

/** Whether it is about the form of a message: what breaks a rule that no schema states may be refused for what the server has. */
function isOfForm({ site, rule, beyond }: Vector): boolean {
  return beyond === undefined && (site !== undefined || rule === undefined);
}
