import { isObject, type JsonObject } from "../../../schemas/index.ts";
import type { KeywordOf, Model, Node } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { FoundMutant, Operator } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

/** Names that every object has in a language that also uses objects as tables. */
const names = ["constructor", "toString", "hasOwnProperty", "valueOf"];

/** Names that are looked up in an object, which also finds inherited members. */
export const prototype: Operator = {
  name: "object-prototype",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind === "enum") yield* enumMutants(node, raw, keyword);
      if (keyword.kind === "additionalProperties") yield* additionalMutants(node, raw, keyword);
      if (keyword.kind === "properties") yield* memberMutants(node, raw, { keyword, model });
    }
  },
};

function* enumMutants(node: Node, raw: JsonObject, keyword: KeywordOf<"enum">): Iterable<FoundMutant> {
  if (!keyword.values.some((value) => typeof value === "string")) return;
  const changed = loosenKeyword(node, raw, keyword, { enum: [...names, "__proto__"] });
  if (changed !== undefined)
    yield { effect: "weaker", site: keyword.site, keyword: "enum", says: '"constructor" is allowed too', ...changed };
}

function* additionalMutants(
  node: Node,
  raw: JsonObject,
  keyword: KeywordOf<"additionalProperties">,
): Iterable<FoundMutant> {
  if (!isObject(raw.additionalProperties)) return;
  for (const name of ["constructor", "__proto__"].filter((each) => !keyword.names.includes(each)))
    yield {
      effect: "weaker",
      fine: true,
      site: keyword.site,
      keyword: "additionalProperties",
      says: `the value of a member ${name === "__proto__" ? "`__proto__`" : name} is not checked`,
      edits: [{ at: `${node.location}/patternProperties`, value: { ...patterns(raw), [`^${name}$`]: {} } }],
      nodes: [withKeyword(node, keyword, { ...keyword, names: [...keyword.names, name] })],
    };
}

function* memberMutants(
  node: Node,
  raw: JsonObject,
  { keyword, model }: { keyword: KeywordOf<"properties">; model: Model },
): Iterable<FoundMutant> {
  const closing = node.keywords.find((each) => each.kind === "additionalProperties");
  if (closing === undefined)
    yield {
      effect: "stronger",
      site: keyword.site,
      keyword: "properties",
      says: "a member constructor is refused",
      ...strengthen(node, raw, { not: { required: ["constructor"] } }),
    };
  if (closing?.kind !== "additionalProperties" || model.nodes.get(closing.node)?.always !== false) return;
  const own = raw.properties as JsonObject;
  const more = names.filter((name) => !closing.names.includes(name));
  yield {
    effect: "weaker",
    site: closing.site,
    keyword: "additionalProperties",
    says: "a member constructor is allowed too",
    edits: [{ at: keyword.site, value: { ...own, ...Object.fromEntries(more.map((name) => [name, {}])) } }],
    nodes: [withKeyword(node, closing, { ...closing, names: [...closing.names, ...more] })],
  };
  if (closing.names.includes("__proto__")) return;
  yield {
    effect: "weaker",
    fine: true,
    site: closing.site,
    keyword: "additionalProperties",
    says: "a member `__proto__` is allowed too",
    edits: [{ at: `${node.location}/patternProperties`, value: { ...patterns(raw), "^__proto__$": {} } }],
    nodes: [withKeyword(node, closing, { ...closing, names: [...closing.names, "__proto__"] })],
  };
}

function patterns({ patternProperties }: JsonObject): JsonObject {
  return isObject(patternProperties) ? patternProperties : {};
}
