import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";

/** How similar an instance is to a schema, and which of its members distinguish kinds of messages. */
export interface Likeness {
  /** From 0 to 1. The likeness is 1 if all required members are present, all members are declared, and their values fit. */
  score: number;
  /** Members with a value in the schema's list of values (`listed`), or outside of it (`unlisted`). */
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
  additional: BasedSubschema[];
}

const maxDepth = 12;
/** Limits the steps of a search, because a hostile schema can branch at each one. */
const maxSteps = 20_000;
const maxItems = 5;
/** The likeness of a value of a wrong type, or outside of the list. It is above 0, because that may be the sender's mistake. */
const likenessOfMismatch = 0.75;
/** The factor for a member that only `additionalProperties` describes. */
const undeclaredFactor = 0.75;
/** One value of each JSON type. */
const valuesOfEachType: readonly Json[] = [null, true, 0, "", [], {}];

/** Computes how similar instances are to the schemas of a set. It follows references, `allOf` and conditions, and uses the most similar of several alternatives. */
export class Likenesses {
  readonly #byId = new Map<string, JsonObject>();
  #steps = 0;

  constructor(schemas: readonly JsonObject[]) {
    for (const schema of schemas) this.#byId.set(withoutFragment(String(schema.$id)), schema);
  }

  /** The likeness to the whole schema with this `$id`; undefined if there is no such schema. */
  likenessTo(id: string, instance: Json): Likeness | undefined {
    const subschema = this.#resolve(id, id);
    if (subschema === undefined) return undefined;
    this.#steps = 0;
    const listed = new Set<string>();
    const unlisted = new Set<string>();
    if (!isObject(instance)) {
      const fit = this.#fit(subschema, instance, 0);
      // A schema that accepts values of every type is not considered similar to any of them.
      const isDistinctive =
        fit > likenessOfMismatch && valuesOfEachType.some((probe) => this.#fit(subschema, probe, 0) < fit);
      return { score: isDistinctive ? fit : 0, listed, unlisted };
    }
    const constraints = this.#collectConstraints(subschema, instance, 0);
    for (const name of Object.keys(instance))
      for (const subschema of constraints.members.get(name) ?? []) {
        const isInList = isListed(this.#followReferences(subschema), instance[name] as Json);
        if (isInList !== undefined) (isInList ? listed : unlisted).add(name);
      }
    return { score: this.#likeness(constraints, instance, 0), listed, unlisted };
  }

  /** Whether a schema is an alternative within another, or another name for it. */
  isAlternative(id: string, whole: string): boolean {
    const visited = new Set<JsonObject>();
    const target = this.#resolve(id, id)?.schema;
    const leadsToTarget = (part: BasedSubschema | undefined): boolean => {
      if (part === undefined || visited.has(part.schema) || visited.size > 1000) return false;
      visited.add(part.schema);
      if (part.schema === target) return true;
      const { $ref, oneOf, anyOf } = part.schema;
      const alternatives = [...schemasIn(oneOf), ...schemasIn(anyOf)].map((schema) => ({ schema, base: part.base }));
      return (
        alternatives.some(leadsToTarget) || (typeof $ref === "string" && leadsToTarget(this.#resolve($ref, part.base)))
      );
    };
    return id !== whole && leadsToTarget(this.#resolve(whole, whole));
  }

  #resolve(reference: string, base: string): BasedSubschema | undefined {
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
  #followReferences(part: BasedSubschema): BasedSubschema {
    let current = part;
    for (let step = 0; step < maxDepth && typeof current.schema.$ref === "string"; step += 1) {
      if (Object.hasOwn(current.schema, "const") || Object.hasOwn(current.schema, "enum")) break;
      const next = this.#resolve(current.schema.$ref, current.base);
      if (next === undefined) break;
      current = next;
    }
    return current;
  }

  /** Combines the constraints of all schemas that apply to an object; of alternatives, the most similar one. */
  #collectConstraints(part: BasedSubschema, instance: JsonObject, depth: number): MemberConstraints {
    const constraints: MemberConstraints = { required: new Set(), members: new Map(), additional: [] };
    const choices: BasedSubschema[][] = [];
    const collect = ({ schema, base }: BasedSubschema, level: number): void => {
      this.#steps += 1;
      if (level > maxDepth || this.#steps > maxSteps) return;
      const collectBelow = (subschema: JsonObject): void => collect({ schema: subschema, base }, level + 1);
      if (Array.isArray(schema.required))
        for (const name of schema.required) if (typeof name === "string") constraints.required.add(name);
      for (const [name, subschema] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
        const based = { schema: isObject(subschema) ? subschema : {}, base };
        if (subschema !== false) constraints.members.set(name, [...(constraints.members.get(name) ?? []), based]);
      }
      if (isObject(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0)
        constraints.additional.push({ schema: schema.additionalProperties, base });
      if (typeof schema.$ref === "string") {
        const target = this.#resolve(schema.$ref, base);
        if (target !== undefined) collect(target, level + 1);
      }
      for (const subschema of schemasIn(schema.allOf)) collectBelow(subschema);
      if (isObject(schema.if)) {
        const branch = this.#meetsCondition({ schema: schema.if, base }, instance, depth) ? schema.then : schema.else;
        if (isObject(branch)) collectBelow(branch);
      }
      for (const [name, subschema] of Object.entries(isObject(schema.dependentSchemas) ? schema.dependentSchemas : {}))
        if (Object.hasOwn(instance, name) && isObject(subschema)) collectBelow(subschema);
      for (const alternatives of [schemasIn(schema.oneOf), schemasIn(schema.anyOf)])
        if (alternatives.length > 0)
          choices.push(alternatives.map((schemaOfAlternative) => ({ schema: schemaOfAlternative, base })));
    };
    collect(part, depth);
    for (const alternatives of choices) {
      const mergedAlternatives = alternatives.map((subschema) =>
        mergeMembers(constraints, this.#collectConstraints(subschema, instance, depth + 1)),
      );
      const scores = mergedAlternatives.map((memberConstraints) =>
        this.#likeness(memberConstraints, instance, depth + 1),
      );
      const best = mergedAlternatives[scores.indexOf(Math.max(...scores))];
      if (best !== undefined) Object.assign(constraints, best);
    }
    return constraints;
  }

  /** The mean of two shares: the required members that are present, and the present members that are declared. Members with values that do not fit count less. */
  #likeness({ required, members, additional }: MemberConstraints, instance: JsonObject, depth: number): number {
    const names = Object.keys(instance);
    const fits = new Map(
      names.map((name) => {
        const declared = members.get(name);
        const applicable = declared ?? additional;
        const fit = Math.min(...applicable.map((subschema) => this.#fit(subschema, instance[name] as Json, depth + 1)));
        if (applicable.length === 0) return [name, 0];
        return [name, declared === undefined ? fit * undeclaredFactor : fit];
      }),
    );
    const declaredShare = names.length === 0 ? 0 : sum(fits.values()) / names.length;
    if (required.size === 0) return declaredShare;
    const requiredFits = [...required].map((name) => {
      if (!Object.hasOwn(instance, name)) return 0;
      return members.has(name) ? (fits.get(name) ?? 0) : 1;
    });
    return (sum(requiredFits) / required.size + declaredShare) / 2;
  }

  /** How well a value fits a subschema: by its type, by a list of values, and by its own members. */
  #fit(part: BasedSubschema, value: Json, depth: number): number {
    this.#steps += 1;
    if (depth > maxDepth || this.#steps > maxSteps) return 1;
    const { schema, base } = part;
    const isInList = isListed(part, value);
    if (isInList === false) return likenessOfMismatch;
    if (!isOfType(schema.type, value)) return likenessOfMismatch;
    const fitToSubschema = (subschema: JsonObject): number => this.#fit({ schema: subschema, base }, value, depth + 1);
    const target = typeof schema.$ref === "string" ? this.#resolve(schema.$ref, base) : undefined;
    const targetFit = (): number[] => (target === undefined ? [] : [this.#fit(target, value, depth + 1)]);
    if (isObject(value)) {
      const constraints = this.#collectConstraints(part, value, depth + 1);
      if (constraints.required.size + constraints.members.size === 0)
        return Object.hasOwn(schema, "type") || isInList === true
          ? 1
          : this.#fitOfParts(schema, fitToSubschema, targetFit);
      return Object.keys(value).length === 0 && constraints.required.size === 0
        ? 1
        : (3 + this.#likeness(constraints, value, depth + 1)) / 4;
    }
    const ownFit = this.#fitOfParts(schema, fitToSubschema, targetFit);
    if (!Array.isArray(value) || !isObject(schema.items) || value.length === 0) return ownFit;
    const item = { schema: schema.items, base };
    const firstItems = value.slice(0, maxItems);
    return Math.min(
      ownFit,
      sum(firstItems.map((itemValue) => this.#fit(item, itemValue, depth + 1))) / firstItems.length,
    );
  }

  #fitOfParts(
    schema: JsonObject,
    fitWith: (firstItem: JsonObject) => number,
    targetFit: () => readonly number[],
  ): number {
    const fits = [
      ...targetFit(),
      ...schemasIn(schema.allOf).map(fitWith),
      ...[schemasIn(schema.oneOf), schemasIn(schema.anyOf)]
        .filter(({ length }) => length > 0)
        .map((alternatives) => Math.max(...alternatives.map(fitWith))),
    ];
    return Math.min(1, ...fits);
  }

  /** Whether a condition is met, judged only by the members that are present and by lists of values. */
  #meetsCondition(part: BasedSubschema, instance: JsonObject, depth: number): boolean {
    const constraints = this.#collectConstraints(part, instance, depth + 1);
    return (
      [...constraints.required].every((name) => Object.hasOwn(instance, name)) &&
      [...constraints.members].every(
        ([name, subschemas]) =>
          !Object.hasOwn(instance, name) ||
          subschemas.every((subschema) => this.#fit(subschema, instance[name] as Json, depth + 1) === 1),
      )
    );
  }
}

function mergeMembers(first: MemberConstraints, second: MemberConstraints): MemberConstraints {
  const members = new Map(first.members);
  for (const [name, subschemas] of second.members) members.set(name, [...(members.get(name) ?? []), ...subschemas]);
  return {
    required: new Set([...first.required, ...second.required]),
    members,
    additional: [...first.additional, ...second.additional],
  };
}

/** Whether a scalar is in the schema's list of values; undefined if there is no list. */
function isListed({ schema }: BasedSubschema, value: Json): boolean | undefined {
  const list = Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
  if (!Array.isArray(list)) return undefined;
  if (typeof value === "object" && value !== null) return undefined;
  return list.includes(value);
}

function isOfType(type: Json | undefined, value: Json): boolean {
  const types = Array.isArray(type) ? type : [type];
  if (typeof types[0] !== "string") return true;
  const actual = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.includes(actual) || (actual === "number" && types.includes("integer"));
}

function schemasIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
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

/** The subschema with an anchor, or with the `$id` that earlier drafts use as an anchor. */
function findAnchor(anchor: string, schema: Json, level = 0): JsonObject | undefined {
  if (level > maxDepth || typeof schema !== "object" || schema === null) return undefined;
  if (
    isObject(schema) &&
    (schema.$anchor === anchor ||
      schema.$dynamicAnchor === anchor ||
      schema.$id === `#${anchor}` ||
      schema.id === `#${anchor}`)
  )
    return schema;
  for (const child of Object.values(schema)) {
    const match = findAnchor(anchor, child as Json, level + 1);
    if (match !== undefined) return match;
  }
  return undefined;
}
