import {
  besideRef,
  dialectOf,
  isObject,
  type Json,
  type JsonObject,
  keywordMeant,
  type Manifest,
  pointer,
  subschemas,
} from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";
import { hasFormats } from "../evaluate/doubts.ts";
import { refuseFanOut } from "../evaluate/fan-out.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { withoutFormats, withoutSite } from "../evaluate/reduced-model.ts";
import { sites } from "../evaluate/sites.ts";
import { Effort } from "../model/effort.ts";
import { type Keyword, type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { isRedundant } from "../mutation/redundancy.ts";
import { solve } from "../solve/solve.ts";
import { findExcludedMembers } from "./excluded-members.ts";
import { explainContradiction, qualifyProof } from "./exclusion.ts";
import type { LintFinding } from "./finding.ts";
import { findForeignFormats } from "./foreign-format.ts";
import { findImplying } from "./implied-keywords.ts";
import { withOpenDefinitions } from "./open-places.ts";
import { findEmptyConditions, findRefusedValues } from "./own-values.ts";
import { joinNames, relativeName } from "./relative-names.ts";
import { refusesNothing } from "./unbreakable.ts";
import { findUnmetConditions } from "./unmet-conditions.ts";
import { findVacuousConditions } from "./vacuous.ts";

/** In a schema with more parts, only the outermost are examined. */
const maxNodes = 2000;

/** The known facts about a document from making its vectors. */
type DocumentRecord = Pick<Manifest["documents"][number], "unbroken">;

interface LintOptions {
  known?: DocumentRecord | undefined;
  isLate?: () => boolean;
  /** Whether the author wrote the schema at a location. */
  isWritten?: ((at: Location) => boolean) | undefined;
}

/**
 * Unsatisfiable schemas, assertions that refuse nothing, and probable misunderstandings, each with a proof or an instance. If the document's vectors were
 * made, only its unbroken assertions are examined. When time is up, nothing further is solved. Parts that the author did not write, such as the schema of a
 * rule of HTTP, are not reported, and never make the author's own parts redundant. A proof that depends on formats says so. Throws a usage error for a schema
 * on which no validator finishes.
 */
export function lint(
  compiled: Model,
  schemas: readonly JsonObject[],
  { known, isLate = () => false, isWritten = () => true }: LintOptions = {},
): LintFinding[] {
  const all = lintAssertions(compiled, schemas, { known, isLate, isWritten });
  const found = all.map((lintFinding) => ({ ...lintFinding, why: qualifyProof(schemas, lintFinding.why) }));
  const isProven = ({ kind }: LintFinding): boolean => provenKinds.has(kind);
  if (!hasFormats(compiled) || !found.some(isProven) || isLate()) return found;
  const keyOf = ({ at, kind }: LintFinding): string => `${kind} ${at}`;
  const ignored = lintAssertions(withoutFormats(compiled), schemas, { known, isLate, isWritten });
  const provenWithoutFormats = new Set(ignored.filter(isProven).map(keyOf));
  return found.map((each) =>
    provenWithoutFormats.has(keyOf(each)) ? each : { ...each, why: each.why.replaceAll(provenNote, byFormats) },
  );
}

/** Findings of these kinds are proven. Others show an instance, or are probable misunderstandings. */
const provenKinds: ReadonlySet<LintFinding["kind"]> = new Set([
  "contradiction",
  "dead",
  "redundant",
  "closed-out",
] as const);
const provenNote = "(proven)";
/** 2020-12 lets an implementation ignore formats (Validation 7.2.1). The finding does not hold for it. */
const byFormats = "(proven where formats are asserted)";

/** The findings if all formats of the model are asserted. */
function lintAssertions(
  compiled: Model,
  schemas: readonly JsonObject[],
  {
    known,
    isLate,
    isWritten,
  }: { known: DocumentRecord | undefined; isLate: () => boolean; isWritten: (at: Location) => boolean },
): LintFinding[] {
  refuseFanOut(compiled);
  const model: Model = { ...withOpenDefinitions(compiled), effort: new Effort(Number.POSITIVE_INFINITY, isLate) };
  const root = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  const isNone = "none" in root;
  const allPlaces = places(model);
  const nodes = nodesOf(model, allPlaces);
  const parts = nodes.slice(0, maxNodes).filter(({ location }) => location !== model.root);
  const unbroken = known && new Set(known.unbroken.flatMap(({ site, kind }) => (kind === "unbreakable" ? [site] : [])));
  const candidates = sites(model).flatMap(({ location }) => (unbroken?.has(location) === false ? [] : [location]));
  // If nothing is valid, every assertion is redundant and every condition unmet.
  const unmet = isNone ? { found: [], idle: [] } : findUnmetConditions(model, allPlaces, isLate);
  const isInUnmetBranch = (at: Location): boolean => unmet.idle.some((each) => at.startsWith(`${each}/`));
  const findByInstances = (): LintFinding[] => {
    const excluded = findExcludedMembers(model, allPlaces, isLate);
    const isNever = (at: Location): boolean =>
      isInUnmetBranch(at) || excluded.some((lintFinding) => at.startsWith(`${lintFinding.at}/`));
    return [
      ...unmet.found,
      ...findRedundant(
        model,
        allPlaces,
        [...candidates.filter(isWritten), ...candidates.filter((candidate) => !isWritten(candidate))],
        isLate,
      ),
      ...findVacuousConditions(model, allPlaces, isLate),
      ...excluded,
    ].filter(({ at, kind }) => kind !== "redundant" || !isNever(at));
  };
  const found: LintFinding[] = [
    ...(isNone ? [contradiction(model)] : []),
    ...schemas.flatMap((schema) => [...findMisspelt(model, schema), ...findIgnored(schema)]),
    ...parts.flatMap((node) => (isLate() ? [] : findDead(model, node))),
    ...(isNone ? [] : findByInstances()),
    ...nodes.flatMap((node) => [...findEmptyConditions(model, node), ...findRefusedValues(model, schemas, node)]),
    ...nodes.flatMap(({ keywords }) => keywords.flatMap(findLoose)),
    ...nodes.flatMap((node) => findForeignFormats(schemas, node)),
  ];
  return found.filter(({ at }) => isWritten(at));
}

/**
 * Assertions that refuse nothing, even after all of them are removed together. The last are tried first: an outer assertion says the same more briefly, and
 * removing an entry moves only later ones. A type beside a constant or a list is common, and informs readers.
 */
function findRedundant(
  model: Model,
  allPlaces: readonly EvaluationPlace[],
  candidates: readonly Location[],
  isLate: () => boolean,
): LintFinding[] {
  const customary = new Set(
    nodesOf(model, allPlaces).flatMap(({ keywords }) =>
      keywords.some(({ kind }) => kind === "const" || kind === "enum")
        ? keywords.flatMap(({ kind, site }) => (kind === "type" ? [site] : []))
        : [],
    ),
  );
  const found: LintFinding[] = [];
  let rest = model;
  for (const at of [...candidates].reverse()) {
    if (customary.has(at) || isLate() || !isRedundant(rest, at)) continue;
    const why = explainRedundancy(model, rest, { at, ways: allPlaces, isLate });
    rest = withoutSite(rest, at)?.model ?? rest;
    found.unshift({ at, kind: "redundant", why: `${why} (proven)` });
  }
  return found;
}

/** Why nothing changes without an assertion: nothing breaks it, or other assertions refuse the same, which are named if possible. */
function explainRedundancy(
  model: Model,
  rest: Model,
  { at, ways, isLate }: { at: Location; ways: readonly EvaluationPlace[]; isLate: () => boolean },
): string {
  if (refusesNothing(model, at)) return "refuses nothing";
  const reasons = isLate() ? [] : findImplying(rest, at, ways).map((each) => relativeName(each, at));
  if (reasons.length === 0) return "without it the same is refused";
  return `whatever it refuses, ${joinNames(reasons)} ${reasons.length === 1 ? "refuses" : "refuse"} too`;
}

function nodesOf(model: Model, allPlaces: readonly EvaluationPlace[]): Node[] {
  return [...new Set(allPlaces.map(({ node }) => node))].map((location) => nodeAt(model, location));
}

/** The keywords beside a `$ref` before 2019-09, which were set aside when the schema was loaded. */
function findIgnored(document: JsonObject): LintFinding[] {
  const found: LintFinding[] = [];
  const open: { at: string; value: Json }[] = [{ at: `${identifier(document)}#`, value: document }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, value } = next;
    if (typeof value !== "object" || value === null) continue;
    const beside = isObject(value) ? value[besideRef] : undefined;
    if (isObject(beside)) {
      const names = Object.keys(beside).join(", ");
      const why = `${names} beside a $ref: before 2019-09 it counts for nothing, and validators differ on it`;
      found.push({ at: pointer.append(at, Object.keys(beside)[0] as string), kind: "ignored-beside-ref", why });
    }
    for (const [name, each] of Object.entries(value).reverse())
      open.push({ at: pointer.append(at, name), value: each });
  }
  return found;
}

/** Unknown names that are nearly keywords, and so have no effect. Names that are parts of references are left out. */
function findMisspelt(model: Model, document: JsonObject): LintFinding[] {
  const dialect = dialectOf(document.$schema);
  if (dialect === undefined) return [];
  const referenced = new Set([...model.nodes.keys()].flatMap(prefixesOf));
  const found: LintFinding[] = [];
  const open = [{ at: `${identifier(document)}#`, schema: document }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of Object.keys(next.schema)) {
      const at = pointer.append(next.at, name);
      const suggestion = keywordMeant(name, dialect);
      if (suggestion === undefined || referenced.has(at)) continue;
      const why = `no keyword \`${name}\` in ${dialect.name}; did you mean \`${suggestion}\`?`;
      found.push({ at, kind: "unknown-keyword", why });
    }
    for (const { path, schema } of [...subschemas(next.schema, dialect)].reverse())
      if (isObject(schema)) open.push({ at: `${next.at}${path}`, schema });
  }
  return found;
}

/** A location and all those around it. */
function prefixesOf(location: Location): Location[] {
  const found = [location];
  for (let end = location.lastIndexOf("/"); end > location.indexOf("#"); end = location.lastIndexOf("/", end - 1))
    found.push(location.slice(0, end));
  return found;
}

/** A schema that no value fulfils, unless it is plainly `false`. */
function findDead(model: Model, node: Node): LintFinding[] {
  if (node.always !== undefined || node.keywords.length === 0) return [];
  const why = explainContradiction(model, node.location);
  return why === undefined ? [] : [{ at: node.location, kind: "dead", why: `no value fulfils it${why}` }];
}

function contradiction(model: Model): LintFinding {
  return { at: model.root, kind: "contradiction", why: `no instance is valid${explainContradiction(model) ?? ""}` };
}

function findLoose(keyword: Keyword): LintFinding[] {
  if (keyword.kind !== "pattern") return [];
  const unanchored = [
    ...(keyword.source.startsWith("^") ? [] : ["beginning"]),
    ...(/(?<!\\)\$$/.test(keyword.source) ? [] : ["end"]),
  ];
  if (unanchored.length === 0) return [];
  return [{ at: keyword.site, kind: "loose-pattern", why: `is not anchored at the ${unanchored.join(" and the ")}` }];
}
