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

/** The members of a vector that patterns match. */
type NamedVector = Pick<Vector, "id" | "rule"> &
  Partial<Pick<Vector, "tags" | "site" | "valid">> & { scenario?: Scenario };

/** Known names for patterns. */
export interface SelectBackground {
  rules?: readonly Rule[];
  /** The place of an assertion in a file, if known. */
  sourceOf?: (site: string) => Source | undefined;
  /** What to do if a rule has no vectors; the advice for a run by default. */
  advice?: (rule: Rule) => string | undefined;
}

/** Whether a rule selects a vector. */
type Selects = (vector: NamedVector, rule: Rule) => boolean;

/** The prefix of patterns for tags, and the tag of the quick subset. */
const [tagged, core] = ["tag:", "core"];

/** The vectors, in their order, that match some `only` pattern (all, if there is none) and no `skip` pattern. A pattern is an id; the beginning of a path (with `/` at its end if it is an id as well), with or without the protocol and its version; a rule id (in `only`, this includes vectors that show its breach under another rule); a scenario's own name; an assertion as reports name it; `tag:` and a tag; or a glob over an id, the beginning of a path, or a rule (`*` within a segment, `**` across segments). Throws a usage error if a pattern matches nothing or nothing is left. */
export function select<T extends NamedVector>(
  vectors: readonly T[],
  { only = [], skip = [] }: SelectFilter = {},
  background: SelectBackground = {},
): T[] {
  const isOwn: Selects = ({ rule }, { id }) => rule === id;
  const wanted = only.length === 0 ? new Set(vectors) : selectUnion(vectors, only, background, concerns);
  const unwanted = selectUnion(vectors, skip, background, isOwn);
  const left = vectors.filter((vector) => wanted.has(vector) && !unwanted.has(vector));
  if (left.length === 0) {
    throw new TouchstoneError("usage", "no vectors are selected", {
      hint: `--skip ${skip.join(" --skip ")} excludes all ${wanted.size} selected vectors`,
    });
  }
  return left;
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
  given: string,
  { rules = [], sourceOf = () => undefined, advice = adviceOfRuns }: SelectBackground,
  selects: Selects,
): T[] {
  const pattern = currentId(given);
  // An id means one vector, even if other ids begin with it: a failure is repeated by its id.
  const exact = vectors.filter(({ id }) => id === pattern);
  if (exact.length > 0) return exact;
  if (pattern.startsWith(tagged)) {
    const tag = pattern.slice(tagged.length);
    const played = tag === core ? coreScenarios(vectors) : [];
    const having = [...vectors.filter(({ tags = [] }) => tags.includes(tag)), ...played];
    if (having.length > 0) return having;
  }
  const named = rules.find(({ id }) => id === pattern);
  const ofRule = named === undefined ? [] : vectors.filter((vector) => selects(vector, named));
  if (ofRule.length > 0) return ofRule;
  const literal = vectors.filter(({ id, rule }) => rule === pattern || isWithin(id, pattern));
  if (literal.length > 0) return literal;
  const unversioned = vectors.filter(({ id }) => {
    const path = id.split("/").slice(2).join("/");
    return path === pattern || isWithin(path, pattern);
  });
  if (unversioned.length > 0) return unversioned;
  const played = vectors.filter(({ id }) => !pattern.includes("/") && id.includes(`/scenarios/${pattern}/`));
  if (played.length > 0) return played;
  const asserting = ofAssertion(vectors, pattern, sourceOf);
  if (asserting.length > 0) return asserting;
  if (/[*?[{]/.test(pattern)) {
    // A glob that matches a folder means its content, as a path to one does.
    for (const glob of [pattern, `${pattern.replace(/\/$/, "")}/**`]) {
      const matches = picomatch(glob, { dot: true, nonegate: true, noextglob: true });
      const found = vectors.filter(({ id, rule }) => matches(id) || (rule !== undefined && matches(rule)));
      if (found.length > 0) return found;
    }
  }
  if (named !== undefined) throw nothingOf(named, advice(named), vectors);
  const ofScenarios = vectors.filter(({ id }) => id.includes("/scenarios/"));
  const others = ofScenarios.length < vectors.length ? ["vectors"] : [];
  const what = [...others, ...(ofScenarios.length === 0 ? [] : ["results of scenarios"])].join(" and ");
  const near = pattern.startsWith(scenarios)
    ? globsWith(ofScenarios, pattern.slice(scenarios.length))
    : globsWith(vectors, pattern);
  const meant = nearOnLine(vectors, pattern, sourceOf) ?? near ?? nearestName(pattern, names(vectors));
  throw new TouchstoneError("usage", `the pattern "${pattern}" matches none of ${vectors.length} ${what}`, {
    hint: `${meant}ids look like ${vectors[0]?.id ?? "PROTOCOL/VERSION/DOCUMENT/KIND/NAME"}`,
  });
}

/** The prefix of patterns for scenarios, without the protocol and its version. */
const scenarios = "scenarios/";

/** Why no result of a rule can be selected, in the words of its status. */
function nothingOf({ id, status }: Rule, advice: string | undefined, vectors: readonly NamedVector[]): TouchstoneError {
  if ("untested" in status) return new TouchstoneError("usage", `${id} is untested: ${status.untested}`);
  if ("planned" in status) return new TouchstoneError("usage", `${id} is not tested yet: ${status.planned}`);
  if (status.covered === byAnswers) {
    const documents = new Set(vectors.flatMap((vector) => vector.id.split("/")[2] ?? []));
    const own = [...documents].filter(
      (name) =>
        withoutPunctuation(name.replace(parametersEnd, "")) === withoutPunctuation(id.replace(/-[A-Z]+-\d+$/, "")),
    );
    const all = own.length === 0 ? "leave --only out" : `give --only ${own.join(" --only ")}`;
    return new TouchstoneError("usage", `${id} is tested by ${byAnswers}`, {
      hint: `${all}: it runs with all vectors of its operation`,
    });
  }
  const what = `${status.covered}, and this set has none`;
  return new TouchstoneError("usage", `${id} is tested by ${what}`, {
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
function ofAssertion<T extends NamedVector>(
  vectors: readonly T[],
  pattern: string,
  sourceOf: NonNullable<SelectBackground["sourceOf"]>,
): T[] {
  const sites = new Set(vectors.flatMap(({ site }) => site ?? []));
  const named = new Set([...sites].filter((site) => namesAssertion(pattern, site, sourceOf(site))));
  return vectors.filter(({ site }) => site !== undefined && named.has(site));
}

/** The assertion on the given line that is nearest to a place without one. */
function nearOnLine(
  vectors: readonly NamedVector[],
  pattern: string,
  sourceOf: NonNullable<SelectBackground["sourceOf"]>,
): string | undefined {
  const places = [...new Set(vectors.flatMap(({ site }) => site ?? []))].flatMap((site) => {
    const source = sourceOf(site);
    const columns = source === undefined ? undefined : columnsFrom(pattern, source);
    return source === undefined || columns === undefined ? [] : [{ site, source, away: columns }];
  });
  const [nearest] = places.sort((one, other) => one.away - other.away);
  if (nearest === undefined) return undefined;
  const { site, source } = nearest;
  return `at ${source.file}:${source.line}:${source.column} is ${fragmentIn(site, source)}; `;
}

function isWithin(id: string, path: string): boolean {
  return id.startsWith(path.endsWith("/") ? path : `${path}/`);
}

const maxGlobs = 3;

/** Patterns for ids that contain a word in some part, exact matches first: the most likely meanings. */
function globsWith(vectors: readonly NamedVector[], word: string): string | undefined {
  if (!/^[\w.-]+$/.test(word)) return undefined;
  const globs = new Map<string, boolean>();
  for (const { id } of vectors) {
    const parts = id.split("/");
    parts.forEach((part, index) => {
      if (!/^[\w.-]+$/.test(part) || !part.toLowerCase().includes(word.toLowerCase())) return;
      globs.set(index === parts.length - 1 ? `**/${part}` : `**/${part}/**`, part === word);
    });
  }
  const [whole, others] = [true, false].map((isWhole) => [...globs].filter(([, is]) => is === isWhole));
  const found = [...(whole ?? []), ...(others ?? [])].slice(0, maxGlobs).map(([glob]) => glob);
  return found.length === 0 ? undefined : `${found.join(", ")} would match; `;
}

/** Everything that a pattern without wildcards could have meant: ids, the paths above them, and names of rules, documents and scenarios. */
function names(vectors: readonly NamedVector[]): string[] {
  const all = new Set<string>();
  for (const { id, rule, tags = [] } of vectors) {
    if (rule !== undefined) all.add(rule);
    for (const tag of tags) all.add(`${tagged}${tag}`);
    const [, , document = "", scenario = ""] = id.split("/");
    all.add(document === "scenarios" ? scenario : document);
    for (let path = id; path !== "" && !all.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf("/"))))
      all.add(path);
  }
  return [...all];
}
