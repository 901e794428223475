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
import type { FindLiftingReadings } from "./lifted-verdicts.ts";
import { Names } from "./name.ts";
import type { Plan } from "./plan.ts";

/** A draft as a vector, judged by both oracles. */
export interface JudgedDraft {
  draft: Draft;
  kind: "valid" | "invalid" | "disputed";
  vector: Vector;
}

/**
 * This many drafts of either kind are judged even when time is up. As long as there is time to choose, so is the first draft for each assertion. Otherwise all
 * the work would be lost.
 */
const leastJudged = 20;

/** Why some implementations may correctly give an instance the opposite verdict. */
export type Doubts = (instance: Json) => string | undefined;

/** The sources of a verdict. */
export interface JudgeOptions {
  oracle: Oracle;
  /** Whether the schemas are a user's. Then drafts are left out if the validators contradict the plan. */
  foreign: boolean;
  watch?: Watch | undefined;
  /** Readings of the protocol that accept an instance in spite of the schema. */
  lifted?: FindLiftingReadings;
  doubts?: Doubts;
  /** Whether an instance is invalid only because of formats. */
  byFormats?: (instance: Json) => boolean;
  /** Drafts that are skipped for lack of time are added to this set. */
  unjudged?: Set<Draft>;
  /** The ids of drafts that were judged before. */
  known?: ReadonlyMap<Draft, string>;
}

/** Gives every draft its verdict and its id. Leaving out drafts later does not change any id. */
export function judge(
  protocol: Protocol,
  document: Document,
  planned: Pick<Plan, "valid" | "invalid">,
  options: JudgeOptions,
): JudgedDraft[] {
  const { watch = () => true, unjudged, known = new Map() } = options;
  const result: JudgedDraft[] = [];
  const names = new Names(`${protocol.name}/${protocol.version}/${document.name}`);
  const ids = new Map<Draft, string>(known);
  const drafts = [...planned.valid, ...planned.invalid];
  const first = firstOfEach(planned.invalid);
  const isOver = (stage: "judging" | "choosing", done: number): boolean =>
    !watch({ stage, done, total: drafts.length });
  for (const [done, draft] of drafts.entries()) {
    const index = done < planned.valid.length ? done : done - planned.valid.length;
    if (isOver("judging", done) && index >= leastJudged && (!first.has(draft) || isOver("choosing", done))) {
      unjudged?.add(draft);
      continue;
    }
    const verdict = verdictOf(protocol, document, draft, options);
    if (verdict === undefined) continue;
    const id = names.id(verdict.kind, draft);
    ids.set(draft, id);
    const parent = draft.parent === undefined ? undefined : ids.get(draft.parent);
    result.push({ draft, kind: verdict.kind, vector: vectorOf(draft, verdict, { id, parent }) });
  }
  return result;
}

/** The verdict on a draft, with its rule and level. */
interface DraftVerdict extends Pick<ReturnType<typeof levelOfVerdict>, "rule" | "needsFormats" | "level"> {
  kind: JudgedDraft["kind"];
  /** Set if the verdict is disputed. */
  readings: Vector["readings"];
}

/** Undefined for a draft that is not published: neither validator could judge it, or they contradict the plan for a foreign schema. */
function verdictOf(
  protocol: Protocol,
  document: Document,
  draft: Draft,
  { oracle, foreign, lifted = () => [], doubts = () => undefined, byFormats = () => false }: JudgeOptions,
): DraftVerdict | undefined {
  const { verdict, readings } = oracle.judge(draft.data);
  // Neither could decide; for example, a pattern may never finish on it.
  if (readings.length === 0) return undefined;
  const expected = draft.fault === undefined ? "valid" : "invalid";
  const { rule, open, needsFormats, level } = levelOfVerdict(protocol, {
    site: draft.site ?? draft.because,
    via: draft.route ?? draft.place?.steps ?? [],
    fault: draft.fault,
    byFormats: verdict !== "disputed" && byFormats(draft.data),
  });
  if (verdict !== "disputed" && verdict !== expected) {
    // In a foreign schema the validators are right.
    if (foreign) return undefined;
    throw new Error(
      `${document.name} ${draft.name.join(" ")}: planned as ${expected}, but the oracles say ${verdict}: ${JSON.stringify(draft.data)}`,
    );
  }
  const sides = verdict === "invalid" ? lifted(draft.data, draft.parent?.data, rule?.id) : [];
  const doubt = verdict === "disputed" ? undefined : doubts(draft.data);
  const isUndecided = open || doubt !== undefined || sides.length > 0;
  if (verdict !== "disputed" && !isUndecided) return { kind: expected, readings: undefined, rule, needsFormats, level };
  const others = isUndecided && sides.length === 0 ? openReadings(expected, doubt, rule) : sides;
  return { kind: "disputed", readings: [...readings, ...others], rule, needsFormats, level };
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

/** The first draft that isolates each assertion, with its parent. */
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
  /** Whether both answers are right. */
  open: boolean;
  /** Whether a validator that treats formats as annotations may correctly judge otherwise. */
  needsFormats: boolean;
  /** The level of the fault: at most that of its rule. */
  level: Level;
  /** Whether the level is below MUST. */
  lenient: boolean;
}

/** The question: a site, the path to it, and the fault there, if any. */
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
export function levelOfVerdict(
  { rules, profile }: Protocol,
  { site, via, fault, byFormats = false }: PositionQuery,
): SitePosition {
  const rule = site === undefined ? undefined : ruleOf(rules, site, via);
  const isFault = fault !== undefined;
  const needsFormats = byFormats || (isFault && via.some(({ kind, isBroken }) => isBroken && kind === "format"));
  const stated = isFault && rule !== undefined ? levelOf(rule) : "MUST";
  const level = stated === "MUST" && needsFormats && profile.formats === "annotate" ? "SHOULD" : stated;
  return { rule, open: isFault && rule?.verdict === "either", needsFormats, level, lenient: level !== "MUST" };
}

/** The rule of a site. A rule on the reference to a definition comes before a rule on the definition. */
function ruleOf(rules: readonly Rule[], site: Location, via: readonly FaultStep[]): Rule | undefined {
  for (const step of via.filter(({ isBroken }) => !isBroken).reverse()) {
    if (step.kind !== "ref") break;
    const named = rules.find((rule) => rule.sites?.includes(step.node));
    if (named !== undefined) return named;
  }
  return ruleAt(rules, site);
}
