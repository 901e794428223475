import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";

/** How similar an instance is to a schema. */
export interface Likeness {
  /** From 0 to 1, which means that all required members are present, no others than declared ones, and their values fit. */
  like: number;
  /** Members with a listed value, or with a value outside of the schema's list: such members distinguish kinds of messages. */
  listed: ReadonlySet<string>;
  unlisted: ReadonlySet<string>;
}

/** A subschema, and the resource that its references start from. */
interface BasedSubschema {
  schema: JsonObject;
  base: string;
}

/** The combined constraints of several schemas on the members of one value. */
interface MemberConstraints {
  required: Set<string>;
  members: Map<string, BasedSubschema[]>;
  others: BasedSubschema[];
}

const deepest = 12;
/** Limits the steps, since a hostile schema branches at each one. */
const maxSteps = 20_000;
const maxItems = 5;
/** The likeness of a value that has another type or is not in the list: that may be the sender's mistake. */
const ofOther = 0.75;
/** A value of each type. */
const probes: readonly Json[] = [null, true, 0, "", [], {}];

/** Computes how similar instances are to schemas of a set, through references, `allOf`, conditions, and the best of alternatives. */
export class Likenesses {
  readonly #byId = new Map<string, JsonObject>();
  #steps = 0;

  constructor(schemas: readonly JsonObject[]) {
    for (const schema of schemas) this.#byId.set(withoutFragment(String(schema.$id)), schema);
  }

  /** The likeness to the whole schema with this name; undefined if there is none. */
  of(id: string, instance: Json): Likeness | undefined {
    const part = this.#target(id, id);
    if (part === undefined) return undefined;
    this.#steps = 0;
    const listed = new Set<string>();
    const unlisted = new Set<string>();
    if (!isObject(instance)) {
      const fit = this.#fit(part, instance, 0);
      // A schema without any type is not considered similar to anything.
      const isTold = fit > ofOther && probes.some((probe) => this.#fit(part, probe, 0) < fit);
      return { like: isTold ? fit : 0, listed, unlisted };
    }
    const constraints = this.#said(part, instance, 0);
    for (const name of Object.keys(instance))
      for (const subschema of constraints.members.get(name) ?? []) {
        const isIn = isListed(this.#plain(subschema), instance[name] as Json);
        if (isIn !== undefined) (isIn ? listed : unlisted).add(name);
      }
    return { like: this.#likeness(constraints, instance, 0), listed, unlisted };
  }

  /** Whether a schema is an alternative within another, or another name for it: then both judge the instance alike. */
  isAlternative(id: string, whole: string): boolean {
    const seen = new Set<JsonObject>();
    const wanted = this.#target(id, id)?.schema;
    const within = (part: BasedSubschema | undefined): boolean => {
      if (part === undefined || seen.has(part.schema) || seen.size > 1000) return false;
      seen.add(part.schema);
      if (part.schema === wanted) return true;
      const { $ref, oneOf, anyOf } = part.schema;
      const next = [...listOf(oneOf), ...listOf(anyOf)].map((schema) => ({ schema, base: part.base }));
      return next.some(within) || (typeof $ref === "string" && within(this.#target($ref, part.base)));
    };
    return id !== whole && within(this.#target(whole, whole));
  }

  #target(reference: string, base: string): BasedSubschema | undefined {
    if (!URL.canParse(reference, base)) return undefined;
    const address = new URL(reference, base).href;
    const id = withoutFragment(address);
    const resource = this.#byId.get(id) ?? this.#byId.get(reference.replace(/#.*$/, ""));
    if (resource === undefined) return undefined;
    const fragment = decodeFragment(address.slice(id.length + 1));
    const schema =
      fragment === "" || fragment.startsWith("/") ? pointer.at(fragment, resource) : findAnchor(fragment, resource);
    return isObject(schema) ? { schema, base: String(resource.$id ?? id) } : undefined;
  }

  /** The subschema at the end of a chain of references. */
  #plain(part: BasedSubschema): BasedSubschema {
    let found = part;
    for (let step = 0; step < deepest && typeof found.schema.$ref === "string"; step += 1) {
      if (Object.hasOwn(found.schema, "const") || Object.hasOwn(found.schema, "enum")) break;
      const next = this.#target(found.schema.$ref, found.base);
      if (next === undefined) break;
      found = next;
    }
    return found;
  }

  /** All schemas that apply to an object; of alternatives, the most similar one. */
  #said(part: BasedSubschema, instance: JsonObject, depth: number): MemberConstraints {
    const constraints: MemberConstraints = { required: new Set(), members: new Map(), others: [] };
    const choices: BasedSubschema[][] = [];
    const collect = ({ schema, base }: BasedSubschema, level: number): void => {
      this.#steps += 1;
      if (level > deepest || this.#steps > maxSteps) return;
      const collectBelow = (each: JsonObject): void => collect({ schema: each, base }, level + 1);
      if (Array.isArray(schema.required))
        for (const name of schema.required) if (typeof name === "string") constraints.required.add(name);
      for (const [name, each] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
        const own = { schema: isObject(each) ? each : {}, base };
        if (each !== false) constraints.members.set(name, [...(constraints.members.get(name) ?? []), own]);
      }
      if (isObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0)
        constraints.others.push({ schema: schema.additionalProperties, base });
      if (typeof schema.$ref === "string") {
        const target = this.#target(schema.$ref, base);
        if (target !== undefined) collect(target, level + 1);
      }
      for (const each of listOf(schema.allOf)) collectBelow(each);
      if (isObject(schema.if)) {
        const branch = this.#fulfils({ schema: schema.if, base }, instance, depth) ? schema.then : schema.else;
        if (isObject(branch)) collectBelow(branch);
      }
      for (const [name, each] of Object.entries(isObject(schema.dependentSchemas) ? schema.dependentSchemas : {}))
        if (Object.hasOwn(instance, name) && isObject(each)) collectBelow(each);
      for (const all of [listOf(schema.oneOf), listOf(schema.anyOf)])
        if (all.length > 0) choices.push(all.map((each) => ({ schema: each, base })));
    };
    collect(part, depth);
    for (const all of choices) {
      const tried = all.map((subschema) => mergeMembers(constraints, this.#said(subschema, instance, depth + 1)));
      const likes = tried.map((memberConstraints) => this.#likeness(memberConstraints, instance, depth + 1));
      const best = tried[likes.indexOf(Math.max(...likes))];
      if (best !== undefined) Object.assign(constraints, best);
    }
    return constraints;
  }

  /** The mean of two shares: present members among the required ones, and declared members among the present ones; lower for values that do not fit. */
  #likeness({ required, members, others }: MemberConstraints, instance: JsonObject, depth: number): number {
    const names = Object.keys(instance);
    const fits = new Map(
      names.map((name) => {
        const own = members.get(name);
        const all = own ?? others;
        const fit = Math.min(...all.map((subschema) => this.#fit(subschema, instance[name] as Json, depth + 1)));
        return [name, all.length === 0 ? 0 : own === undefined ? fit * 0.75 : fit];
      }),
    );
    const known = names.length === 0 ? 0 : sum(fits.values()) / names.length;
    if (required.size === 0) return known;
    const there = [...required].map((name) =>
      !Object.hasOwn(instance, name) ? 0 : members.has(name) ? (fits.get(name) ?? 0) : 1,
    );
    return (sum(there) / required.size + known) / 2;
  }

  /** How well a value fits a subschema: by its type, by a list of values, and by its own members. */
  #fit(part: BasedSubschema, value: Json, depth: number): number {
    this.#steps += 1;
    if (depth > deepest || this.#steps > maxSteps) return 1;
    const { schema, base } = part;
    const listed = isListed(part, value);
    if (listed === false) return ofOther;
    if (!isOfType(schema.type, value)) return ofOther;
    const fitOf = (each: JsonObject): number => this.#fit({ schema: each, base }, value, depth + 1);
    const target = typeof schema.$ref === "string" ? this.#target(schema.$ref, base) : undefined;
    const ofTarget = (): number[] => (target === undefined ? [] : [this.#fit(target, value, depth + 1)]);
    if (isObject(value)) {
      const constraints = this.#said(part, value, depth + 1);
      if (constraints.required.size + constraints.members.size === 0)
        return Object.hasOwn(schema, "type") || listed === true ? 1 : this.#scalar(schema, fitOf, ofTarget);
      return Object.keys(value).length === 0 && constraints.required.size === 0
        ? 1
        : (3 + this.#likeness(constraints, value, depth + 1)) / 4;
    }
    const own = this.#scalar(schema, fitOf, ofTarget);
    if (!Array.isArray(value) || !isObject(schema.items) || value.length === 0) return own;
    const item = { schema: schema.items, base };
    const some = value.slice(0, maxItems);
    return Math.min(own, sum(some.map((each) => this.#fit(item, each, depth + 1))) / some.length);
  }

  #scalar(schema: JsonObject, inner: (each: JsonObject) => number, ofTarget: () => readonly number[]): number {
    const of = [
      ...ofTarget(),
      ...listOf(schema.allOf).map(inner),
      ...[listOf(schema.oneOf), listOf(schema.anyOf)]
        .filter(({ length }) => length > 0)
        .map((all) => Math.max(...all.map(inner))),
    ];
    return Math.min(1, ...of);
  }

  /** Whether a condition is met, as far as present members and lists of values decide that. */
  #fulfils(part: BasedSubschema, instance: JsonObject, depth: number): boolean {
    const constraints = this.#said(part, instance, depth + 1);
    return (
      [...constraints.required].every((name) => Object.hasOwn(instance, name)) &&
      [...constraints.members].every(
        ([name, all]) =>
          !Object.hasOwn(instance, name) ||
          all.every((subschema) => this.#fit(subschema, instance[name] as Json, depth + 1) === 1),
      )
    );
  }
}

function mergeMembers(one: MemberConstraints, other: MemberConstraints): MemberConstraints {
  const members = new Map(one.members);
  for (const [name, all] of other.members) members.set(name, [...(members.get(name) ?? []), ...all]);
  return {
    required: new Set([...one.required, ...other.required]),
    members,
    others: [...one.others, ...other.others],
  };
}

/** Whether a scalar is in the schema's list of values; undefined without a list. */
function isListed({ schema }: BasedSubschema, value: Json): boolean | undefined {
  const list = Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
  if (!Array.isArray(list)) return undefined;
  if (typeof value === "object" && value !== null) return undefined;
  return list.includes(value);
}

function isOfType(type: Json | undefined, value: Json): boolean {
  const types = Array.isArray(type) ? type : [type];
  if (typeof types[0] !== "string") return true;
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.includes(own) || (own === "number" && types.includes("integer"));
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function sum(values: Iterable<number>): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}

function withoutFragment(uri: string): string {
  return uri.replace(/#.*$/, "");
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The subschema with an anchor, or with the identifier that earlier drafts use for one. */
function findAnchor(anchor: string, schema: Json, level = 0): JsonObject | undefined {
  if (level > deepest || typeof schema !== "object" || schema === null) return undefined;
  if (
    isObject(schema) &&
    (schema.$anchor === anchor ||
      schema.$dynamicAnchor === anchor ||
      schema.$id === `#${anchor}` ||
      schema.id === `#${anchor}`)
  )
    return schema;
  for (const each of Object.values(schema)) {
    const found = findAnchor(anchor, each as Json, level + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
