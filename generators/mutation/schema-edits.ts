import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Keyword, Location, Model, Node } from "../model/model.ts";
import { guardPattern } from "../regex/guard.ts";
import { withKeyword } from "./keyword-change.ts";
import type { Edit } from "./mutant.ts";

/** The schemas that operators add. */
export interface AddedSchema {
  type?: string;
  enum?: Json[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  required?: string[];
  properties?: Record<string, AddedSchema>;
  minItems?: number;
  maxItems?: number;
  items?: AddedSchema;
  not?: AddedSchema;
}

/** Lists the nodes of an added schema at a location, and of the schemas inside it. */
export function nodesOf(extra: AddedSchema, location: Location, resource: string): Node[] {
  const innerNodes: Node[] = [];
  const keywords = Object.entries(extra).map(([name, value]): Keyword => {
    const site = `${location}/${name}`;
    if (name === "type") return { kind: name, site, types: [value as string] };
    if (name === "enum") return { kind: name, site, values: value as Json[] };
    if (name === "pattern") {
      const source = value as string;
      return { kind: name, site, source, regexp: guardPattern(new RegExp(source, "u"), "refuse") };
    }
    if (name === "required") return { kind: name, site, names: value as string[] };
    if (name === "properties") {
      const memberEntries = Object.entries(value as Record<string, AddedSchema>).map(
        ([member, schema]) => [member, pointer.append(site, member), schema] as const,
      );
      for (const [, to, schema] of memberEntries) innerNodes.push(...nodesOf(schema, to, resource));
      return { kind: name, site, entries: memberEntries.map(([member, to]) => [member, to]) };
    }
    if (name === "not" || name === "items") {
      innerNodes.push(...nodesOf(value as AddedSchema, site, resource));
      return name === "not" ? { kind: name, site, node: site } : { kind: name, site, from: 0, node: site };
    }
    return { kind: name as "minimum", site, limit: value as number };
  });
  return [{ location, resource, keywords }, ...innerNodes];
}

/** A changed schema, as edits of the documents and as nodes of the model. */
export interface ChangedSchema {
  edits: Edit[];
  nodes: Node[];
}

/** Adds a constraint to a schema. */
export function strengthen(node: Node, raw: JsonObject, extra: AddedSchema): ChangedSchema {
  return strengthenWith(node, raw, extra as JsonObject, (location) => nodesOf(extra, location, node.resource));
}

/** Like `strengthen`, with any schema as the constraint. `nodesAt` makes its nodes. */
export function strengthenWith(
  node: Node,
  raw: JsonObject,
  extra: JsonObject,
  nodesAt: (location: Location) => Node[],
): ChangedSchema {
  const { site, location, edit } = addBranch(node, raw, extra);
  return { edits: [edit], nodes: [joinBranch(node, site, location), ...nodesAt(location)] };
}

/** Adds an alternative to one keyword of a schema: satisfying `extra` is enough. */
export function loosenKeyword(
  node: Node,
  raw: JsonObject,
  keyword: Keyword,
  extra: AddedSchema,
): ChangedSchema | undefined {
  return loosenWith(node, raw, {
    keyword,
    extra: extra as JsonObject,
    nodesAt: (location) => nodesOf(extra, location, node.resource),
  });
}

/** Like `loosenKeyword`, with any schema as the alternative. `nodesAt` makes its nodes. */
export function loosenWith(
  node: Node,
  raw: JsonObject,
  { keyword, extra, nodesAt }: { keyword: Keyword; extra: JsonObject; nodesAt: (location: Location) => Node[] },
): ChangedSchema | undefined {
  const value = raw[keyword.kind];
  // Keywords that have a different name in an older draft are not supported.
  if (value === undefined || keyword.site !== `${node.location}/${keyword.kind}`) return undefined;
  const { site, location, edit } = addBranch(node, raw, { anyOf: [{ [keyword.kind]: value }, extra] });
  const [kept, added] = [`${location}/anyOf/0`, `${location}/anyOf/1`];
  const { resource } = node;
  return {
    edits: [{ at: keyword.site }, edit],
    nodes: [
      joinBranch(withKeyword(node, keyword), site, location),
      { location, resource, keywords: [{ kind: "anyOf", site: `${location}/anyOf`, nodes: [kept, added] }] },
      { location: kept, resource, keywords: [{ ...keyword, site: `${kept}/${keyword.kind}` }] },
      ...nodesAt(added),
    ],
  };
}

/**
 * Makes an existing schema (`targetSchema` at `target`) an alternative to one keyword. Undefined if that schema leads back to this one, because the
 * recursion would never end.
 */
export function addExistingAlternative(
  model: Model,
  node: Node,
  {
    raw,
    keyword,
    target,
    targetSchema,
  }: { raw: JsonObject; keyword: Keyword; target: Location; targetSchema: JsonObject },
): ChangedSchema | undefined {
  if (leadsTo(model, target, node.location)) return undefined;
  const value = raw[keyword.kind];
  if (value === undefined || isNamed(targetSchema) || keyword.site !== `${node.location}/${keyword.kind}`)
    return undefined;
  const { site, location, edit } = addBranch(node, raw, { anyOf: [{ [keyword.kind]: value }, targetSchema] });
  const kept = `${location}/anyOf/0`;
  const { resource } = node;
  return {
    edits: [{ at: keyword.site }, edit],
    nodes: [
      joinBranch(withKeyword(node, keyword), site, location),
      { location, resource, keywords: [{ kind: "anyOf", site: `${location}/anyOf`, nodes: [kept, target] }] },
      { location: kept, resource, keywords: [{ ...keyword, site: `${kept}/${keyword.kind}` }] },
    ],
  };
}

/** Makes an existing schema (`targetSchema` at `target`) an additional condition. Undefined if that schema has a name or leads back to this one. */
export function addAssertion(
  model: Model,
  node: Node,
  { raw, target, targetSchema }: { raw: JsonObject; target: Location; targetSchema: JsonObject },
): ChangedSchema | undefined {
  if (isNamed(targetSchema) || leadsTo(model, target, node.location)) return undefined;
  const { site, edit } = addBranch(node, raw, targetSchema);
  return { edits: [edit], nodes: [joinBranch(node, site, target)] };
}

/** Whether a schema has a name, which must not occur twice. */
export function isNamed(schema: JsonObject): boolean {
  return ["$id", "$anchor", "$dynamicAnchor"].some((name) => name in schema);
}

/** Whether a schema applies another one to the same value, over any number of steps. */
function leadsTo({ nodes }: Model, from: Location, to: Location): boolean {
  const visited = new Set([from]);
  for (const location of visited)
    for (const keyword of nodes.get(location)?.keywords ?? [])
      if (keyword.kind === "dynamicRef") return true;
      else if (handlerOf(keyword).inPlace === true) for (const child of childrenOf(keyword)) visited.add(child);
  return visited.has(to);
}

/** Adds a branch to `allOf`. */
function addBranch(
  { location }: Node,
  raw: JsonObject,
  branch: JsonObject,
): { site: Location; location: Location; edit: Edit } {
  const branches = Array.isArray(raw.allOf) ? raw.allOf : [];
  const site = `${location}/allOf`;
  return { site, location: `${site}/${branches.length}`, edit: { at: site, value: [...branches, branch] } };
}

function joinBranch(node: Node, site: Location, branch: Location): Node {
  const allOf = node.keywords.find((keyword) => keyword.kind === "allOf");
  if (allOf?.kind === "allOf") return withKeyword(node, allOf, { ...allOf, nodes: [...allOf.nodes, branch] });
  // The new keyword comes first, because `unevaluated*` must come last.
  return { ...node, keywords: [{ kind: "allOf", site, nodes: [branch] }, ...node.keywords] };
}

/** The keywords that stay in a schema when the rest of it becomes a branch. */
const keptMembers: ReadonlySet<string> = new Set(["$schema", "$id", "$defs", "definitions"]);

/**
 * Makes a choice between the schema and another one. Undefined if a reference leads into the schema or to its anchor, because the schema moves to a
 * new location.
 */
export function addAlternative(
  node: Node,
  raw: JsonObject,
  extra: AddedSchema,
  model: Model,
): ChangedSchema | undefined {
  const { location, resource } = node;
  const prefix = `${location}/`;
  const isMoved = (target: Location): boolean =>
    target.startsWith(prefix) && !keptMembers.has(target.slice(prefix.length).split("/")[0] as string);
  if ("$anchor" in raw || "$dynamicAnchor" in raw || targetsOf(model).some(isMoved)) return undefined;
  const movedMembers = Object.fromEntries(Object.entries(raw).filter(([name]) => !keptMembers.has(name)));
  const removals = Object.keys(movedMembers).map((name): Edit => ({ at: pointer.append(location, name) }));
  const anyOf = [movedMembers, extra as JsonObject];
  const isWhole = removals.length === Object.keys(raw).length;
  // The schema may have its own `anyOf`, so another name is used.
  const [original, added] = [`${prefix}either/0`, `${prefix}either/1`];
  return {
    edits: isWhole ? [{ at: location, value: { anyOf } }] : [...removals, { at: `${prefix}anyOf`, value: anyOf }],
    nodes: [
      {
        location,
        resource,
        keywords: [{ kind: "anyOf", site: `${prefix}either`, nodes: [original, added] }],
      },
      { ...node, location: original },
      ...nodesOf(extra, added, resource),
    ],
  };
}

/**
 * For a member that is only a reference: combines its target with another condition, in this member only. Undefined for any other member.
 */
export function combineReference(
  node: Node,
  properties: Extract<Keyword, { kind: "properties" }>,
  { name, location: target, raw }: { name: string; location: Location; raw: JsonObject },
  { combinator, extra }: { combinator: "anyOf" | "allOf"; extra: AddedSchema },
): ChangedSchema | undefined {
  const place = pointer.append(properties.site, name);
  if (place === target) return undefined;
  const site = `${place}/${combinator}`;
  const added = `${site}/1`;
  const { resource } = node;
  const entries = properties.entries.map(([entryName, to]): [string, Location] => [
    entryName,
    entryName === name ? place : to,
  ]);
  return {
    edits: [{ at: place, value: { [combinator]: [raw, extra as JsonObject] } }],
    nodes: [
      withKeyword(node, properties, { ...properties, entries }),
      { location: place, resource, keywords: [{ kind: combinator, site, nodes: [target, added] }] },
      ...nodesOf(extra, added, resource),
    ],
  };
}

const knownTargets = new WeakMap<Model["nodes"], readonly Location[]>();

/** Lists the targets of references. */
function targetsOf({ nodes }: Model): readonly Location[] {
  const cached = knownTargets.get(nodes);
  if (cached !== undefined) return cached;
  const targets = new Set<Location>();
  for (const { keywords } of nodes.values())
    for (const keyword of keywords)
      if (keyword.kind === "ref" || keyword.kind === "dynamicRef") targets.add(keyword.node);
  knownTargets.set(nodes, [...targets]);
  return [...targets];
}

/** Returns the source of a member's schema; undefined if it is not an object. */
export function memberAt(raw: JsonObject, name: string): JsonObject | undefined {
  const { properties } = raw;
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const member = properties[name];
  return isObject(member) ? member : undefined;
}
