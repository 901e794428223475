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
import { addAlternative, type ChangedSchema, loosenKeyword, loosenWith, nodesOf } from "../schema-edits.ts";

const budget = 5000;

/** Nearly every schema refuses at least one of these values. */
const likelyValues: readonly Json[] = [null, 7, "text", true, {}, []];

/** Names of members that hardly any schema declares. */
const undeclaredNames = ["a-first", "b-second", "c-third"];

/** The index of the unchecked one of three items or members. */
const indexHabits: [says: string, index: number][] = [
  ["only the first and the last", 1],
  ["all but the first", 0],
  ["all but the last", 2],
];

/** Mutants in which one item of a list, or one member or name of an object, is not checked. */
export const oneOfManyOperator: Operator = {
  name: "one-of-many",
  *mutate(node, model, raw, { dialect }) {
    for (const keyword of node.keywords) {
      const [checkedParts, wrongAt] = wrongValueMaker(node, model, keyword);
      if (wrongAt === undefined) continue;
      for (const [says, index] of indexHabits) {
        const wrongValue = wrongAt(index);
        if (holdsAt(model, node.location, wrongValue)) continue;
        const changed = acceptWrongValue(node, raw, { keyword, model, dialect, wrongValue, index });
        if (changed !== undefined)
          yield {
            effect: "weaker",
            isFineGrained: true,
            isTriedEarly: true,
            needsOneKill: true,
            site: keyword.site,
            keyword: keyword.kind,
            says: `of three ${checkedParts}, ${says} are checked`,
            ...changed,
          };
      }
    }
  },
};

/** Returns the schema that also accepts a value that is wrong at the index. */
function acceptWrongValue(
  node: Node,
  raw: JsonObject,
  {
    keyword,
    model,
    dialect,
    wrongValue,
    index,
  }: { keyword: Keyword; model: Model; dialect: string; wrongValue: Json; index: number },
): ChangedSchema | undefined {
  if (keyword.kind === "items") return skipItem(node, raw, { keyword, dialect, wrong: wrongValue as Json[], index });
  if (keyword.kind === "propertyNames") return loosenKeyword(node, raw, keyword, { enum: [wrongValue] });
  return addAlternative(node, raw, { enum: [wrongValue] }, model);
}

/** Returns the schema that also accepts three items if only the one at the index is wrong. */
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
  const wrongItem = { enum: [wrong[index] as Json] };
  const isNamed = /"\$(?:id|anchor|dynamicAnchor)"/.test(JSON.stringify(raw.items));
  // Older drafts lack `prefixItems`, and a copy must not have the names of the original.
  if (isNamed || (dialect !== "" && !dialect.includes("2020-12")))
    return loosenKeyword(node, raw, keyword, { enum: [[...wrong]] });
  const threeItems = { minItems: wrong.length, maxItems: wrong.length };
  const itemSchemas = wrong.map((_, position) => (position === index ? wrongItem : (raw.items as Json)));
  return loosenWith(node, raw, {
    keyword,
    extra: { ...threeItems, prefixItems: itemSchemas },
    nodesAt: (location) => {
      const [{ keywords: counts }] = nodesOf(threeItems, location, node.resource) as [Node];
      const site = `${location}/prefixItems`;
      const nodes = wrong.map((_, position) => (position === index ? `${site}/${position}` : keyword.node));
      return [
        { location, resource: node.resource, keywords: [...counts, { kind: "prefixItems", site, nodes }] },
        ...nodesOf(wrongItem, `${site}/${index}`, node.resource),
      ];
    },
  });
}

/** Makes a value that is wrong at one of three positions. */
type WrongAt = (index: number) => Json;

/** Returns the plural noun for the parts that a keyword checks, and the maker of their wrong values, if there is one. */
function wrongValueMaker(node: Node, model: Model, keyword: Keyword): [checkedParts: string, WrongAt | undefined] {
  switch (keyword.kind) {
    case "items":
      return ["items", keyword.from === 0 ? wrongList(node, model, keyword.node) : undefined];
    case "propertyNames":
      return ["names", wrongNames(node, model, keyword)];
    case "additionalProperties":
      return ["members", wrongObject(node, model, { memberSchema: keyword.node, names: undeclaredNames })];
    case "patternProperties": {
      const [entry] = keyword.entries;
      return ["members", wrongObject(node, model, { memberSchema: entry?.[2], names: namesOf(entry) })];
    }
    default:
      return ["", undefined];
  }
}

function wrongList(node: Node, model: Model, item: Location): WrongAt | undefined {
  const candidates = model.asText === true ? [...nonEmptyTexts, ...likelyValues] : likelyValues;
  const wrongItem = candidates.find((value) => !holdsAt(model, item, value));
  const hasThreeItems = ofArrays((array) => {
    array.min = Math.max(array.min, 3);
    array.max = Math.min(array.max, 3);
  });
  const list = wrongItem === undefined ? undefined : findValue(model, node.location, hasThreeItems);
  return Array.isArray(list) && wrongItem !== undefined ? (index) => list.with(index, wrongItem) : undefined;
}

function wrongObject(
  node: Node,
  model: Model,
  { memberSchema, names }: { memberSchema: Location | undefined; names: readonly string[] },
): WrongAt | undefined {
  if (memberSchema === undefined || names.length < 3) return undefined;
  const wrongValue = likelyValues.find((value) => !holdsAt(model, memberSchema, value));
  const validValue = wrongValue === undefined ? undefined : findValue(model, memberSchema);
  const base = validValue === undefined ? undefined : findValue(model, node.location);
  if (wrongValue === undefined || validValue === undefined || !isObject(base)) return undefined;
  const makeObject = (index?: number): JsonObject => ({
    ...base,
    ...Object.fromEntries(names.map((name, position) => [name, position === index ? wrongValue : validValue])),
  });
  return holdsAt(model, node.location, makeObject()) ? makeObject : undefined;
}

/** Names that hardly any `propertyNames` allows. */
const unlikelyTexts: readonly string[] = ["", "?", "É x", "a-first", "UNLIKELY", `long-${"x".repeat(300)}`];

/** The strings that can be the value of a request parameter. */
const nonEmptyTexts = unlikelyTexts.filter((text) => text !== "");

function wrongNames(node: Node, model: Model, keyword: KeywordOf<"propertyNames">): WrongAt | undefined {
  const hasThreeMembers = ofObjects((object) => {
    object.min = Math.max(object.min, 3);
    object.max = Math.min(object.max, 3);
  });
  const validObject = findValue(model, node.location, hasThreeMembers);
  if (!isObject(validObject)) return undefined;
  const members = Object.entries(validObject);
  const relaxedModel = { ...model, nodes: new Map(model.nodes).set(node.location, withKeyword(node, keyword)) };
  const renameMember = (newName: string, index: number): JsonObject =>
    Object.fromEntries(members.map(([name, value], position) => [position === index ? newName : name, value]));
  const isOnlyFault = (newName: string, index: number): boolean =>
    Object.keys(renameMember(newName, index))[index] === newName &&
    holdsAt(relaxedModel, node.location, renameMember(newName, index));
  const wrongName = unlikelyTexts.find(
    (name) => !holdsAt(model, keyword.node, name) && indexHabits.every(([, index]) => isOnlyFault(name, index)),
  );
  return wrongName === undefined ? undefined : (index) => renameMember(wrongName, index);
}

/** Lists three names that match a pattern, if that many are known. */
function namesOf(entry: KeywordOf<"patternProperties">["entries"][number] | undefined): string[] {
  if (entry === undefined) return [];
  const [source, regexp] = entry;
  const longerNames = undeclaredNames.map((text) => `${shortestOf(source) ?? ""}${text}`);
  return [...new Set([...endTexts(source), ...longerNames])].filter((name) => regexp.test(name)).slice(0, 3);
}

/** Finds a value of a schema. Cached results of earlier searches must not influence it, because mutants are made again to count kills. */
function findValue({ root, anchors, nodes }: Model, location: Location, ...constraints: Formula[]): Json | undefined {
  const freshModel: Model = { root, anchors, nodes: new Map(nodes) };
  const isValidHere: Formula = { op: "schema", node: location, sign: true, scope: {} };
  for (const solution of solutions(freshModel, [isValidHere, ...constraints], { limit: 1, budget }))
    if ("found" in solution) return solution.found;
  return undefined;
}
