import {
  dialectOf,
  isObject,
  type JsonObject,
  keywordMeant,
  type Manifest,
  pointer,
  subschemas,
} from "../schemas/index.ts";
import { identifier } from "./compile/compile.ts";
import { unbreakable } from "./drafts/plant.ts";
import { places } from "./evaluate/places.ts";
import { type Keyword, type Location, type Model, type Node, nodeAt } from "./model/model.ts";
import { solve } from "./solve/solve.ts";

/** Something in a schema that its author will want to look at. */
export interface LintFinding {
  at: Location;
  kind: "contradiction" | "dead" | "redundant" | "careless-condition" | "loose-pattern" | "unknown-keyword";
  why: string;
}

/** In a schema of more parts the outermost are looked at. */
const mostNodes = 2000;

/**
 * What making vectors shows of a schema: what nothing can fulfil, what nothing can break, and what is easily meant otherwise. Once it
 * is late, nothing further is solved.
 */
export function lint(
  model: Model,
  schemas: readonly JsonObject[],
  { unbroken }: Pick<Manifest["documents"][number], "unbroken">,
  isLate: () => boolean = () => false,
): LintFinding[] {
  const root = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  if ("none" in root) return [{ at: model.root, kind: "contradiction", why: "no instance is valid" }];
  const nodes = [...new Set(places(model).map(({ node }) => node))].map((location) => nodeAt(model, location));
  return [
    ...schemas.flatMap((schema) => misspelt(model, schema)),
    ...nodes.slice(0, mostNodes).flatMap((node) => (isLate() ? [] : dead(model, node))),
    ...unbroken
      .filter(({ why }) => why === unbreakable)
      .map(
        ({ site }): LintFinding => ({
          at: site,
          kind: "redundant",
          why: "whatever it refuses, something else refuses too",
        }),
      ),
    ...nodes.flatMap(({ keywords }) => keywords.flatMap((keyword) => [...careless(model, keyword), ...loose(keyword)])),
  ];
}

/** Names that are no keywords, so that nothing comes of them, and nearly are. Not those by which references lead to schemas. */
function misspelt(model: Model, document: JsonObject): LintFinding[] {
  const dialect = dialectOf(document.$schema);
  if (dialect === undefined) return [];
  const led = new Set([...model.nodes.keys()].flatMap(prefixesOf));
  const found: LintFinding[] = [];
  const open = [{ at: `${identifier(document)}#`, schema: document }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of Object.keys(next.schema)) {
      const at = pointer.append(next.at, name);
      const meant = keywordMeant(name, dialect);
      if (meant === undefined || led.has(at)) continue;
      const why = `no keyword \`${name}\` in ${dialect.name}; did you mean \`${meant}\`?`;
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

/** A schema that no value fulfils, though it does not say so. */
function dead(model: Model, node: Node): LintFinding[] {
  if (node.always !== undefined || node.keywords.length === 0) return [];
  const solution = solve(model, [{ op: "schema", node: node.location, sign: true, scope: {} }], { budget: 20_000 });
  return "none" in solution ? [{ at: node.location, kind: "dead", why: "no value fulfils it" }] : [];
}

/** A condition on members that it does not require holds for every object without them. */
function careless(model: Model, keyword: Keyword): LintFinding[] {
  if (keyword.kind !== "if") return [];
  const { keywords } = nodeAt(model, keyword.condition);
  const required = keywords.flatMap((each) => (each.kind === "required" ? each.names : []));
  const missing = keywords
    .flatMap((each) => (each.kind === "properties" ? each.entries.map(([name]) => name) : []))
    .filter((name) => !required.includes(name));
  if (missing.length === 0) return [];
  return [
    {
      at: keyword.site,
      kind: "careless-condition",
      why: `is also met without ${missing.join(", ")}, which it does not require`,
    },
  ];
}

function loose(keyword: Keyword): LintFinding[] {
  if (keyword.kind !== "pattern") return [];
  const open = [
    ...(keyword.source.startsWith("^") ? [] : ["beginning"]),
    ...(/(?<!\\)\$$/.test(keyword.source) ? [] : ["end"]),
  ];
  if (open.length === 0) return [];
  return [{ at: keyword.site, kind: "loose-pattern", why: `is not anchored at the ${open.join(" and the ")}` }];
}
