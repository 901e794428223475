import type { Document, RuledProtocol } from "../../schemas/index.ts";
import { inTurns, type Turn } from "../process/turns.ts";
import { signOfLife } from "../process/watched.ts";

type Generators = typeof import("../../generators/index.ts");
export type BuildOptions = NonNullable<Parameters<Generators["buildSet"]>[2]>;
export type Built = Awaited<ReturnType<Generators["buildSet"]>>;
type Kept = NonNullable<BuildOptions["kept"]>;
type Progress = Parameters<NonNullable<BuildOptions["watch"]>>[0];

export interface RoundOptions extends Omit<BuildOptions, "watch" | "document" | "extent" | "kept"> {
  /** How long all of it may take. */
  milliseconds: number;
  /** Looks on while vectors of a document are made, which has a turn. */
  watch?: (progress: Progress, turn: Turn, document: string) => boolean;
  /** What an earlier command made of documents, and which of them it finished. */
  before: ReadonlyMap<string, Built>;
  finished: ReadonlySet<string>;
  /** Takes what there is by now, whenever there is more, and says whether this was wanted so soon. */
  publish(parts: ReadonlyMap<string, Built>, finished: ReadonlySet<string>): void;
}

export interface Rounds {
  parts: Map<string, Built>;
  /** Documents for which the time was over. */
  late: string[];
}

/** With less time than this, in milliseconds, or more schema than this, in characters, what is quick is done for all before anything goes deep. */
const ample = 60_000;
const large = 50_000;
/** Compiled schemas of so many documents are held from round to round. */
const mostKept = 60;
/** The parts of the time at which the smallest messages and the faults end, however much is left. */
const leastUntil = 0.5;
const faultsUntil = 0.7;
/** With less than this part of it left nothing more is begun: what there is has to be written and told. */
const leastLeft = 0.05;
/** Milliseconds between two times at which what there is is published within a round, or so many times as long as that takes. */
const leastPause = 2000;
const sparing = 15;

/**
 * Makes the vectors of all documents in rounds: the smallest valid message of each, then a fault for each assertion, then mutants and texts. What a round leaves to
 * the next is not done again, so that the result is that of one run.
 */
export async function inRounds(protocol: RuledProtocol, options: RoundOptions): Promise<Rounds> {
  const { milliseconds, watch, before, publish, ...building } = options;
  const { buildSet } = await import("../../generators/index.ts");
  const { documents } = protocol.profile;
  const begun = performance.now();
  const left = (): number => milliseconds - (performance.now() - begun);
  const parts = new Map(before);
  const finished = new Set(options.finished);
  const kept = new Map<string, Kept>();
  let published = performance.now();
  let pause = leastPause;
  const publishSoon = (): void => {
    const begun = performance.now();
    if (begun - published < pause) return;
    publish(parts, finished);
    published = performance.now();
    pause = Math.max(leastPause, sparing * (published - begun));
  };
  const build = async (name: string, more: BuildOptions): Promise<Built> =>
    buildSet([protocol], undefined, { foreign: true, ...building, ...more, document: name });
  const take = (name: string, made: Built): void => {
    const known = parts.get(name);
    // A turn that was too short may come to less than the round before it.
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
    // What a small one leaves is for those after it.
    .toSorted((one, other) => sizeOf(one) - sizeOf(other));
  /** Until a document is done, what was compiled is held only where there are few. */
  const trim = (memory: Kept): void => {
    if (open.length <= mostKept) return;
    delete memory.model;
    delete memory.oracle;
  };
  const whole = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const isPlanned = Number.isFinite(milliseconds) && (milliseconds < ample || open.length > 3 || whole > large);
  /** Whether there is no time to do more of a document than was done. */
  const skipped = new Set<string>();
  const isTooLate = (name: string): boolean => {
    const isLate = isPlanned && left() < milliseconds * leastLeft && parts.size > 0;
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
      // The first is made however late it is: nothing at all helps nobody.
      if (isOver(leastUntil) && parts.size > 0) break;
      if (parts.has(name)) continue;
      const turn: Turn = { length: milliseconds, isAgain: false, isOver: () => isOver(leastUntil) };
      const watched = (at: Progress): boolean => {
        watch?.({ ...at, stage: at.stage === "compiling" ? at.stage : "faults" }, turn, name);
        return !isOver(leastUntil);
      };
      const memory = memoryOf(name);
      take(name, await build(name, { extent: "least", kept: memory, watch: watched }));
      trim(memory);
    }
    publish(parts, finished);
    await inTurns(open, left() * faultsUntil, async ({ name }, turn) => {
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
      // Only what is complete may be gone on from.
      if (isLate) delete memory.faults;
      trim(memory);
    });
    publish(parts, finished);
  }
  const { late } = await inTurns(open, Math.max(1, left()), async ({ name }, turn) => {
    if (isTooLate(name)) return;
    const memory = isPlanned ? memoryOf(name) : {};
    let isLate = false;
    const watched = (at: Progress): boolean => {
      const goes = watch?.(at, turn, name) !== false;
      if (!goes) isLate = true;
      return goes;
    };
    const made = await build(name, { kept: memory, ...(watch === undefined ? {} : { watch: watched }) });
    // Mutants were added to the faults: they are those of this turn alone.
    delete memory.faults;
    if (!isLate) {
      finished.add(name);
      kept.delete(name);
    }
    take(name, made);
    trim(memory);
  });
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
