import type { Json, JsonObject, Reading } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { refuseFanOut } from "../evaluate/fan-out.ts";
import { Effort } from "../model/effort.ts";
import type { Location, Model } from "../model/model.ts";
import { foreignOracle } from "../oracle/foreign-oracle.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { describeCause, describeCounterpart, keywordAt, siteOf } from "./cause-in-words.ts";
import { type Refused, refusedOf } from "./containment.ts";

/** A schema with everything that it refers to. */
export interface SchemaVersion {
  schemas: readonly JsonObject[];
  /** The `$id` of the intended schema. */
  id: string;
  /** Messages with values that are used if they fit. */
  samples?: readonly Json[];
}

/** A message that one version accepts and the other refuses, and the origin of the difference. */
export interface SchemaDifference {
  /** Whether the new version refuses a message that the old one accepts, or the reverse. */
  change: "refused" | "accepted";
  message: Json;
  /** JSON Pointer to the part of the message that is refused. */
  at: string;
  /** Absolute locations: the assertion in the version that refuses, and its counterpart, or the schema around it, in the other. */
  old: Location | undefined;
  new: Location | undefined;
  /** The content of the refusing assertion. */
  asserts: string;
  /** The content of the assertion's counterpart in the other version, if it has the same keyword. */
  beside?: string;
  /** Further messages with other values that the same assertion refuses. */
  others: Json[];
  /** Assertions that refuse the message together with this one. */
  also: Location[];
  /** The verdicts of validators that differ from ours: then the difference is disputed. */
  disputed?: { old: Reading[]; new: Reading[] };
}

export interface Comparison {
  differences: SchemaDifference[];
  /** Why it is unknown whether the new version refuses, or accepts, more; absent if it is proven not to. */
  open: { refused?: string; accepted?: string };
}

/**
 * Finds the differences between two versions of a schema: a message for each assertion of one version that refuses a message of the other, judged by
 * two independent validators. If neither direction is open and there is no difference, both accept the same: that is proven. The versions may have
 * the same `$id`, and different dialects. `isLate` may end it early. Throws a usage error for a schema that cannot be read.
 */
export async function compareSchemas(
  old: SchemaVersion,
  newer: SchemaVersion,
  isLate: (change: SchemaDifference["change"]) => boolean = () => false,
): Promise<Comparison> {
  const models = { old: await compileModel(old.schemas, old.id), new: await compileModel(newer.schemas, newer.id) };
  for (const model of [models.old, models.new]) refuseFanOut(model);
  const oracles = oraclesFor(old, newer);
  const samples = [...(newer.samples ?? []), ...(old.samples ?? [])];
  const differences: SchemaDifference[] = [];
  const open: Comparison["open"] = {};
  for (const change of ["refused", "accepted"] as const) {
    const isOver = (): boolean => isLate(change);
    const effort = new Effort(Number.POSITIVE_INFINITY, isOver);
    const limitedModels = { old: { ...models.old, effort }, new: { ...models.new, effort } };
    const [accepts, refuses] =
      change === "refused" ? [limitedModels.old, limitedModels.new] : [limitedModels.new, limitedModels.old];
    const acceptedSamples = samples.filter((sample) => isValid(accepts, sample));
    const containment = refusedOf(accepts, refuses, { samples: acceptedSamples, isLate: isOver });
    if (containment.open !== undefined) open[change] = containment.open;
    const changeDifferences: SchemaDifference[] = [];
    for (const refused of containment.refused)
      changeDifferences.push(differenceOf(change, refused, { accepts, refuses, oracles: await oracles() }));
    differences.push(...groupDifferences(changeDifferences));
  }
  return { differences, open };
}

type Oracles = Record<"old" | "new", Oracle>;

/** Compiles both validators of both versions when the first difference is judged. */
function oraclesFor(old: SchemaVersion, newer: SchemaVersion): () => Promise<Oracles> {
  let oracles: Promise<Oracles> | undefined;
  const compileOracles = async (): Promise<Oracles> => ({
    old: await foreignOracle(old.schemas, old.id),
    new: await foreignOracle(newer.schemas, newer.id),
  });
  return () => {
    oracles ??= compileOracles();
    return oracles;
  };
}

function differenceOf(
  change: SchemaDifference["change"],
  { message, causes, old: counterpart }: Refused,
  { accepts, refuses, oracles }: { accepts: Model; refuses: Model; oracles: Oracles },
): SchemaDifference {
  const [first, ...others] = causes;
  const site = first === undefined ? refuses.root : siteOf(first, refuses);
  const keyword = first?.keyword === undefined ? undefined : keywordAt(refuses, first.keyword.site);
  const counterpartText =
    counterpart === undefined || first === undefined
      ? undefined
      : describeCounterpart(first, keywordAt(accepts, counterpart));
  const also = [...new Set(others.map((assertionCause) => siteOf(assertionCause, refuses)))].filter(
    (location) => location !== site,
  );
  const votes = { old: oracles.old.judge(message), new: oracles.new.judge(message) };
  const [expectedOld, expectedNew] = change === "refused" ? ["valid", "invalid"] : ["invalid", "valid"];
  const isConfirmed = votes.old.verdict === expectedOld && votes.new.verdict === expectedNew;
  return {
    change,
    message,
    at: first?.at ?? "",
    old: change === "refused" ? counterpart : site,
    new: change === "refused" ? site : counterpart,
    asserts: first === undefined ? "the schema as a whole" : describeCause(first, keyword),
    ...(counterpartText === undefined ? {} : { beside: counterpartText }),
    others: [],
    also,
    ...(isConfirmed ? {} : { disputed: { old: votes.old.readings, new: votes.new.readings } }),
  };
}

/** Picks one difference for each assertion: the first one found, but confirmed ones are preferred. */
function groupDifferences(differences: readonly SchemaDifference[]): SchemaDifference[] {
  const differencesBySite = new Map<string, SchemaDifference[]>();
  for (const difference of differences) {
    const key = `${difference.change === "refused" ? difference.new : difference.old}`;
    differencesBySite.set(key, [...(differencesBySite.get(key) ?? []), difference]);
  }
  return [...differencesBySite.values()].map((siteDifferences) => {
    const confirmed = siteDifferences.filter(({ disputed }) => disputed === undefined);
    const [first, ...others] = (confirmed.length > 0 ? confirmed : siteDifferences) as [
      SchemaDifference,
      ...SchemaDifference[],
    ];
    return { ...first, others: others.map(({ message }) => message) };
  });
}
