import {
  type Document,
  type Json,
  type Level,
  levelOf,
  type Protocol,
  pointer,
  type Reading,
  type Rule,
  ruleAt,
  type Vector,
} from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import type { FaultStep } from "../drafts/route.ts";
import type { Watch } from "../drafts/work-progress.ts";
import type { Location } from "../model/model.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { DraftVerdict, DraftVerdicts } from "./draft-verdict.ts";
import type { FindLiftingReadings } from "./lifted-verdicts.ts";
import type { Plan } from "./plan.ts";
import { VectorIds } from "./vector-ids.ts";

/** A draft and its vector, with the verdict of both oracles. */
export interface JudgedDraft {
  draft: Draft;
  kind: DraftVerdict["kind"];
  vector: Vector;
}

/**
 * The number of valid and of invalid drafts that are judged even when time is up, so that the work is not lost. While there is time to choose drafts, the
 * first draft for each assertion is judged too.
 */
const minJudged = 20;

/** Returns why some implementations may correctly give an instance the opposite verdict, if they may. */
export type FindDoubt = (instance: Json) => string | undefined;

/** The oracle and the other sources of verdicts. */
export interface JudgeOptions {
  oracle: Oracle;
  /** Whether the schemas are a user's. If so, drafts are left out if the validators contradict the plan. */
  foreign: boolean;
  watch?: Watch | undefined;
  /** Finds readings of the protocol that accept an instance although the schema refuses it. */
  findLiftingReadings?: FindLiftingReadings;
  findDoubt?: FindDoubt;
  /** Whether an instance is invalid only because of formats. */
  isDecidedByFormats?: (instance: Json) => boolean;
  /** Drafts that are skipped for lack of time are added to this set. */
  skippedDrafts?: Set<Draft>;
  /** Ids of drafts that were judged earlier and may be parents. */
  knownIds?: ReadonlyMap<Draft, string>;
  /** Verdicts of an earlier round, which are used again. New ones are added. */
  knownVerdicts?: DraftVerdicts | undefined;
}

/** Gives every draft a verdict and an id. Leaving out drafts later does not change any id. */
export function judgeDrafts(
  protocol: Protocol,
  document: Document,
  planned: Pick<Plan, "valid" | "invalid">,
  options: JudgeOptions,
): JudgedDraft[] {
  const { watch = () => true, skippedDrafts, knownIds = new Map(), knownVerdicts: verdicts = new Map() } = options;
  const judgedDrafts: JudgedDraft[] = [];
  const vectorIds = new VectorIds(`${protocol.name}/${protocol.version}/${document.name}`);
  const ids = new Map<Draft, string>(knownIds);
  const drafts = [...planned.valid, ...planned.invalid];
  const firstDrafts = firstOfEach(planned.invalid);
  const isOver = (stage: "judging" | "choosing", done: number): boolean =>
    !watch({ stage, done, total: drafts.length });
  for (const [done, draft] of drafts.entries()) {
    const index = done < planned.valid.length ? done : done - planned.valid.length;
    const isKnown = verdicts.has(draft);
    if (
      !isKnown &&
      isOver("judging", done) &&
      index >= minJudged &&
      (!firstDrafts.has(draft) || isOver("choosing", done))
    ) {
      skippedDrafts?.add(draft);
      continue;
    }
    const verdict = isKnown ? verdicts.get(draft) : verdictOf(protocol, document, draft, options);
    verdicts.set(draft, verdict);
    if (verdict === undefined) continue;
    const id = vectorIds.createId(verdict.kind, draft);
    ids.set(draft, id);
    const parent = draft.parent === undefined ? undefined : ids.get(draft.parent);
    judgedDrafts.push({ draft, kind: verdict.kind, vector: vectorOf(draft, verdict, { id, parent }) });
  }
  return judgedDrafts;
}

/** Judges a draft. Undefined if it is not published: neither validator could judge it, or for a foreign schema they contradict the plan. */
function verdictOf(
  protocol: Protocol,
  document: Document,
  draft: Draft,
  {
    oracle,
    foreign,
    findLiftingReadings = () => [],
    findDoubt = () => undefined,
    isDecidedByFormats = () => false,
  }: JudgeOptions,
): DraftVerdict | undefined {
  const { verdict, readings } = oracle.judge(draft.data);
  // Neither validator could decide, for example because matching a pattern did not finish.
  if (readings.length === 0) return undefined;
  const expected = draft.fault === undefined ? "valid" : "invalid";
  const {
    rule,
    isOpen: isLeftOpen,
    needsFormats,
    level,
  } = positionOf(protocol, {
    site: draft.site ?? draft.because,
    via: draft.route ?? draft.place?.steps ?? [],
    fault: draft.fault,
    byFormats: verdict !== "disputed" && isDecidedByFormats(draft.data),
  });
  if (verdict !== "disputed" && verdict !== expected) {
    // For a foreign schema, the validators are trusted more than the plan.
    if (foreign) return undefined;
    throw new Error(
      `${document.name} ${draft.name.join(" ")}: planned as ${expected}, but the oracles say ${verdict}: ${JSON.stringify(draft.data)}`,
    );
  }
  const liftingReadings = verdict === "invalid" ? findLiftingReadings(draft.data, draft.parent?.data, rule?.id) : [];
  const doubt = verdict === "disputed" ? undefined : findDoubt(draft.data);
  const isUndecided = isLeftOpen || doubt !== undefined || liftingReadings.length > 0;
  if (verdict !== "disputed" && !isUndecided) return { kind: expected, readings: undefined, rule, needsFormats, level };
  const furtherReadings =
    isUndecided && liftingReadings.length === 0 ? openReadings(expected, doubt, rule) : liftingReadings;
  return { kind: "disputed", readings: [...readings, ...furtherReadings], rule, needsFormats, level };
}

function vectorOf(
  draft: Draft,
  { kind, readings, rule, needsFormats, level }: DraftVerdict,
  { id, parent }: { id: string; parent: string | undefined },
): Vector {
  return {
    id,
    description: descriptionOf(draft),
    ...(readings === undefined ? { valid: kind === "valid" } : { readings }),
    data: draft.data,
    ...(rule === undefined ? {} : { rule: rule.id }),
    ...(level === "MUST" ? {} : { level }),
    ...(draft.site === undefined ? {} : { site: draft.site }),
    at: draft.at,
    ...(draft.fault === undefined ? {} : { fault: draft.fault }),
    ...(parent === undefined ? {} : { parent }),
    ...(draft.change === undefined ? {} : { change: draft.change }),
    needs: needsFormats ? ["format-assertion"] : [],
    tags: draft.tags,
  };
}

/** Picks the first draft that isolates each assertion, with its parent. */
function firstOfEach(invalid: readonly Draft[]): Set<Draft> {
  const first = new Map<Location, Draft>();
  for (const draft of invalid) if (draft.site !== undefined && !first.has(draft.site)) first.set(draft.site, draft);
  return new Set(
    [...first.values()].flatMap((draft) => [draft, ...(draft.parent === undefined ? [] : [draft.parent])]),
  );
}

function descriptionOf({ description, at, says }: Draft): string {
  const path = pointer.segments(at).map((name) => (name === "" ? '""' : name));
  return description ?? `${at === "" ? "the document" : path.join(".")} ${says}`;
}

function openReadings(expected: "valid" | "invalid", doubt: string | undefined, rule: Rule | undefined): Reading[] {
  if (doubt !== undefined)
    return [{ verdict: expected === "valid" ? "invalid" : "valid", by: ["implementations"], why: doubt }];
  return [{ verdict: "valid", by: ["specification"], why: rule?.position ?? "the specification leaves it open" }];
}

/** A protocol's position on a site, and on a fault there. */
export interface SitePosition {
  rule: Rule | undefined;
  /** Whether both verdicts are correct. */
  isOpen: boolean;
  /** Whether a validator that treats formats as annotations may correctly give the opposite verdict. */
  needsFormats: boolean;
  /** The level of the fault: at most that of its rule. */
  level: Level;
  /** Whether the level is below MUST. */
  isLenient: boolean;
}

/** A site, the path to it, and the fault there, if any. */
interface PositionQuery {
  site: Location | undefined;
  via: readonly FaultStep[];
  fault: string | undefined;
  byFormats?: boolean;
}

/**
 * Looks up the rule of a site and the level of a fault there. `via` lists the keywords on the path in order, the broken one last.
 * `byFormats` says that the verdict depends on formats in another way, as under `oneOf` or `not`.
 */
export function positionOf(
  { rules, profile }: Protocol,
  { site, via, fault, byFormats = false }: PositionQuery,
): SitePosition {
  const rule = site === undefined ? undefined : ruleOf(rules, site, via);
  const isFault = fault !== undefined;
  const needsFormats = byFormats || (isFault && via.some(({ kind, isBroken }) => isBroken && kind === "format"));
  const ruleLevel = isFault && rule !== undefined ? levelOf(rule) : "MUST";
  const level = ruleLevel === "MUST" && needsFormats && profile.formats === "annotate" ? "SHOULD" : ruleLevel;
  return { rule, isOpen: isFault && rule?.verdict === "either", needsFormats, level, isLenient: level !== "MUST" };
}

/** Returns the rule of a site. A rule on the reference to a definition comes before a rule on the definition. */
function ruleOf(rules: readonly Rule[], site: Location, via: readonly FaultStep[]): Rule | undefined {
  for (const step of via.filter(({ isBroken }) => !isBroken).reverse()) {
    if (step.kind !== "ref") break;
    const referenceRule = rules.find((rule) => rule.sites?.includes(step.node));
    if (referenceRule !== undefined) return referenceRule;
  }
  return ruleAt(rules, site);
}
