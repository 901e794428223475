import type { Document, RuledProtocol } from "../../../schemas/index.ts";
import { inTurns, type Turn } from "../../base/process/turns.ts";
import { signOfLife } from "../../base/process/watchdog.ts";

type Generators = typeof import("../../../generators/index.ts");
export type BuildOptions = NonNullable<Parameters<Generators["buildSet"]>[2]>;
export type Built = Awaited<ReturnType<Generators["buildSet"]>>;
type Kept = NonNullable<BuildOptions["kept"]>;
type Progress = Parameters<NonNullable<BuildOptions["watch"]>>[0];

export interface RoundOptions extends Omit<BuildOptions, "watch" | "document" | "extent" | "kept"> {
  /** The time limit of all rounds. */
  milliseconds: number;
  /** Watches the vectors of the document whose turn it is. */
  watch?: (progress: Progress, turn: Turn, document: string) => boolean;
  /** The vectors of an earlier command, and the documents that it finished. */
  before: ReadonlyMap<string, Built>;
  finished: ReadonlySet<string>;
  /** Called with all vectors made so far each time there are more. Returns true if they were published. */
  publish(parts: ReadonlyMap<string, Built>, finished: ReadonlySet<string>): void;
}

export interface Rounds {
  parts: Map<string, Built>;
  /** Documents whose time ran out. */
  late: string[];
}

/** Below this time (milliseconds) or above this size of the schema (characters), all documents get their quick vectors before any gets its slow ones. */
const ample = 60_000;
const large = 50_000;
/** At most so many documents keep their compiled schemas from round to round. */
const mostKept = 60;
/** The smallest messages and the faults end at these parts of the time, even if work is left. */
const leastUntil = 0.5;
const faultsUntil = 0.7;
/** With less than this part of the time left, or so many times the duration of the last publication, no work begins: the vectors must be written and reported. */
const leastLeft = 0.05;
const leastPublications = 2;
/** In less milliseconds a document is not worked on further: it is compiled, and nothing else. */
const leastTurn = 1000;
/** Milliseconds beyond the time in which a first message is sought. */
const grace = 60_000;
/** Milliseconds between two publications within a round, or so many times the duration of one. */
const leastPause = 2000;
const sparing = 15;

/**
 * Makes the vectors of all documents in rounds: the smallest valid message of each, then a fault for each assertion, then mutants and texts. A round
 * goes on from the round before it, so the result equals that of one run.
 */
export async function inRounds(protocol: RuledProtocol, options: RoundOptions): Promise<Rounds> {
  const { milliseconds, watch, before, publish, ...building } = options;
  const { buildSet } = await import("../../../generators/index.ts");
  const { documents } = protocol.profile;
  const begun = performance.now();
  const left = (): number => milliseconds - (performance.now() - begun);
  const parts = new Map(before);
  const finished = new Set(options.finished);
  const kept = new Map<string, Kept>();
  /** Answers, for which no vectors are made, are parts as well. */
  const hasSome = (): boolean => [...parts.values()].some(({ manifest }) => manifest.count > 0);
  let published = performance.now();
  let pause = leastPause;
  let duration = 0;
  const publishNow = (): void => {
    const begun = performance.now();
    publish(parts, finished);
    published = performance.now();
    duration = published - begun;
    pause = Math.max(leastPause, sparing * duration);
  };
  let isBegun = hasSome();
  const publishSoon = (): void => {
    // The first vectors are worth more than all others.
    const isFirst = !isBegun && hasSome();
    if (!isFirst && performance.now() - published < pause) return;
    isBegun ||= isFirst;
    publishNow();
  };
  const build = async (name: string, more: BuildOptions): Promise<Built> =>
    buildSet([protocol], undefined, { foreign: true, ...building, ...more, document: name });
  const take = (name: string, made: Built): void => {
    const known = parts.get(name);
    // A turn that was too short may make fewer vectors than the round before it.
    if (known === undefined || finished.has(name) || isolatedIn(made) >= isolatedIn(known)) parts.set(name, made);
    publishSoon();
  };
  const memoryOf = (name: string): Kept => {
    const known = kept.get(name) ?? {};
    kept.set(name, known);
    return known;
  };
  for (const { name, standalone } of documents) if (!standalone) parts.set(name, await build(name, {}));
  const sizes = new Map(protocol.schemas.map((schema) => [schema.$id, JSON.stringify(schema).length]));
  const sizeOf = ({ schema }: Document): number => sizes.get(schema) ?? 0;
  const open = documents
    .filter(({ name, standalone }) => standalone && !finished.has(name))
    // Time that a small document leaves goes to the next ones.
    .toSorted((one, other) => sizeOf(one) - sizeOf(other));
  /** Compiled schemas of unfinished documents are kept only if there are few. */
  const trim = (memory: Kept): void => {
    if (open.length <= mostKept) return;
    delete memory.model;
    delete memory.oracle;
  };
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const isPlanned = Number.isFinite(milliseconds) && (milliseconds < ample || open.length > 3 || whole > large);
  /** Whether a document has no time left for more vectors. */
  const skipped = new Set<string>();
  const isTooLate = (name: string): boolean => {
    const isLate = isPlanned && left() < Math.max(milliseconds * leastLeft, leastPublications * duration) && hasSome();
    if (isLate) skipped.add(name);
    else skipped.delete(name);
    return isLate;
  };
  if (isPlanned) {
    for (const { name } of open) {
      const isOver = (part: number): boolean => {
        signOfLife();
        return left() < milliseconds * (1 - part);
      };
      // The first document is made even after the deadline: an empty pack has no use.
      const isLast = (): boolean => isOver(leastUntil) && (hasSome() || left() < -grace);
      if (isLast()) break;
      if (parts.has(name)) continue;
      const turn: Turn = { length: milliseconds, isAgain: false, isOver: () => isOver(leastUntil) };
      const watched = (at: Progress): boolean => {
        watch?.({ ...at, stage: at.stage === "compiling" ? at.stage : "faults" }, turn, name);
        return !isLast();
      };
      const memory = memoryOf(name);
      take(name, await build(name, { extent: "least", kept: memory, watch: watched }));
      trim(memory);
    }
    publishNow();
    const faults = async ({ name }: Document, turn: Turn): Promise<void> => {
      if (isTooLate(name)) return;
      const memory = memoryOf(name);
      let isLate = false;
      const watched = (at: Progress): boolean => {
        watch?.(at, turn, name);
        const goes = !turn.isOver(at.stage === "faults" ? 0.8 : 0.95);
        if (!goes) isLate = true;
        return goes;
      };
      take(name, await build(name, { extent: "faults", kept: memory, watch: watched }));
      // Only a complete round can be continued.
      if (isLate) delete memory.faults;
      trim(memory);
    };
    await inTurns(open, left() * faultsUntil, faults, undefined, leastTurn);
    publishNow();
  }
  const finish = async ({ name }: Document, turn: Turn): Promise<void> => {
    if (isTooLate(name)) return;
    const memory = isPlanned ? memoryOf(name) : {};
    let isLate = false;
    const watched = (at: Progress): boolean => {
      const goes = watch?.(at, turn, name) !== false;
      if (!goes) isLate = true;
      return goes;
    };
    const made = await build(name, { kept: memory, ...(watch === undefined ? {} : { watch: watched }) });
    // The mutants of this turn are the vectors beyond the faults.
    delete memory.faults;
    if (!isLate) {
      finished.add(name);
      kept.delete(name);
    }
    take(name, made);
    trim(memory);
  };
  const { late } = await inTurns(open, Math.max(1, left()), finish, undefined, leastTurn);
  const isMissing = ({ name }: Document): boolean => !parts.has(name);
  return {
    parts,
    late: open
      .filter((each) => late.includes(each) || isMissing(each) || skipped.has(each.name))
      .map(({ name }) => name),
  };
}

function isolatedIn({ manifest }: Built): number {
  return manifest.documents.reduce((sum, { broken }) => sum + broken, 0);
}
