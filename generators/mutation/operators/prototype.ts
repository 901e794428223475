import { isObject, type JsonObject } from "../../../schemas/index.ts";
import type { KeywordOf, Model, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

/** Names that every object inherits in JavaScript, where objects are also used as maps. */
const inheritedNames = ["constructor", "toString", "hasOwnProperty", "valueOf"];

/** Mutants of code that looks up names in an object, where inherited members are also found. */
export const prototypeOperator: Operator = {
  name: "object-prototype",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind === "enum") yield* enumMutants(node, raw, keyword);
      if (keyword.kind === "additionalProperties") yield* additionalMutants(node, raw, keyword);
      if (keyword.kind === "properties") yield* memberMutants(node, raw, { keyword, model });
    }
  },
};

function* enumMutants(node: Node, raw: JsonObject, keyword: KeywordOf<"enum">): Iterable<UnnamedMutant> {
  if (!keyword.values.some((value) => typeof value === "string")) return;
  const changed = loosenKeyword(node, raw, keyword, { enum: [...inheritedNames, "__proto__"] });
  if (changed !== undefined)
    yield { effect: "weaker", site: keyword.site, keyword: "enum", says: '"constructor" is allowed too', ...changed };
}

function* additionalMutants(
  node: Node,
  raw: JsonObject,
  keyword: KeywordOf<"additionalProperties">,
): Iterable<UnnamedMutant> {
  if (!isObject(raw.additionalProperties)) return;
  for (const name of ["constructor", "__proto__"].filter((memberName) => !keyword.names.includes(memberName)))
    yield {
      effect: "weaker",
      isFineGrained: true,
      site: keyword.site,
      keyword: "additionalProperties",
      says: `the value of a member ${name === "__proto__" ? "`__proto__`" : name} is not checked`,
      edits: [{ at: `${node.location}/patternProperties`, value: { ...patternsIn(raw), [`^${name}$`]: {} } }],
      nodes: [withKeyword(node, keyword, { ...keyword, names: [...keyword.names, name] })],
    };
}

function* memberMutants(
  node: Node,
  raw: JsonObject,
  { keyword, model }: { keyword: KeywordOf<"properties">; model: Model },
): Iterable<UnnamedMutant> {
  const additional = node.keywords.find((candidate) => candidate.kind === "additionalProperties");
  if (additional === undefined)
    yield {
      effect: "stronger",
      site: keyword.site,
      keyword: "properties",
      says: "a member constructor is refused",
      ...strengthen(node, raw, { not: { required: ["constructor"] } }),
    };
  if (additional?.kind !== "additionalProperties" || model.nodes.get(additional.node)?.always !== false) return;
  const memberSchemas = raw.properties as JsonObject;
  const addedNames = inheritedNames.filter((name) => !additional.names.includes(name));
  yield {
    effect: "weaker",
    site: additional.site,
    keyword: "additionalProperties",
    says: "a member constructor is allowed too",
    edits: [
      { at: keyword.site, value: { ...memberSchemas, ...Object.fromEntries(addedNames.map((name) => [name, {}])) } },
    ],
    nodes: [withKeyword(node, additional, { ...additional, names: [...additional.names, ...addedNames] })],
  };
  if (additional.names.includes("__proto__")) return;
  yield {
    effect: "weaker",
    isFineGrained: true,
    site: additional.site,
    keyword: "additionalProperties",
    says: "a member `__proto__` is allowed too",
    edits: [{ at: `${node.location}/patternProperties`, value: { ...patternsIn(raw), "^__proto__$": {} } }],
    nodes: [withKeyword(node, additional, { ...additional, names: [...additional.names, "__proto__"] })],
  };
}

function patternsIn({ patternProperties }: JsonObject): JsonObject {
  return isObject(patternProperties) ? patternProperties : {};
}
