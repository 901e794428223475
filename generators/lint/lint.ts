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

/** The facts about a document that are known if its vectors exist. */
type DocumentRecord = Pick<Manifest["documents"][number], "unbroken">;

interface LintOptions {
  known?: DocumentRecord | undefined;
  isLate?: () => boolean;
  /** Whether the author wrote the schema at a location. */
  isWritten?: ((at: Location) => boolean) | undefined;
}

/**
 * Finds unsatisfiable schemas, assertions that refuse nothing, and probable misunderstandings, with proofs or instances. If the document's vectors exist,
 * only its unbroken assertions are examined. When time is up, nothing further is solved. Parts that the author did not write, such as the schema of an HTTP
 * rule, are not reported, and never make the author's parts redundant. A proof that depends on formats says so. Throws a usage error for a schema on which
 * validators do not finish.
 */
export function lint(
  compiled: Model,
  schemas: readonly JsonObject[],
  { known, isLate = () => false, isWritten = () => true }: LintOptions = {},
): LintFinding[] {
  const assertionFindings = lintAssertions(compiled, schemas, { known, isLate, isWritten });
  const qualified = assertionFindings.map((lintFinding) => ({
    ...lintFinding,
    why: qualifyProof(schemas, lintFinding.why),
  }));
  const isProven = ({ kind }: LintFinding): boolean => provenKinds.has(kind);
  if (!hasFormats(compiled) || !qualified.some(isProven) || isLate()) return qualified;
  const keyOf = ({ at, kind }: LintFinding): string => `${kind} ${at}`;
  const findingsWithoutFormats = lintAssertions(withoutFormats(compiled), schemas, { known, isLate, isWritten });
  const provenWithoutFormats = new Set(findingsWithoutFormats.filter(isProven).map(keyOf));
  return qualified.map((lintFinding) =>
    provenWithoutFormats.has(keyOf(lintFinding))
      ? lintFinding
      : { ...lintFinding, why: lintFinding.why.replaceAll(provenNote, byFormats) },
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
/** 2020-12 allows an implementation to ignore formats (Validation 7.2.1). The finding does not apply to it. */
const byFormats = "(proven where formats are asserted)";

/** Examines a schema as if all formats of the model were asserted. */
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
  const isUnsatisfiable = "none" in root;
  const allPlaces = places(model);
  const nodes = nodesOf(model, allPlaces);
  const parts = nodes.slice(0, maxNodes).filter(({ location }) => location !== model.root);
  const unbroken = known && new Set(known.unbroken.flatMap(({ site, kind }) => (kind === "unbreakable" ? [site] : [])));
  const candidates = sites(model).flatMap(({ location }) => (unbroken?.has(location) === false ? [] : [location]));
  // If nothing is valid, every assertion is redundant and every condition unmet.
  const unmet = isUnsatisfiable ? { findings: [], idleBranches: [] } : findUnmetConditions(model, allPlaces, isLate);
  const isInUnmetBranch = (at: Location): boolean => unmet.idleBranches.some((each) => at.startsWith(`${each}/`));
  const findByInstances = (): LintFinding[] => {
    const excluded = findExcludedMembers(model, allPlaces, isLate);
    const isIrrelevant = (at: Location): boolean =>
      isInUnmetBranch(at) || excluded.some((lintFinding) => at.startsWith(`${lintFinding.at}/`));
    return [
      ...unmet.findings,
      ...findRedundant(
        model,
        allPlaces,
        [...candidates.filter(isWritten), ...candidates.filter((candidate) => !isWritten(candidate))],
        isLate,
      ),
      ...findVacuousConditions(model, allPlaces, isLate),
      ...excluded,
    ].filter(({ at, kind }) => kind !== "redundant" || !isIrrelevant(at));
  };
  const findings: LintFinding[] = [
    ...(isUnsatisfiable ? [contradictionFinding(model)] : []),
    ...schemas.flatMap((schema) => [...findMisspelt(model, schema), ...findIgnoredSiblings(schema)]),
    ...parts.flatMap((node) => (isLate() ? [] : findDeadSchema(model, node))),
    ...(isUnsatisfiable ? [] : findByInstances()),
    ...nodes.flatMap((node) => [...findEmptyConditions(model, node), ...findRefusedValues(model, schemas, node)]),
    ...nodes.flatMap(({ keywords }) => keywords.flatMap(findLoosePattern)),
    ...nodes.flatMap((node) => findForeignFormats(schemas, node)),
  ];
  return findings.filter(({ at }) => isWritten(at));
}

/**
 * Finds assertions that refuse nothing, even if all of them are removed together. The last are tried first, because an outer assertion is the simpler one to
 * keep, and removing an entry moves only later ones. A type beside a constant or a list is customary, and informs readers.
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
  const findings: LintFinding[] = [];
  let reduced = model;
  for (const at of [...candidates].reverse()) {
    if (customary.has(at) || isLate() || !isRedundant(reduced, at)) continue;
    const why = explainRedundancy(model, reduced, { at, allPlaces, isLate });
    reduced = withoutSite(reduced, at)?.model ?? reduced;
    findings.unshift({ at, kind: "redundant", why: `${why} (proven)` });
  }
  return findings;
}

/** Explains why an assertion is redundant: nothing breaks it, or other assertions, which are named if possible, refuse the same values. */
function explainRedundancy(
  model: Model,
  rest: Model,
  { at, allPlaces, isLate }: { at: Location; allPlaces: readonly EvaluationPlace[]; isLate: () => boolean },
): string {
  if (refusesNothing(model, at)) return "refuses nothing";
  const reasons = isLate() ? [] : findImplying(rest, at, allPlaces).map((each) => relativeName(each, at));
  if (reasons.length === 0) return "without it the same is refused";
  return `whatever it refuses, ${joinNames(reasons)} ${reasons.length === 1 ? "refuses" : "refuse"} too`;
}

function nodesOf(model: Model, allPlaces: readonly EvaluationPlace[]): Node[] {
  return [...new Set(allPlaces.map(({ node }) => node))].map((location) => nodeAt(model, location));
}

/** Finds keywords beside a `$ref` before 2019-09. The loader moved them to a separate member. */
function findIgnoredSiblings(document: JsonObject): LintFinding[] {
  const findings: LintFinding[] = [];
  const stack: { at: string; value: Json }[] = [{ at: `${identifier(document)}#`, value: document }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { at, value } = entry;
    if (typeof value !== "object" || value === null) continue;
    const siblings = isObject(value) ? value[besideRef] : undefined;
    if (isObject(siblings)) {
      const names = Object.keys(siblings).join(", ");
      const why = `${names} beside a $ref: before 2019-09 it counts for nothing, and validators differ on it`;
      findings.push({ at: pointer.append(at, Object.keys(siblings)[0] as string), kind: "ignored-beside-ref", why });
    }
    for (const [name, each] of Object.entries(value).reverse())
      stack.push({ at: pointer.append(at, name), value: each });
  }
  return findings;
}

/** Finds unknown names that are similar to keywords, and have no effect. Names that are parts of references are not reported. */
function findMisspelt(model: Model, document: JsonObject): LintFinding[] {
  const dialect = dialectOf(document.$schema);
  if (dialect === undefined) return [];
  const referenced = new Set([...model.nodes.keys()].flatMap(prefixesOf));
  const findings: LintFinding[] = [];
  const stack = [{ at: `${identifier(document)}#`, schema: document }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    for (const name of Object.keys(entry.schema)) {
      const at = pointer.append(entry.at, name);
      const suggestion = keywordMeant(name, dialect);
      if (suggestion === undefined || referenced.has(at)) continue;
      const why = `no keyword \`${name}\` in ${dialect.name}; did you mean \`${suggestion}\`?`;
      findings.push({ at, kind: "unknown-keyword", why });
    }
    for (const { path, schema } of [...subschemas(entry.schema, dialect)].reverse())
      if (isObject(schema)) stack.push({ at: `${entry.at}${path}`, schema });
  }
  return findings;
}

/** Lists a location and all locations that contain it. */
function prefixesOf(location: Location): Location[] {
  const prefixes = [location];
  for (let end = location.lastIndexOf("/"); end > location.indexOf("#"); end = location.lastIndexOf("/", end - 1))
    prefixes.push(location.slice(0, end));
  return prefixes;
}

/** Reports a schema that no value fulfils, unless it is plainly `false`. */
function findDeadSchema(model: Model, node: Node): LintFinding[] {
  if (node.always !== undefined || node.keywords.length === 0) return [];
  const why = explainContradiction(model, node.location);
  return why === undefined ? [] : [{ at: node.location, kind: "dead", why: `no value fulfils it${why}` }];
}

function contradictionFinding(model: Model): LintFinding {
  return { at: model.root, kind: "contradiction", why: `no instance is valid${explainContradiction(model) ?? ""}` };
}

function findLoosePattern(keyword: Keyword): LintFinding[] {
  if (keyword.kind !== "pattern") return [];
  const unanchored = [
    ...(keyword.source.startsWith("^") ? [] : ["beginning"]),
    ...(/(?<!\\)\$$/.test(keyword.source) ? [] : ["end"]),
  ];
  if (unanchored.length === 0) return [];
  return [{ at: keyword.site, kind: "loose-pattern", why: `is not anchored at the ${unanchored.join(" and the ")}` }];
}
