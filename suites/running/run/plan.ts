import {
  changedSince,
  type Protocol,
  type Run,
  readingsOf,
  type Shard,
  sourceAmong,
  type Target,
  type TargetConfig,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { loadVectors, select, type VectorSet } from "../../packs/corpus/index.ts";
import { targetFrom } from "../../targets/index.ts";
import type { Expected } from "../scenarios/index.ts";
import { casesOf, type RunCase } from "./case.ts";
import { type Environments, expectedResults } from "./scenarios.ts";
import { isIn } from "./shard.ts";

/** Options of a suite that select its runs. */
export interface PlanOptions {
  /** The configuration of the target, or a function that creates it, which is called once for each protocol. */
  target: TargetConfig | (() => Target);
  only?: readonly string[];
  skip?: readonly string[];
  /** The chosen readings of contradictions in specifications. Without a reading, a contradiction never fails a target. */
  readings?: readonly string[];
  /** The part of the selection to run. */
  shard?: Shard;
  /** The folder of the vector set, or a function that creates the vectors of a protocol; by default the vectors of the package, or of a pack. */
  vectors?: string | ((protocol: Protocol) => VectorSet | Promise<VectorSet>);
  /** The environments to play the scenarios of protocols in; by default no scenarios are played. */
  scenarios?: Environments;
}

/** The run of one protocol, before its first question. */
export interface PlannedRun {
  protocol: Protocol;
  /** The selected vectors. */
  cases: RunCase[];
  /** All vectors that may be sent, such as the parents of the selected ones. */
  all: RunCase[];
  /** The selected results of scenarios. */
  expected: Expected[];
  target: Target;
  set: Run["set"];
  filter: Run["filter"];
  readings?: string[];
  shard?: NonNullable<Run["shard"]>;
}

interface PlanContent {
  protocol: Protocol;
  set: VectorSet;
  readings: string[];
  cases: RunCase[];
  expected: Expected[];
}

/** Plans the runs of a suite. Throws a TouchstoneError for a pattern or reading that matches nothing, and for a protocol without vectors. */
export async function planOf(protocols: readonly Protocol[], options: PlanOptions): Promise<PlannedRun[]> {
  const { only = [], skip = [], shard } = options;
  const contents = await contentsOf(protocols, options);
  const allItems = contents.flatMap(itemsOf);
  const background = {
    rules: protocols.flatMap(({ rules }) => rules),
    sourceOf: (site: string) => sourceAmong(protocols, site),
  };
  const selectedItems = new Set(select<Vector | Expected>(allItems, { only, skip }, background));
  // Vectors outside of the selection are sent if they decide whether a refusal counts, unless --skip names them.
  const askableItems = new Set(select<Vector | Expected>(allItems, { skip }, background));
  const isSelected = (item: Vector | Expected): boolean =>
    selectedItems.has(item) && (shard === undefined || isIn(shard, item));
  // Each protocol of a shard is reported, even if the shard has none of its vectors, so that the merged report is complete.
  return contents
    .filter((content) => itemsOf(content).some((item) => selectedItems.has(item)))
    .map(({ protocol, set, readings, cases, expected }) => ({
      protocol,
      cases: cases.filter(({ vector }) => isSelected(vector)),
      all: cases.filter(({ vector }) => (shard === undefined ? askableItems.has(vector) : isSelected(vector))),
      expected: expected.filter(isSelected),
      target: typeof options.target === "function" ? options.target() : targetFrom(options.target),
      set: { digest: set.digest, count: set.files.flatMap((file) => file.tests).length, ...changedSchemasOf(protocol) },
      filter: { only: [...only], skip: [...skip] },
      ...(readings.length === 0 ? {} : { readings }),
      ...(shard === undefined ? {} : { shard }),
    }));
}

async function contentsOf(protocols: readonly Protocol[], options: PlanOptions): Promise<PlanContent[]> {
  const chosenReadings = readingsOf(protocols, options.readings ?? []);
  const contents: PlanContent[] = [];
  for (const protocol of protocols) {
    const set = await requireVectors(protocol, options.vectors);
    const expected = await expectedResults(protocol, options.scenarios);
    const readings = chosenReadings.get(protocol) ?? [];
    contents.push({ protocol, set, readings, cases: casesOf(protocol, set, readings), expected });
  }
  return contents;
}

function itemsOf({ cases, expected }: PlanContent): (Vector | Expected)[] {
  return [...cases.map(({ vector }) => vector), ...expected];
}

/** Loads the vectors of a protocol. Throws a usage error if there are none, because such a protocol would pass unnoticed. */
async function requireVectors(protocol: Protocol, from: PlanOptions["vectors"]): Promise<VectorSet> {
  const set = typeof from === "function" ? await from(protocol) : loadVectors(protocol, from);
  if (set.files.length > 0) return set;
  throw new TouchstoneError("usage", `the vector set has no vectors of ${protocol.name}@${protocol.version}`, {
    ...(typeof from === "string" ? { where: from } : {}),
    hint: "name a protocol of this set, or a different set with --vectors",
  });
}

/** Returns the schemas of a pack that have changed since its vectors were made. */
function changedSchemasOf({ folder, foreign }: Protocol): Pick<Run["set"], "changed"> {
  const changedFiles = foreign === true ? changedSince(folder) : undefined;
  if (changedFiles === undefined) return {};
  const { files, options } = changedFiles;
  return { changed: { files, again: ["touchstone generate", ...options.map(quoteForShell)].join(" ") } };
}
