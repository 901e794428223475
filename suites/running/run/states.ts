import { type AboutState, type Vector, verdictOf } from "../../../schemas/index.ts";
import type { AskedCase, Asker } from "./asker.ts";
import type { RunCase } from "./case.ts";

/** Distinguishes a server's refusals from answers about its state. A status such as 409 may be either, and a single answer does not show which. */
export interface States {
  /** Receives the next case, and returns it unless it has to wait for others. */
  settle(askedCase: AskedCase): AskedCase[];
  /** Returns unselected cases of the same documents if too few were selected to decide. Only their observations count. To be called after all cases have ended. */
  wanted(): RunCase[];
  /** Judges the waiting cases when all other cases are known: as refusals if the server refuses with this status, and otherwise as skipped. */
  rest(): AskedCase[];
}

/** A status counts as a refusal if it answers this share of the refused invalid messages, and more than half of all invalid messages. */
const refusalShare = 0.9;

interface StatusTally {
  /** Invalid vectors that were refused with a status that always means a refusal. */
  refused: number;
  /** Invalid vectors that were accepted. */
  accepted: number;
  /** Whether any valid message was accepted. */
  isOpen: boolean;
}

interface HeldStatus {
  seen: AskedCase;
  state: AboutState;
}

/** `all` contains the cases that may be sent, including the selected ones. */
export function statesOf(cases: readonly RunCase[], all: readonly RunCase[], judged: Asker["judged"]): States {
  return new StatusStates(new Set(cases.map(({ vector }) => vector.id)), all, judged);
}

class StatusStates implements States {
  private readonly selectedIds: ReadonlySet<string>;
  private readonly all: readonly RunCase[];
  private readonly judged: Asker["judged"];
  private readonly waiting: HeldStatus[] = [];
  private readonly tallies = new Map<string, StatusTally>();

  constructor(selectedIds: ReadonlySet<string>, all: readonly RunCase[], judged: Asker["judged"]) {
    this.selectedIds = selectedIds;
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
      const validCases = casesOfDocument.filter(({ vector }) => isWitness(vector));
      const invalidCases = casesOfDocument.filter(({ vector }) => isPlain(vector));
      return [
        ...pickCases(validCases, this.selectedIds, sampleSizes.valid),
        ...pickCases(invalidCases, this.selectedIds, sampleSizes.invalid),
      ];
    });
  }

  rest(): AskedCase[] {
    const refusalByKey = new Map<string, boolean>();
    const isRefusal = (document: string, status: number): boolean => {
      const key = `${status} ${document}`;
      const isKnownRefusal = refusalByKey.get(key) ?? this.isRefusal(document, status);
      refusalByKey.set(key, isKnownRefusal);
      return isKnownRefusal;
    };
    const isOpen = (document: string): boolean => this.tallyOf(document).isOpen;
    return this.waiting
      .filter(({ seen }) => this.selectedIds.has(seen.result.id))
      .map(({ seen: { exchange } }) => this.judged(exchange, { isRefusal, isOpen }));
  }

  private tallyOf(document: string): StatusTally {
    const tally = this.tallies.get(document) ?? { refused: 0, accepted: 0, isOpen: false };
    this.tallies.set(document, tally);
    return tally;
  }

  private count({ exchange, result }: AskedCase): void {
    const { document, verdict, outcome, answer } = result;
    const tally = this.tallyOf(document);
    const isAccepted = answer?.verdict === "accepted" || (verdict === "valid" && outcome === "conforms");
    if (verdict === "valid") tally.isOpen ||= isAccepted;
    else if (!isPlain(exchange.of.vector) || outcome === "skipped") return;
    else if (isAccepted) tally.accepted += 1;
    else if (outcome === "conforms" || outcome === "wrong-reason" || answer !== undefined) tally.refused += 1;
  }

  private isRefusal(document: string, status: number): boolean {
    const sameStatus = this.waiting.filter(
      ({ seen, state }) => seen.result.document === document && state.status === status,
    );
    const { refused, accepted, isOpen } = this.tallyOf(document);
    const count = sameStatus.filter(({ seen }) => isPlain(seen.exchange.of.vector)).length;
    const isOfValid = sameStatus.some(({ seen }) => isWitness(seen.exchange.of.vector));
    return (
      isOpen && !isOfValid && count >= refusalShare * (count + refused) && count > (count + refused + accepted) / 2
    );
  }
}

/** The numbers of messages of a document needed to decide how a server refuses; if fewer are selected, others are added. */
const sampleSizes = { valid: 3, invalid: 20 };

/** Picks the missing number of cases, spread evenly over the unselected ones. */
function pickCases(cases: readonly RunCase[], selectedIds: ReadonlySet<string>, wantedCount: number): RunCase[] {
  const otherCases = cases.filter(({ vector }) => !selectedIds.has(vector.id));
  const missingCount = Math.min(otherCases.length, Math.max(0, wantedCount - (cases.length - otherCases.length)));
  return Array.from(
    { length: missingCount },
    (_, index) => otherCases[Math.floor((index * otherCases.length) / missingCount)] as RunCase,
  );
}

/** Whether a vector is a valid message. Raw text does not count: it is not completely refreshed, so the server may have seen it before. */
function isWitness(vector: Vector): boolean {
  return verdictOf(vector) === "valid" && vector.beyond === undefined && vector.data !== undefined;
}

/** Whether a message breaks a requirement of its schema, not only advice. */
function isPlain(vector: Vector): boolean {
  const isDemanded = vector.level === undefined || vector.level === "MUST";
  return verdictOf(vector) === "invalid" && vector.data !== undefined && vector.site !== undefined && isDemanded;
}
