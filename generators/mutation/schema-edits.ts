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

/** The nodes of an added schema at a location, and of the schemas inside of it. */
export function nodesOf(extra: AddedSchema, location: Location, resource: string): Node[] {
  const inner: Node[] = [];
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
      const members = Object.entries(value as Record<string, AddedSchema>).map(
        ([member, schema]) => [member, pointer.append(site, member), schema] as const,
      );
      for (const [, to, schema] of members) inner.push(...nodesOf(schema, to, resource));
      return { kind: name, site, entries: members.map(([member, to]) => [member, to]) };
    }
    if (name === "not" || name === "items") {
      inner.push(...nodesOf(value as AddedSchema, site, resource));
      return name === "not" ? { kind: name, site, node: site } : { kind: name, site, from: 0, node: site };
    }
    return { kind: name as "minimum", site, limit: value as number };
  });
  return [{ location, resource, keywords }, ...inner];
}

/** A changed schema, as edits of the documents and as nodes of the model. */
export interface ChangedSchema {
  edits: Edit[];
  nodes: Node[];
}

/** The schema with an additional constraint. */
export function strengthen(node: Node, raw: JsonObject, extra: AddedSchema): ChangedSchema {
  return strengthenBy(node, raw, extra as JsonObject, (location) => nodesOf(extra, location, node.resource));
}

/** The same with any schema as the constraint. `nodesAt` makes its nodes. */
export function strengthenBy(
  node: Node,
  raw: JsonObject,
  extra: JsonObject,
  nodesAt: (location: Location) => Node[],
): ChangedSchema {
  const { site, location, edit } = addBranch(node, raw, extra);
  return { edits: [edit], nodes: [joinBranch(node, site, location), ...nodesAt(location)] };
}

/** The schema with an alternative to one keyword: another condition is enough. */
export function loosenKeyword(
  node: Node,
  raw: JsonObject,
  keyword: Keyword,
  extra: AddedSchema,
): ChangedSchema | undefined {
  return loosenBy(node, raw, {
    keyword,
    extra: extra as JsonObject,
    nodesAt: (location) => nodesOf(extra, location, node.resource),
  });
}

/** The same with any schema as the alternative. `nodesAt` makes its nodes. */
export function loosenBy(
  node: Node,
  raw: JsonObject,
  { keyword, extra, nodesAt }: { keyword: Keyword; extra: JsonObject; nodesAt: (location: Location) => Node[] },
): ChangedSchema | undefined {
  const value = raw[keyword.kind];
  // Keywords that an older draft writes in another way are not supported.
  if (value === undefined || keyword.site !== `${node.location}/${keyword.kind}`) return undefined;
  const { site, location, edit } = addBranch(node, raw, { anyOf: [{ [keyword.kind]: value }, extra] });
  const [one, other] = [`${location}/anyOf/0`, `${location}/anyOf/1`];
  const { resource } = node;
  return {
    edits: [{ at: keyword.site }, edit],
    nodes: [
      joinBranch(withKeyword(node, keyword), site, location),
      { location, resource, keywords: [{ kind: "anyOf", site: `${location}/anyOf`, nodes: [one, other] }] },
      { location: one, resource, keywords: [{ ...keyword, site: `${one}/${keyword.kind}` }] },
      ...nodesAt(other),
    ],
  };
}

/**
 * The schema with an existing schema, at `there` and with the text `written`, as an alternative to one keyword. Undefined if that schema leads back to this
 * one, because it would judge the same value without end.
 */
export function addExistingAlternative(
  model: Model,
  node: Node,
  { raw, keyword, there, written }: { raw: JsonObject; keyword: Keyword; there: Location; written: JsonObject },
): ChangedSchema | undefined {
  if (leadsTo(model, there, node.location)) return undefined;
  const value = raw[keyword.kind];
  if (value === undefined || isNamed(written) || keyword.site !== `${node.location}/${keyword.kind}`) return undefined;
  const { site, location, edit } = addBranch(node, raw, { anyOf: [{ [keyword.kind]: value }, written] });
  const one = `${location}/anyOf/0`;
  const { resource } = node;
  return {
    edits: [{ at: keyword.site }, edit],
    nodes: [
      joinBranch(withKeyword(node, keyword), site, location),
      { location, resource, keywords: [{ kind: "anyOf", site: `${location}/anyOf`, nodes: [one, there] }] },
      { location: one, resource, keywords: [{ ...keyword, site: `${one}/${keyword.kind}` }] },
    ],
  };
}

/** The schema with an existing schema, at `there` and with the text `written`, as an additional condition. Undefined if that schema has a name or leads back. */
export function addAssertion(
  model: Model,
  node: Node,
  { raw, there, written }: { raw: JsonObject; there: Location; written: JsonObject },
): ChangedSchema | undefined {
  if (isNamed(written) || leadsTo(model, there, node.location)) return undefined;
  const { site, edit } = addBranch(node, raw, written);
  return { edits: [edit], nodes: [joinBranch(node, site, there)] };
}

/** Whether a schema has a name, which must not occur twice. */
export function isNamed(written: JsonObject): boolean {
  return ["$id", "$anchor", "$dynamicAnchor"].some((name) => name in written);
}

/** Whether a schema leads to another one for the same value, over any number of steps. */
function leadsTo({ nodes }: Model, from: Location, to: Location): boolean {
  const seen = new Set([from]);
  for (const location of seen)
    for (const keyword of nodes.get(location)?.keywords ?? [])
      if (keyword.kind === "dynamicRef") return true;
      else if (handlerOf(keyword).inPlace === true) for (const child of childrenOf(keyword)) seen.add(child);
  return seen.has(to);
}

/** Adds a branch to `allOf`. */
function addBranch(
  { location }: Node,
  raw: JsonObject,
  branch: JsonObject,
): { site: Location; location: Location; edit: Edit } {
  const before = Array.isArray(raw.allOf) ? raw.allOf : [];
  const site = `${location}/allOf`;
  return { site, location: `${site}/${before.length}`, edit: { at: site, value: [...before, branch] } };
}

function joinBranch(node: Node, site: Location, branch: Location): Node {
  const all = node.keywords.find((keyword) => keyword.kind === "allOf");
  if (all?.kind === "allOf") return withKeyword(node, all, { ...all, nodes: [...all.nodes, branch] });
  // A keyword that depends on the evaluation of others must come after them.
  return { ...node, keywords: [{ kind: "allOf", site, nodes: [branch] }, ...node.keywords] };
}

/** The keywords that a schema keeps when the rest of it becomes a branch. */
const keptMembers: ReadonlySet<string> = new Set(["$schema", "$id", "$defs", "definitions"]);

/**
 * A choice between the schema and another one. Undefined if a reference leads inside of the schema, or if it has a name of its own: the reference would not
 * find it at its new location.
 */
export function addAlternative(
  node: Node,
  raw: JsonObject,
  extra: AddedSchema,
  model: Model,
): ChangedSchema | undefined {
  const { location, resource } = node;
  const below = `${location}/`;
  const isMoved = (target: Location): boolean =>
    target.startsWith(below) && !keptMembers.has(target.slice(below.length).split("/")[0] as string);
  if ("$anchor" in raw || "$dynamicAnchor" in raw || targetsOf(model).some(isMoved)) return undefined;
  const rest = Object.fromEntries(Object.entries(raw).filter(([name]) => !keptMembers.has(name)));
  const moved = Object.keys(rest).map((name): Edit => ({ at: pointer.append(location, name) }));
  const anyOf = [rest, extra as JsonObject];
  const isWhole = moved.length === Object.keys(raw).length;
  // The schema may have its own `anyOf`, so another name is used.
  const [one, other] = [`${below}either/0`, `${below}either/1`];
  return {
    edits: isWhole ? [{ at: location, value: { anyOf } }] : [...moved, { at: `${below}anyOf`, value: anyOf }],
    nodes: [
      {
        location,
        resource,
        keywords: [{ kind: "anyOf", site: `${below}either`, nodes: [one, other] }],
      },
      { ...node, location: one },
      ...nodesOf(extra, other, resource),
    ],
  };
}

/**
 * A member that is only a reference to a schema elsewhere: at its own location, that schema is combined with another condition. Undefined for any other
 * member.
 */
export function combineReference(
  node: Node,
  properties: Extract<Keyword, { kind: "properties" }>,
  { name, location: there, raw }: { name: string; location: Location; raw: JsonObject },
  { combined, extra }: { combined: "anyOf" | "allOf"; extra: AddedSchema },
): ChangedSchema | undefined {
  const place = pointer.append(properties.site, name);
  if (place === there) return undefined;
  const site = `${place}/${combined}`;
  const other = `${site}/1`;
  const { resource } = node;
  const entries = properties.entries.map(([each, to]): [string, Location] => [each, each === name ? place : to]);
  return {
    edits: [{ at: place, value: { [combined]: [raw, extra as JsonObject] } }],
    nodes: [
      withKeyword(node, properties, { ...properties, entries }),
      { location: place, resource, keywords: [{ kind: combined, site, nodes: [there, other] }] },
      ...nodesOf(extra, other, resource),
    ],
  };
}

const leafLocations = new WeakMap<Model["nodes"], readonly Location[]>();

/** The targets of references. */
function targetsOf({ nodes }: Model): readonly Location[] {
  const cached = leafLocations.get(nodes);
  if (cached !== undefined) return cached;
  const found = new Set<Location>();
  for (const { keywords } of nodes.values())
    for (const keyword of keywords)
      if (keyword.kind === "ref" || keyword.kind === "dynamicRef") found.add(keyword.node);
  leafLocations.set(nodes, [...found]);
  return [...found];
}

/** A member's schema as the document has it, if it can be changed. */
export function memberAt(raw: JsonObject, name: string): JsonObject | undefined {
  const { properties } = raw;
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const member = properties[name];
  return isObject(member) ? member : undefined;
}
