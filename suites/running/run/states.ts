import { type AboutState, type Vector, verdictOf } from "../../../schemas/index.ts";
import type { AskedCase, Asker } from "./asker.ts";
import type { RunCase } from "./case.ts";

/** Distinguishes a server's refusals from answers about its state: a status such as 409 may be either, and one answer does not show which. */
export interface States {
  /** Receives observations as they come, and returns the ones that need not wait for others. */
  settle(askedCase: AskedCase): AskedCase[];
  /** After all cases have ended: unselected cases of the same documents, if too few were selected to decide. Only their observations count. */
  wanted(): RunCase[];
  /** The waiting observations after all others have come: each is judged as a refusal if its status is one, and otherwise skipped. */
  rest(): AskedCase[];
}

/** A status counts as a refusal if it answers this share of the refused invalid messages, and over half of all invalid ones. */
const refusalShare = 0.9;

interface StatusTally {
  /** Invalid vectors that were refused with a status that always means a refusal. */
  refused: number;
  /** Invalid vectors that were accepted. */
  taken: number;
  /** Whether any valid message was accepted. */
  isOpen: boolean;
}

interface HeldStatus {
  seen: AskedCase;
  state: AboutState;
}

/** `all` has the cases that may be sent, including the selected ones. */
export function statesOf(cases: readonly RunCase[], all: readonly RunCase[], judged: Asker["judged"]): States {
  return new StatusStates(new Set(cases.map(({ vector }) => vector.id)), all, judged);
}

class StatusStates implements States {
  private readonly own: ReadonlySet<string>;
  private readonly all: readonly RunCase[];
  private readonly judged: Asker["judged"];
  private readonly waiting: HeldStatus[] = [];
  private readonly tallies = new Map<string, StatusTally>();

  constructor(own: ReadonlySet<string>, all: readonly RunCase[], judged: Asker["judged"]) {
    this.own = own;
    this.all = all;
    this.judged = judged;
  }

  readonly settle = (askedCase: AskedCase): AskedCase[] => {
    const { observation } = askedCase.exchange;
    const isHeld = observation.verdict === undefined && observation.kind === "about-state";
    if (isHeld) this.waiting.push({ seen: askedCase, state: observation });
    else this.count(askedCase);
    return isHeld ? [] : [askedCase];
  };

  wanted(): RunCase[] {
    const documents = new Set(this.waiting.map(({ seen }) => seen.result.document));
    return [...documents].flatMap((document) => {
      const casesOfDocument = this.all.filter((runCase) => runCase.document.name === document);
      const valid = casesOfDocument.filter(({ vector }) => isWitness(vector));
      const invalid = casesOfDocument.filter(({ vector }) => isPlain(vector));
      return [...pickCases(valid, this.own, sample.valid), ...pickCases(invalid, this.own, sample.invalid)];
    });
  }

  rest(): AskedCase[] {
    const asksByDocument = new Map<string, boolean>();
    const isRefusal = (document: string, status: number): boolean => {
      const key = `${status} ${document}`;
      const isWay = asksByDocument.get(key) ?? this.isRefusal(document, status);
      asksByDocument.set(key, isWay);
      return isWay;
    };
    const isOpen = (document: string): boolean => this.tallyOf(document).isOpen;
    return this.waiting
      .filter(({ seen }) => this.own.has(seen.result.id))
      .map(({ seen: { exchange } }) => this.judged(exchange, { isRefusal, isOpen }));
  }

  private tallyOf(document: string): StatusTally {
    const tally = this.tallies.get(document) ?? { refused: 0, taken: 0, isOpen: false };
    this.tallies.set(document, tally);
    return tally;
  }

  private count({ exchange, result }: AskedCase): void {
    const { document, verdict, outcome, answer } = result;
    const tally = this.tallyOf(document);
    const isTaken = answer?.verdict === "accepted" || (verdict === "valid" && outcome === "conforms");
    if (verdict === "valid") tally.isOpen ||= isTaken;
    else if (!isPlain(exchange.of.vector) || outcome === "skipped") return;
    else if (isTaken) tally.taken += 1;
    else if (outcome === "conforms" || outcome === "wrong-reason" || answer !== undefined) tally.refused += 1;
  }

  private isRefusal(document: string, status: number): boolean {
    const sameStatus = this.waiting.filter(
      ({ seen, state }) => seen.result.document === document && state.status === status,
    );
    const { refused, taken, isOpen } = this.tallyOf(document);
    const count = sameStatus.filter(({ seen }) => isPlain(seen.exchange.of.vector)).length;
    const isOfValid = sameStatus.some(({ seen }) => isWitness(seen.exchange.of.vector));
    return isOpen && !isOfValid && count >= refusalShare * (count + refused) && count > (count + refused + taken) / 2;
  }
}

/** The number of messages of a document that show how a server refuses, if fewer were selected. */
const sample = { valid: 3, invalid: 20 };

/** The missing number of cases, spread over the unselected ones. */
function pickCases(cases: readonly RunCase[], own: ReadonlySet<string>, most: number): RunCase[] {
  const otherCases = cases.filter(({ vector }) => !own.has(vector.id));
  const missingCount = Math.min(otherCases.length, Math.max(0, most - (cases.length - otherCases.length)));
  return Array.from(
    { length: missingCount },
    (_, index) => otherCases[Math.floor((index * otherCases.length) / missingCount)] as RunCase,
  );
}

/** Whether a vector is a valid message. A text is not made fresh completely, so the server may have seen it before. */
function isWitness(vector: Vector): boolean {
  return verdictOf(vector) === "valid" && vector.beyond === undefined && vector.data !== undefined;
}

/** Whether a message breaks a requirement of its schema, not only advice. */
function isPlain(vector: Vector): boolean {
  const isDemanded = vector.level === undefined || vector.level === "MUST";
  return verdictOf(vector) === "invalid" && vector.data !== undefined && vector.site !== undefined && isDemanded;
}
