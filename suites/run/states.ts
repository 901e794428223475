import { type Result, type TargetState, type Vector, verdictOf } from "../../schemas/index.ts";
import type { judging } from "./ask.ts";
import type { Case } from "./case.ts";

/** Tells a server's way to refuse from what is about its state: statuses such as 409 are either, and one answer does not show which. */
export interface States {
  /** Takes down what was thrown for a case whose result comes next. */
  note(each: Case, thrown: TargetState): void;
  /** Takes a result as it comes, and gives it, unless it waits for the others. */
  settle(result: Result): Result[];
  /** Once all cases have ended: others of the same documents, where too few were selected to know. Their results are seen alone. */
  wanted(): Case[];
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

/** `all` has the cases that may be asked, those that were selected among them. */
export function statesOf(cases: readonly Case[], all: readonly Case[], judged: ReturnType<typeof judging>): States {
  const own = new Set(cases.map(({ vector }) => vector.id));
  const byId = new Map([...all, ...cases].map((each) => [each.vector.id, each.vector]));
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
    const isOfValid = alike.some(({ each }) => isWitness(each.vector));
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
    wanted() {
      const documents = new Set(waiting.map(({ result }) => result.document));
      return [...documents].flatMap((document) => {
        const there = all.filter((each) => each.document.name === document);
        const [valid, invalid] = [
          there.filter(({ vector }) => isWitness(vector)),
          there.filter(({ vector }) => isPlain(vector)),
        ];
        return [...few(valid, own, sample.valid), ...few(invalid, own, sample.invalid)];
      });
    },
    rest() {
      const found = new Map<string, boolean>();
      const told = waiting.filter(({ result }) => own.has(result.id));
      return told.map((held) => {
        const { each, thrown, result } = held;
        const key = `${thrown.status} ${result.document}`;
        const isAnswer = found.get(key) ?? isRefusal(held);
        found.set(key, isAnswer);
        return isAnswer && thrown.refusal !== undefined && isOfForm(each.vector) && !isValidText(each.vector)
          ? judged(each, thrown.refusal)
          : result;
      });
    },
  };
}

/** So many of a document tell how a server refuses, where fewer were selected. */
const sample = { valid: 3, invalid: 20 };

/** What is lacking of so many, spread over those that were not selected. */
function few(cases: readonly Case[], own: ReadonlySet<string>, most: number): Case[] {
  const others = cases.filter(({ vector }) => !own.has(vector.id));
  const lacking = Math.min(others.length, Math.max(0, most - (cases.length - others.length)));
  return Array.from({ length: lacking }, (_, index) => others[Math.floor((index * others.length) / lacking)] as Case);
}

/** A valid message. Of text not all is made fresh, so that a server may well have seen it. */
function isWitness(vector: Vector): boolean {
  return verdictOf(vector) === "valid" && vector.beyond === undefined && vector.data !== undefined;
}

/** Text of a valid message, of which the server may have seen the message. */
function isValidText(vector: Vector): boolean {
  return verdictOf(vector) === "valid" && vector.data === undefined;
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
