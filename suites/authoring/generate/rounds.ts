import type { Document, RuledProtocol } from "../../../schemas/index.ts";
import { reportAlive } from "../../base/process/watchdog.ts";
import { runInTurns, type WorkTurn } from "../../base/process/work-turns.ts";

type RoundGenerators = typeof import("../../../generators/index.ts");
export type RoundBuild = NonNullable<Parameters<RoundGenerators["buildSet"]>[2]>;
export type RoundResult = Awaited<ReturnType<RoundGenerators["buildSet"]>>;
type RoundMemory = NonNullable<RoundBuild["kept"]>;
type RoundProgress = Parameters<NonNullable<RoundBuild["watch"]>>[0];

export interface RoundOptions
  extends Omit<RoundBuild, "watch" | "document" | "extent" | "kept" | "isPart" | "reachedOnly"> {
  /** The time limit of all rounds. */
  milliseconds: number;
  /** Watches the work on the current document. */
  watch?: (progress: RoundProgress, turn: WorkTurn, document: string) => boolean;
  /** The vectors of an earlier command, and the documents that it finished. */
  before: ReadonlyMap<string, RoundResult>;
  finished: ReadonlySet<string>;
  /** Called from time to time with all vectors made so far. */
  publish(parts: ReadonlyMap<string, RoundResult>, finished: ReadonlySet<string>): void;
}

export interface Rounds {
  parts: Map<string, RoundResult>;
  /** Documents with complete vectors. */
  finished: ReadonlySet<string>;
  /** Documents that ran out of time. */
  late: string[];
}

/** If there is less time (milliseconds), or a larger schema (characters), all documents get their quick vectors before any gets its slow ones. */
const ampleMs = 60_000;
const largeSchema = 50_000;
/** In a larger schema (characters), validators compile only a part of it for the first message: they need seconds for the whole. */
const vastSchema = 300_000;
/** The maximum number of documents that keep their compiled schemas from round to round. */
const maxKept = 60;
/** The shares of the time at which the rounds of smallest messages and of faults end, even if work is left. */
const smallestPart = 0.5;
const faultsPart = 0.7;
/** The shares of a turn in the round of faults after which the search for faults stops, and then all other work. */
const faultsTurnPart = 0.8;
const wholeTurnPart = 0.95;
/** A search that was cut is repeated in a turn that is longer by this factor. */
const minSearchGrowth = 2;
/** Work does not begin if a smaller share of the time is left, or less than this many times the duration of the last publication: the vectors must still be written and reported. */
const minPartLeft = 0.05;
const minPublications = 2;
/** With fewer milliseconds, a document is not processed: it would only be compiled. */
const minTurnMs = 1000;
/** Milliseconds after the time limit for finding a first message. */
const graceMs = 60_000;
/** Milliseconds between two publications within a round, or this many times the duration of one. */
const minPauseMs = 2000;
const pauseFactor = 15;

/** Makes the vectors of all documents in rounds: the smallest valid message of each, then a fault for each assertion, then mutants and texts. Each round continues from the previous one, so the result equals the result of a single run. */
export async function makeInRounds(protocol: RuledProtocol, options: RoundOptions): Promise<Rounds> {
  const { buildSet } = await import("../../../generators/index.ts");
  return new VectorRounds(protocol, options, buildSet).run();
}

/** The rounds of one protocol, and their progress. */
class VectorRounds {
  readonly #protocol: RuledProtocol;
  readonly #options: Pick<RoundOptions, "milliseconds" | "watch" | "publish">;
  readonly #buildOptions: RoundBuild;
  readonly #buildSet: RoundGenerators["buildSet"];
  readonly #startedAt = performance.now();
  readonly #parts: Map<string, RoundResult>;
  readonly #finished: Set<string>;
  readonly #memories = new Map<string, RoundMemory>();
  /** Documents without complete vectors, small ones first, so that later ones get the time that the small ones leave over. */
  readonly #unfinished: readonly Document[];
  /** Whether all documents get their quick vectors before any gets its slow ones. */
  readonly #isPlanned: boolean;
  readonly #isVast: boolean;
  /** Documents that have no time left for more vectors. */
  readonly #skipped = new Set<string>();
  /** Documents with a search for faults that was cut, and the length of its turn in milliseconds. */
  readonly #cutSearches = new Map<string, number>();
  /** When the last publication ended, how long it took, and how long to wait for the next. */
  #lastPublishedAt = performance.now();
  #publicationMs = 0;
  #pauseMs = minPauseMs;
  /** Whether there are any vectors, from this command or an earlier one. */
  #hasPublished: boolean;

  constructor(protocol: RuledProtocol, options: RoundOptions, buildSet: RoundGenerators["buildSet"]) {
    const { milliseconds, watch, before, finished, publish, ...building } = options;
    this.#protocol = protocol;
    this.#options = { milliseconds, publish, ...(watch === undefined ? {} : { watch }) };
    this.#buildOptions = building;
    this.#buildSet = buildSet;
    this.#parts = new Map(before);
    this.#finished = new Set(finished);
    this.#hasPublished = this.#hasVectors();
    const sizes = new Map(protocol.schemas.map((schema) => [schema.$id, JSON.stringify(schema).length]));
    const sizeOf = ({ schema }: Document): number => sizes.get(schema) ?? 0;
    this.#unfinished = protocol.profile.documents
      .filter(({ name, standalone }) => standalone && !this.#finished.has(name))
      .toSorted((a, b) => sizeOf(a) - sizeOf(b));
    const totalSize = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    this.#isVast = totalSize > vastSchema;
    this.#isPlanned =
      Number.isFinite(milliseconds) &&
      (milliseconds < ampleMs || this.#unfinished.length > 3 || totalSize > largeSchema);
  }

  async run(): Promise<Rounds> {
    for (const { name, standalone } of this.#protocol.profile.documents)
      if (!standalone) {
        this.#parts.set(name, await this.#build(name, {}));
        this.#finished.add(name);
      }
    if (this.#isPlanned) {
      await this.#makeSmallest();
      this.#publish();
      const makeFaults = (document: Document, turn: WorkTurn): Promise<void> => this.#makeFaults(document, turn);
      await runInTurns(this.#unfinished, this.#millisecondsLeft() * faultsPart, makeFaults, { least: minTurnMs });
      this.#publish();
    }
    const finishDocument = (document: Document, turn: WorkTurn): Promise<void> => this.#finish(document, turn);
    const { late } = await runInTurns(this.#unfinished, Math.max(1, this.#millisecondsLeft()), finishDocument, {
      least: minTurnMs,
    });
    const isLate = (document: Document): boolean =>
      late.includes(document) || !this.#parts.has(document.name) || this.#skipped.has(document.name);
    return {
      parts: this.#parts,
      finished: this.#finished,
      late: this.#unfinished.filter(isLate).map(({ name }) => name),
    };
  }

  /** Makes the smallest message of each document, as long as there is time. */
  async #makeSmallest(): Promise<void> {
    const { milliseconds, watch } = this.#options;
    for (const { name } of this.#unfinished) {
      const isOver = (part: number): boolean => {
        reportAlive();
        return this.#millisecondsLeft() < milliseconds * (1 - part);
      };
      // The first document is made even after the deadline: an empty pack is useless.
      const shouldStop = (): boolean =>
        isOver(smallestPart) && (this.#hasVectors() || this.#millisecondsLeft() < -graceMs);
      if (shouldStop()) break;
      if (this.#parts.has(name)) continue;
      const turn: WorkTurn = { length: milliseconds, isAgain: false, isOver: () => isOver(smallestPart) };
      const watchRound = (progress: RoundProgress): boolean => {
        watch?.({ ...progress, stage: progress.stage === "compiling" ? progress.stage : "faults" }, turn, name);
        return !shouldStop();
      };
      const memory = this.#memoryOf(name);
      const reachedOnly = this.#isVast && !this.#hasVectors();
      this.#keepBetter(
        name,
        await this.#build(name, { extent: "least", reachedOnly, kept: memory, watch: watchRound }),
      );
      this.#trimMemory(memory);
    }
  }

  /** Makes a fault for each assertion of a document. */
  async #makeFaults({ name }: Document, turn: WorkTurn): Promise<void> {
    if (this.#isTooLate(name)) return;
    const memory = this.#memoryOf(name);
    let isSearchCut = false;
    const reportRound = (progress: RoundProgress): boolean => {
      this.#options.watch?.(progress, turn, name);
      const canContinue = !turn.isOver(progress.stage === "faults" ? faultsTurnPart : wholeTurnPart);
      if (!canContinue && progress.stage === "faults") isSearchCut = true;
      return canContinue;
    };
    this.#keepBetter(name, await this.#build(name, { extent: "faults", kept: memory, watch: reportRound }));
    if (isSearchCut) this.#cutSearches.set(name, turn.length);
    this.#trimMemory(memory);
  }

  /** Makes the mutants and texts of a document. */
  async #finish({ name }: Document, turn: WorkTurn): Promise<void> {
    if (this.#isTooLate(name)) return;
    const { watch } = this.#options;
    const memory = this.#isPlanned ? this.#memoryOf(name) : {};
    const cutLength = this.#cutSearches.get(name);
    // A turn that is not much longer would only find the same faults again. They are judged instead, and the document stays unfinished.
    const continuesCutSearch = cutLength !== undefined && turn.length < minSearchGrowth * cutLength;
    if (cutLength !== undefined && !continuesCutSearch) forgetFaults(memory);
    this.#cutSearches.delete(name);
    let isLate = continuesCutSearch;
    const reportRound = (progress: RoundProgress): boolean => {
      const canContinue = watch?.(progress, turn, name) !== false;
      if (!canContinue) isLate = true;
      return canContinue;
    };
    const result = await this.#build(name, { kept: memory, ...(watch === undefined ? {} : { watch: reportRound }) });
    // The mutants of this turn were added to the faults.
    forgetFaults(memory);
    if (continuesCutSearch) this.#skipped.add(name);
    if (!isLate) {
      this.#finished.add(name);
      this.#memories.delete(name);
    }
    this.#keepBetter(name, result);
    this.#trimMemory(memory);
  }

  async #build(name: string, changes: RoundBuild): Promise<RoundResult> {
    return this.#buildSet([this.#protocol], undefined, {
      foreign: true,
      ...this.#buildOptions,
      ...changes,
      document: name,
      isPart: true,
    });
  }

  #keepBetter(name: string, result: RoundResult): void {
    const previousResult = this.#parts.get(name);
    // A short turn may make fewer vectors than the round before it.
    if (previousResult === undefined || this.#finished.has(name) || isolatedIn(result) >= isolatedIn(previousResult))
      this.#parts.set(name, result);
    this.#publishSoon();
  }

  #publish(): void {
    const publishedFrom = performance.now();
    this.#options.publish(this.#parts, this.#finished);
    this.#lastPublishedAt = performance.now();
    // A publication without changes writes nothing, so the longest duration counts.
    this.#publicationMs = Math.max(this.#publicationMs, this.#lastPublishedAt - publishedFrom);
    this.#pauseMs = Math.max(minPauseMs, pauseFactor * this.#publicationMs);
  }

  #publishSoon(): void {
    // The first vectors are the most valuable.
    const isFirst = !this.#hasPublished && this.#hasVectors();
    if (!isFirst && performance.now() - this.#lastPublishedAt < this.#pauseMs) return;
    this.#hasPublished ||= isFirst;
    this.#publish();
  }

  #millisecondsLeft(): number {
    return this.#options.milliseconds - (performance.now() - this.#startedAt);
  }

  /** Whether any part has vectors: the parts of answers have none. */
  #hasVectors(): boolean {
    return [...this.#parts.values()].some(({ manifest }) => manifest.count > 0);
  }

  #isTooLate(name: string): boolean {
    const reserveMs = Math.max(this.#options.milliseconds * minPartLeft, minPublications * this.#publicationMs);
    const isLate = this.#isPlanned && this.#millisecondsLeft() < reserveMs && this.#hasVectors();
    if (isLate) this.#skipped.add(name);
    else this.#skipped.delete(name);
    return isLate;
  }

  #memoryOf(name: string): RoundMemory {
    const memory = this.#memories.get(name) ?? {};
    this.#memories.set(name, memory);
    return memory;
  }

  /** Compiled schemas of unfinished documents are kept only if there are few. */
  #trimMemory(memory: RoundMemory): void {
    if (this.#unfinished.length <= maxKept) return;
    delete memory.model;
    delete memory.oracle;
  }
}

function forgetFaults(memory: RoundMemory): void {
  delete memory.faults;
  delete memory.verdicts;
}

/** The number of isolated assertions. */
export function isolatedIn({ manifest }: RoundResult): number {
  return manifest.documents.reduce((sum, { broken }) => sum + broken, 0);
}
