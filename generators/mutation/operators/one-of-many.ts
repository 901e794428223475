import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { ofArrays, ofObjects } from "../../formulas/facets.ts";
import type { Formula } from "../../formulas/formula.ts";
import type { Keyword, KeywordOf, Location, Model, Node } from "../../model/model.ts";
import { endTexts } from "../../regex/end-texts.ts";
import { shortestOf } from "../../regex/near-misses.ts";
import { solutions } from "../../solve/solve.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";
import { addAlternative, type ChangedSchema, loosenBy, loosenKeyword, nodesOf } from "../schema-edits.ts";

const budget = 5000;

/** Values with a wrong one for every schema that does not allow everything. */
const likelyValues: readonly Json[] = [null, 7, "text", true, {}, []];

/** Names of members that hardly any schema declares. */
const strangeNames = ["a-first", "b-second", "c-third"];

/** Which one of three items or members is not checked. */
const indexHabits: [says: string, index: number][] = [
  ["only the first and the last", 1],
  ["all but the first", 0],
  ["all but the last", 2],
];

/** A list with one unchecked item, or an object with one unchecked member or name. */
export const oneOfMany: Operator = {
  name: "one-of-many",
  *mutate(node, model, raw, { dialect }) {
    for (const keyword of node.keywords) {
      const [word, three] =
        keyword.kind === "items" && keyword.from === 0
          ? ["items", wrongList(node, model, keyword.node)]
          : keyword.kind === "propertyNames"
            ? ["names", wrongNames(node, model, keyword)]
            : keyword.kind === "additionalProperties" || keyword.kind === "patternProperties"
              ? ["members", wrongObject(node, model, keyword)]
              : ["", undefined];
      if (three === undefined) continue;
      for (const [says, index] of indexHabits) {
        const wrong = three(index);
        if (holdsAt(model, node.location, wrong)) continue;
        const changed =
          keyword.kind === "items"
            ? skipItem(node, raw, { keyword, dialect, wrong: wrong as Json[], index })
            : keyword.kind === "propertyNames"
              ? loosenKeyword(node, raw, keyword, { enum: [wrong] })
              : addAlternative(node, raw, { enum: [wrong] }, model);
        if (changed !== undefined)
          yield {
            effect: "weaker",
            fine: true,
            soon: true,
            single: true,
            site: keyword.site,
            keyword: keyword.kind,
            says: `of three ${word}, ${says} are checked`,
            ...changed,
          };
      }
    }
  },
};

/** The schema that accepts three items with one wrong value if the others are right. */
function skipItem(
  node: Node,
  raw: JsonObject,
  {
    keyword,
    dialect,
    wrong,
    index,
  }: { keyword: KeywordOf<"items">; dialect: string; wrong: readonly Json[]; index: number },
): ChangedSchema | undefined {
  const bad = { enum: [wrong[index] as Json] };
  const isNamed = /"\$(?:id|anchor|dynamicAnchor)"/.test(JSON.stringify(raw.items));
  // Older drafts use other keywords for this, and a copy must not have the names of the original.
  if (isNamed || (dialect !== "" && !dialect.includes("2020-12")))
    return loosenKeyword(node, raw, keyword, { enum: [[...wrong]] });
  const three = { minItems: wrong.length, maxItems: wrong.length };
  const written = wrong.map((_, each) => (each === index ? bad : (raw.items as Json)));
  return loosenBy(node, raw, {
    keyword,
    extra: { ...three, prefixItems: written },
    nodesAt: (location) => {
      const [{ keywords: counts }] = nodesOf(three, location, node.resource) as [Node];
      const site = `${location}/prefixItems`;
      const nodes = wrong.map((_, each) => (each === index ? `${site}/${each}` : keyword.node));
      return [
        { location, resource: node.resource, keywords: [...counts, { kind: "prefixItems", site, nodes }] },
        ...nodesOf(bad, `${site}/${index}`, node.resource),
      ];
    },
  });
}

/** A value with something wrong at one of three positions. */
type WrongAt = (index: number) => Json;

function wrongList(node: Node, model: Model, item: Location): WrongAt | undefined {
  const some = model.asText === true ? [...nonEmptyTexts, ...likelyValues] : likelyValues;
  const bad = some.find((value) => !holdsAt(model, item, value));
  const three = ofArrays((array) => {
    array.min = Math.max(array.min, 3);
    array.max = Math.min(array.max, 3);
  });
  const list = bad === undefined ? undefined : findValue(model, node.location, three);
  return Array.isArray(list) && bad !== undefined ? (index) => list.with(index, bad) : undefined;
}

function wrongObject(node: Node, model: Model, keyword: Keyword): WrongAt | undefined {
  const [to, names] =
    keyword.kind === "patternProperties"
      ? [keyword.entries[0]?.[2], namesOf(keyword.entries[0])]
      : keyword.kind === "additionalProperties"
        ? [keyword.node, strangeNames]
        : [undefined, []];
  if (to === undefined || names.length < 3) return undefined;
  const bad = likelyValues.find((value) => !holdsAt(model, to, value));
  const good = bad === undefined ? undefined : findValue(model, to);
  const base = good === undefined ? undefined : findValue(model, node.location);
  if (bad === undefined || good === undefined || !isObject(base)) return undefined;
  const makeObject = (index?: number): JsonObject => ({
    ...base,
    ...Object.fromEntries(names.map((name, each) => [name, each === index ? bad : good])),
  });
  return holdsAt(model, node.location, makeObject()) ? makeObject : undefined;
}

/** Names that hardly any schema for names allows, and some that few do. */
const unlikelyTexts: readonly string[] = ["", "?", "É x", "a-first", "UNLIKELY", `long-${"x".repeat(300)}`];

/** The texts that a request can contain as the value of a parameter. */
const nonEmptyTexts = unlikelyTexts.filter((text) => text !== "");

function wrongNames(node: Node, model: Model, keyword: KeywordOf<"propertyNames">): WrongAt | undefined {
  const three = ofObjects((object) => {
    object.min = Math.max(object.min, 3);
    object.max = Math.min(object.max, 3);
  });
  const good = findValue(model, node.location, three);
  if (!isObject(good)) return undefined;
  const all = Object.entries(good);
  const others = { ...model, nodes: new Map(model.nodes).set(node.location, withKeyword(node, keyword)) };
  const renameMember = (bad: string, index: number): JsonObject =>
    Object.fromEntries(all.map(([name, value], each) => [each === index ? bad : name, value]));
  const isWrong = (bad: string, index: number): boolean =>
    Object.keys(renameMember(bad, index))[index] === bad && holdsAt(others, node.location, renameMember(bad, index));
  const bad = unlikelyTexts.find(
    (name) => !holdsAt(model, keyword.node, name) && indexHabits.every(([, index]) => isWrong(name, index)),
  );
  return bad === undefined ? undefined : (index) => renameMember(bad, index);
}

/** Three names that match a pattern, if that many are known. */
function namesOf(entry: KeywordOf<"patternProperties">["entries"][number] | undefined): string[] {
  if (entry === undefined) return [];
  const [source, regexp] = entry;
  const longer = strangeNames.map((text) => `${shortestOf(source) ?? ""}${text}`);
  return [...new Set([...endTexts(source), ...longer])].filter((name) => regexp.test(name)).slice(0, 3);
}

/** A value of a schema, regardless of earlier searches in the model, because mutants are made again to count kills. */
function findValue({ root, anchors, nodes }: Model, location: Location, ...more: Formula[]): Json | undefined {
  const fresh: Model = { root, anchors, nodes: new Map(nodes) };
  const here: Formula = { op: "schema", node: location, sign: true, scope: {} };
  for (const solution of solutions(fresh, [here, ...more], { limit: 1, budget }))
    if ("found" in solution) return solution.found;
  return undefined;
}
