import picomatch from "picomatch";
import {
  byAnswers,
  columnsFrom,
  concerns,
  currentId,
  fragmentIn,
  namesAssertion,
  nearestName,
  parametersEnd,
  type Rule,
  type Scenario,
  type Source,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { coreScenarios } from "./core.ts";

export interface SelectFilter {
  only?: readonly string[];
  skip?: readonly string[];
}

/** The members of a vector, or of a result of a scenario, that a pattern is compared with. */
type NamedVector = Pick<Vector, "id" | "rule"> &
  Partial<Pick<Vector, "tags" | "site" | "valid">> & { scenario?: Scenario };

/** What is known about the names in patterns. */
export interface SelectBackground {
  rules?: readonly Rule[];
  /** The place of an assertion in a file, if known. */
  sourceOf?: (site: string) => Source | undefined;
  /** Advice if a rule has no vectors. By default, the advice for a run. */
  advice?: (rule: Rule) => string | undefined;
}

/** Whether a pattern that is a rule's id selects this vector. */
type Selects = (vector: NamedVector, rule: Rule) => boolean;

/** The prefix of a pattern that is a tag. */
const tagPrefix = "tag:";

/** The tag of the quick subset. */
const quickTag = "core";

/**
 * Selects the vectors that match some `only` pattern (all, if there is none) and no `skip` pattern, in their order. Throws a usage error if a
 * pattern matches nothing, or if nothing is left.
 *
 * A pattern is one of these:
 * - an id;
 * - the beginning of a path, with or without the protocol and its version (with `/` at its end if it is also an id);
 * - the id of a rule (in `only`, this includes vectors that show a breach of it under another rule);
 * - the name of a scenario;
 * - an assertion, as reports name it;
 * - `tag:` and a tag;
 * - a glob over an id, the beginning of a path, or a rule (`*` within a segment, `**` across segments).
 */
export function select<T extends NamedVector>(
  vectors: readonly T[],
  { only = [], skip = [] }: SelectFilter = {},
  background: SelectBackground = {},
): T[] {
  const isUnderRule: Selects = ({ rule }, { id }) => rule === id;
  const included = only.length === 0 ? new Set(vectors) : selectUnion(vectors, only, background, concerns);
  const excluded = selectUnion(vectors, skip, background, isUnderRule);
  const selected = vectors.filter((vector) => included.has(vector) && !excluded.has(vector));
  if (selected.length === 0) {
    throw new TouchstoneError("usage", "no vectors are selected", {
      hint: `--skip ${skip.join(" --skip ")} excludes all ${included.size} selected vectors`,
    });
  }
  return selected;
}

function selectUnion<T extends NamedVector>(
  vectors: readonly T[],
  patterns: readonly string[],
  background: SelectBackground,
  selects: Selects,
): Set<T> {
  return new Set(patterns.flatMap((pattern) => selectMatching(vectors, pattern, background, selects)));
}

function selectMatching<T extends NamedVector>(
  vectors: readonly T[],
  writtenPattern: string,
  { rules = [], sourceOf = () => undefined, advice = adviceOfRuns }: SelectBackground,
  selects: Selects,
): T[] {
  const pattern = currentId(writtenPattern);
  // An id selects a single vector, even if other ids begin with it, so that a failure can be repeated by its id.
  const exact = vectors.filter(({ id }) => id === pattern);
  if (exact.length > 0) return exact;
  if (pattern.startsWith(tagPrefix)) {
    const tag = pattern.slice(tagPrefix.length);
    const quickResults = tag === quickTag ? coreScenarios(vectors) : [];
    const withTag = [...vectors.filter(({ tags = [] }) => tags.includes(tag)), ...quickResults];
    if (withTag.length > 0) return withTag;
  }
  const rule = rules.find(({ id }) => id === pattern);
  const ofRule = rule === undefined ? [] : vectors.filter((vector) => selects(vector, rule));
  if (ofRule.length > 0) return ofRule;
  const underPath = vectors.filter(({ id, rule }) => rule === pattern || isWithin(id, pattern));
  if (underPath.length > 0) return underPath;
  const unversioned = vectors.filter(({ id }) => {
    const path = id.split("/").slice(2).join("/");
    return path === pattern || isWithin(path, pattern);
  });
  if (unversioned.length > 0) return unversioned;
  const ofScenario = vectors.filter(({ id }) => !pattern.includes("/") && id.includes(`/scenarios/${pattern}/`));
  if (ofScenario.length > 0) return ofScenario;
  const underAssertion = vectorsOfAssertion(vectors, pattern, sourceOf);
  if (underAssertion.length > 0) return underAssertion;
  if (/[*?[{]/.test(pattern)) {
    // A glob that matches a folder selects its content, like a path to the folder.
    for (const glob of [pattern, `${pattern.replace(/\/$/, "")}/**`]) {
      const matches = picomatch(glob, { dot: true, nonegate: true, noextglob: true });
      const matching = vectors.filter(({ id, rule }) => matches(id) || (rule !== undefined && matches(rule)));
      if (matching.length > 0) return matching;
    }
  }
  if (rule !== undefined) throw noResultsError(rule, advice(rule), vectors);
  throw noMatchError(pattern, vectors, sourceOf);
}

/** The error for a pattern that matches nothing, with a suggestion. */
function noMatchError(
  pattern: string,
  vectors: readonly NamedVector[],
  sourceOf: NonNullable<SelectBackground["sourceOf"]>,
): TouchstoneError {
  const scenarioResults = vectors.filter(({ id }) => id.includes("/scenarios/"));
  const vectorWord = scenarioResults.length < vectors.length ? ["vectors"] : [];
  const candidates = [...vectorWord, ...(scenarioResults.length === 0 ? [] : ["results of scenarios"])].join(" and ");
  const suggestedGlobs = pattern.startsWith(scenarioPrefix)
    ? suggestGlobs(scenarioResults, pattern.slice(scenarioPrefix.length))
    : suggestGlobs(vectors, pattern);
  const suggestion =
    describeNearestAssertion(vectors, pattern, sourceOf) ??
    suggestedGlobs ??
    nearestName(pattern, matchingNames(vectors));
  return new TouchstoneError("usage", `the pattern "${pattern}" matches none of ${vectors.length} ${candidates}`, {
    hint: `${suggestion}ids look like ${vectors[0]?.id ?? "PROTOCOL/VERSION/DOCUMENT/KIND/NAME"}`,
  });
}

/** The prefix of patterns for scenarios, without the protocol and its version. */
const scenarioPrefix = "scenarios/";

/** The error for a rule without results to select; its status says why. */
function noResultsError(
  { id, status }: Rule,
  advice: string | undefined,
  vectors: readonly NamedVector[],
): TouchstoneError {
  if ("untested" in status) return new TouchstoneError("usage", `${id} is untested: ${status.untested}`);
  if ("planned" in status) return new TouchstoneError("usage", `${id} is not tested yet: ${status.planned}`);
  if (status.covered === byAnswers) {
    const documents = new Set(vectors.flatMap((vector) => vector.id.split("/")[2] ?? []));
    const ofOperation = [...documents].filter(
      (name) =>
        withoutPunctuation(name.replace(parametersEnd, "")) === withoutPunctuation(id.replace(/-[A-Z]+-\d+$/, "")),
    );
    const advised = ofOperation.length === 0 ? "leave --only out" : `give --only ${ofOperation.join(" --only ")}`;
    return new TouchstoneError("usage", `${id} is tested by ${byAnswers}`, {
      hint: `${advised}: it runs with all vectors of its operation`,
    });
  }
  const method = `${status.covered}, and this set has none`;
  return new TouchstoneError("usage", `${id} is tested by ${method}`, {
    hint: `${advice === undefined ? "" : `${advice}; `}touchstone explain ${id} says more`,
  });
}

/** A name without characters that rule ids cannot contain. */
function withoutPunctuation(name: string): string {
  return name.toUpperCase().replace(/[-.]+/g, "");
}

function adviceOfRuns({ status }: Rule): string | undefined {
  const isPlayed = "covered" in status && status.covered === "scenarios";
  return isPlayed ? "add --scenarios, which plays them with --http or --reference" : undefined;
}

/** Vectors without a rule are reported by their assertion, so it also selects them here. */
function vectorsOfAssertion<T extends NamedVector>(
  vectors: readonly T[],
  pattern: string,
  sourceOf: NonNullable<SelectBackground["sourceOf"]>,
): T[] {
  const sites = new Set(vectors.flatMap(({ site }) => site ?? []));
  const selectedSites = new Set([...sites].filter((site) => namesAssertion(pattern, site, sourceOf(site))));
  return vectors.filter(({ site }) => site !== undefined && selectedSites.has(site));
}

/** If the pattern is a place in a file that has no assertion, names the nearest assertion on its line. */
function describeNearestAssertion(
  vectors: readonly NamedVector[],
  pattern: string,
  sourceOf: NonNullable<SelectBackground["sourceOf"]>,
): string | undefined {
  const candidates = [...new Set(vectors.flatMap(({ site }) => site ?? []))].flatMap((site) => {
    const source = sourceOf(site);
    const columns = source === undefined ? undefined : columnsFrom(pattern, source);
    return source === undefined || columns === undefined ? [] : [{ site, source, distance: columns }];
  });
  const [nearest] = candidates.sort((first, second) => first.distance - second.distance);
  if (nearest === undefined) return undefined;
  const { site, source } = nearest;
  return `at ${source.file}:${source.line}:${source.column} is ${fragmentIn(site, source)}; `;
}

function isWithin(id: string, path: string): boolean {
  return id.startsWith(path.endsWith("/") ? path : `${path}/`);
}

const maxGlobs = 3;

/** Suggests globs for the ids in which some segment contains the word. Globs for the whole segment come first, as the most likely meaning. */
function suggestGlobs(vectors: readonly NamedVector[], word: string): string | undefined {
  if (!/^[\w.-]+$/.test(word)) return undefined;
  const isExactByGlob = new Map<string, boolean>();
  for (const { id } of vectors) {
    const parts = id.split("/");
    parts.forEach((part, index) => {
      if (!/^[\w.-]+$/.test(part) || !part.toLowerCase().includes(word.toLowerCase())) return;
      isExactByGlob.set(index === parts.length - 1 ? `**/${part}` : `**/${part}/**`, part === word);
    });
  }
  const sorted = [...isExactByGlob].sort(([, first], [, second]) => Number(second) - Number(first));
  const suggested = sorted.slice(0, maxGlobs).map(([glob]) => glob);
  return suggested.length === 0 ? undefined : `${suggested.join(", ")} would match; `;
}

/** All patterns without wildcards that match something: ids, the paths above them, tags, and names of rules, documents and scenarios. */
function matchingNames(vectors: readonly NamedVector[]): string[] {
  const names = new Set<string>();
  for (const { id, rule, tags = [] } of vectors) {
    if (rule !== undefined) names.add(rule);
    for (const tag of tags) names.add(`${tagPrefix}${tag}`);
    const [, , document = "", scenario = ""] = id.split("/");
    names.add(document === "scenarios" ? scenario : document);
    for (let path = id; path !== "" && !names.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf("/"))))
      names.add(path);
  }
  return [...names];
}
