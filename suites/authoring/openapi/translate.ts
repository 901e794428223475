import { dialectOf, isObject, type Json, type JsonObject, pointer, setMember } from "../../../schemas/index.ts";
import { type DynamicScope, dynamicAnchorsAt, noScope, scopeAt } from "./anchors.ts";
import { branchingKeywords, noneOneSided, type OneSided, OneSidedReader, type View } from "./one-sided.ts";
import { isPinned } from "./pinned-members.ts";
import { faultAt, followReference, placeBelow, type SourcePlace, type Sources, valueAt } from "./source.ts";

interface SchemaTranslation {
  sources: Sources;
  /** Whether the document is OpenAPI 3.0, with schemas that are nearly those of a draft. */
  isOld: boolean;
  /** Whether the document is AsyncAPI, with schemas of draft-07 and more. */
  isDraft7: boolean;
  view: View;
  /** Returns the name under which a referenced schema is stored for these surrounding marks, and notes that it is needed. */
  nameOf(place: SourcePlace, outer: OneSided, scope: DynamicScope): string;
  /** Collects the JSON Pointers of choices that a discriminator decides, and of members that only the other side sends. */
  marks: SchemaMarks;
  /** JSON Pointers of schemas with a `oneOf` that is always written as `anyOf`. */
  loosen: ReadonlySet<string>;
}

/**
 * Places in a schema, as JSON Pointers: choices that a discriminator decides, omitted members, schemas with a `oneOf` that is written as `anyOf`
 * (the wider reading), and additions of `nullable` beside an enum or a choice.
 */
export interface SchemaMarks {
  discriminated: string[];
  hidden: string[];
  loosened: string[];
  /** Lists (`enum` or `anyOf`) with a last entry that allows null. Under another reading of `nullable` this entry does not exist. */
  nulled: string[];
}

/** Keywords that describe a schema and are not part of JSON Schema 2020-12. Definitions are stored elsewhere. */
const droppedKeywords = new Set(
  "xml externalDocs example discriminator nullable $schema $id id $anchor $dynamicAnchor $dynamicRef $defs definitions".split(
    " ",
  ),
);
type OpenApiDialect = NonNullable<ReturnType<typeof dialectOf>>;
const latestDialect = dialectOf(undefined) as OpenApiDialect;
const draft7Dialect = dialectOf("http://json-schema.org/draft-07/schema#") as OpenApiDialect;

/**
 * Writes schemas as JSON Schema 2020-12, with references to `#/$defs`. If readings differ, the wider one is written: a server that
 * refuses a message of the wider reading only gets a warning, but a server that accepts a message outside of it is in violation.
 */
export class SchemaTranslator {
  readonly #context: SchemaTranslation;
  readonly #keywords: OpenApiDialect;
  /** OpenAPI 3.0 and draft-07 ignore keywords beside a reference, and have no dynamic ones. */
  readonly #isLegacy: boolean;
  readonly #oneSided: OneSidedReader;
  /** The scope on the path to the current schema. The target of a reference is translated later, with the scope on the path to the reference. */
  #scope: DynamicScope = noScope;

  constructor(context: SchemaTranslation) {
    this.#context = context;
    this.#keywords = context.isDraft7 ? draft7Dialect : latestDialect;
    this.#isLegacy = context.isOld || context.isDraft7;
    this.#oneSided = new OneSidedReader(context.sources, this.#isLegacy, context.view);
  }

  /** Translates the schema at a place; `at` is its JSON Pointer in the written schema. */
  translate(place: SourcePlace, at: string, outer?: OneSided, scope: DynamicScope = noScope): JsonObject | boolean {
    this.#scope = scope;
    return this.#write(place, at, outer);
  }

  #write(place: SourcePlace, at: string, outer: OneSided = noneOneSided): JsonObject | boolean {
    const outerScope = this.#scope;
    if (!this.#isLegacy) this.#scope = scopeAt(place, outerScope);
    try {
      return this.#writeWithin(place, at, outer);
    } finally {
      this.#scope = outerScope;
    }
  }

  #writeWithin(place: SourcePlace, at: string, outer: OneSided): JsonObject | boolean {
    const schema = valueAt(place);
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema))
      throw faultAt(place, "expected a schema, which is an object here", "write one, or {} for anything");
    const written = this.#translateSchema({ place, schema, at }, outer);
    if (schema.nullable !== true || !this.#context.isOld) return written;
    const { schema: nullable, added } = withNullable(written);
    if (added !== undefined) this.#context.marks.nulled.push(pointer.append(at, added));
    return nullable;
  }

  #translateSchema(source: SourceSchema, outer: OneSided): JsonObject {
    const { place, schema, at } = source;
    const { isOld, isDraft7, marks } = this.#context;
    const hidden = this.#oneSided.membersAt(place, outer);
    const outerByKeyword: Record<string, OneSided> = { allOf: hidden, ...this.#membersInBranches(source, outer) };
    const output = this.#translateReferences(source, hidden);
    // In OpenAPI 3.0 and in draft-07 (Core 8.3), keywords beside a reference are ignored.
    if (output.$ref !== undefined && this.#isLegacy) return output;
    for (const keyword of Object.keys(schema)) {
      const isDropped = keyword === "$ref" || droppedKeywords.has(keyword) || keyword.startsWith("x-");
      if (isDropped || (isDraft7 && keywordsAfterDraft7.has(keyword))) continue;
      this.#translateKeyword(output, { ...source, keyword }, hidden, outerByKeyword[keyword]);
    }
    if (Array.isArray(schema.required)) {
      const requiredNames = schema.required.filter((name) => !hidden.perhaps.has(String(name)));
      if (requiredNames.length > 0) output.required = requiredNames;
    }
    if (isOld) modernizeBounds(output);
    if (isDraft7) modernizeSchema(output);
    const isLoosened = this.#isLoosened(source, outerByKeyword.oneOf ?? noneOneSided);
    const written = this.#applyDiscriminator(output, source);
    if (isLoosened || (output.oneOf !== undefined && written.oneOf === undefined)) marks.loosened.push(at);
    return isLoosened ? withAnyOf(written) : written;
  }

  /** The references of a schema. */
  #translateReferences({ place, schema }: SourceSchema, hidden: OneSided): JsonObject {
    const output: JsonObject = {};
    if (typeof schema.$ref === "string") {
      const target = followReference(this.#context.sources, place, schema.$ref);
      output.$ref = `#/$defs/${this.#nameTarget(target, hidden)}`;
    }
    if (this.#isLegacy || typeof schema.$dynamicRef !== "string") return output;
    const target = this.#dynamicTarget(place, schema.$dynamicRef);
    const dynamicReference = { $ref: `#/$defs/${this.#nameTarget(target, hidden)}` };
    if (output.$ref === undefined) Object.assign(output, dynamicReference);
    else output.allOf = [dynamicReference];
    return output;
  }

  #nameTarget(target: SourcePlace, hidden: OneSided): string {
    const scope = this.#isLegacy ? noScope : scopeAt(target, this.#scope);
    return this.#context.nameOf(target, this.#oneSided.relevantMembers(target, hidden), scope);
  }

  /** The target of a `$dynamicRef` (Core 8.2.3.2). If its direct target is a dynamic anchor, the first schema on the path with that anchor; otherwise the direct target. */
  #dynamicTarget(place: SourcePlace, ref: string): SourcePlace {
    const target = followReference(this.#context.sources, place, ref, "$dynamicRef");
    const fragment = ref.slice(ref.indexOf("#") + 1);
    const anchorPlaces = dynamicAnchorsAt(target).get(fragment) ?? [];
    if (anchorPlaces.length > 1)
      throw faultAt(
        placeBelow(place, "$dynamicRef"),
        `the $dynamicRef "${ref}" leads to ${anchorPlaces.length} schemas of one resource`,
        `give each schema with a $dynamicAnchor "${fragment}" an $id`,
      );
    return anchorPlaces.includes(target.at) ? (this.#scope.get(fragment) ?? target) : target;
  }

  #membersInBranches({ place, schema }: SourceSchema, outer: OneSided): Record<string, OneSided> {
    const keywords = branchingKeywords.filter((keyword) => schema[keyword] !== undefined);
    return Object.fromEntries(
      keywords.map((keyword) => [keyword, this.#oneSided.membersInBranches(place, keyword, outer)]),
    );
  }

  /** Adds the translation of one keyword to `output`. */
  #translateKeyword(
    output: JsonObject,
    { place, schema, at, keyword }: SourceSchema & { keyword: string },
    hidden: OneSided,
    outer: OneSided | undefined,
  ): void {
    const { single, list, map } = this.#keywords;
    const value = schema[keyword] as Json;
    const keywordPlace = placeBelow(place, keyword);
    const keywordPointer = pointer.append(at, keyword);
    const writeAt = (step: string | number): JsonObject | boolean =>
      this.#write(placeBelow(keywordPlace, step), pointer.append(keywordPointer, step), outer);
    if (single.has(keyword) && (isObject(value) || typeof value === "boolean"))
      output[keyword] = this.#write(keywordPlace, keywordPointer, outer);
    else if (list.has(keyword) && Array.isArray(value))
      output[keyword] = [
        ...value.map((_, index) => writeAt(index)),
        ...(keyword === "allOf" && Array.isArray(output.allOf) ? output.allOf : []),
      ];
    else if (keyword === "properties" && isObject(value))
      output.properties = this.#translateProperties(place, value, at, hidden.sure);
    else if (map.has(keyword) && isObject(value)) {
      const entries: JsonObject = {};
      for (const [member, inner] of Object.entries(value))
        setMember(entries, member, Array.isArray(inner) ? withoutNames(inner, hidden.perhaps) : writeAt(member));
      output[keyword] = entries;
    } else if (keyword === "dependentRequired" && isObject(value)) {
      const entries = Object.entries(value).map(([member, names]) => [member, withoutNames(names, hidden.perhaps)]);
      output[keyword] = Object.fromEntries(entries);
    } else if (keyword !== "required") output[keyword] = value;
  }

  /** Translates `properties`. Requests leave out members that only servers send, because a server may ignore or refuse them. Answers should not have members that only clients send. */
  #translateProperties(
    place: SourcePlace,
    declaredProperties: JsonObject,
    at: string,
    hidden: ReadonlySet<string>,
  ): JsonObject {
    const { marks, view } = this.#context;
    const entries: JsonObject = {};
    for (const member of Object.keys(declaredProperties)) {
      const memberPlace = placeBelow(place, "properties", member);
      const memberPointer = pointer.append(`${at}/properties`, member);
      const isHidden = hidden.has(member);
      if (isHidden) marks.hidden.push(memberPointer);
      if (!isHidden) setMember(entries, member, this.#write(memberPlace, memberPointer));
      else if (view === "response") setMember(entries, member, { writeOnly: true });
    }
    return entries;
  }

  /** Whether a `oneOf` is written as `anyOf`, since its branches may no longer exclude each other. */
  #isLoosened({ place, schema, at }: SourceSchema, outer: OneSided): boolean {
    const { oneOf } = schema;
    if (!Array.isArray(oneOf)) return false;
    return (
      this.#context.loosen.has(at) ||
      oneOf.some((_, index) => this.#oneSided.isLoosened(placeBelow(place, "oneOf", index), outer))
    );
  }

  /** Applies a discriminator. It must not change which messages are valid, but many readers choose a branch only by its value: both are correct. If the branches themselves require the value, it adds nothing. */
  #applyDiscriminator(output: JsonObject, { place, schema, at }: SourceSchema): JsonObject {
    const { sources, isOld, marks } = this.#context;
    const { discriminator: declared, oneOf, anyOf } = schema;
    const keyword = Array.isArray(oneOf) ? "oneOf" : "anyOf";
    const branches = oneOf ?? anyOf;
    if (!isObject(declared) || typeof declared.propertyName !== "string" || !Array.isArray(branches)) return output;
    const member = declared.propertyName;
    const mapping = isObject(declared.mapping) ? declared.mapping : {};
    const isHidden = (place: SourcePlace): boolean => this.#oneSided.isHidden(place);
    const { [keyword]: writtenBranches = [], ...otherKeywords } = output;
    let addsValue = false;
    const choices = (writtenBranches as Json[]).map((branch, index): Json => {
      const ref = isObject(branches[index]) ? branches[index].$ref : undefined;
      if (typeof ref !== "string") return branch;
      const values = discriminatingValues(ref, mapping);
      addsValue ||= !isPinned(sources, placeBelow(place, keyword, index), { member, values, isOld, isHidden });
      return { allOf: [branch, { properties: { [member]: { enum: values } }, required: [member] }] };
    });
    if (!addsValue) return output;
    marks.discriminated.push(`${at}/anyOf`);
    return { ...otherKeywords, anyOf: choices };
  }
}

/** A schema at a place, and its JSON Pointer in the written schema. */
interface SourceSchema {
  place: SourcePlace;
  schema: JsonObject;
  at: string;
}

/** The values of a discriminator that choose a referenced branch: those that the mapping names, or the name of the schema. */
function discriminatingValues(ref: string, mapping: JsonObject): string[] {
  const mappedValues = Object.entries(mapping).flatMap(([value, target]) =>
    target === ref || (typeof target === "string" && ref.endsWith(`/${target}`)) ? [value] : [],
  );
  return mappedValues.length > 0 ? mappedValues : [ref.slice(ref.lastIndexOf("/") + 1).replace(/\.(json|ya?ml)$/, "")];
}

/** A list of names without the members that only the other side sends. */
function withoutNames(names: Json, hidden: ReadonlySet<string>): Json {
  return Array.isArray(names) ? names.filter((name) => !hidden.has(String(name))) : names;
}

/** Keywords that draft-07 does not have. They assert nothing there. */
const keywordsAfterDraft7 = new Set(
  "prefixItems minContains maxContains unevaluatedItems unevaluatedProperties dependentRequired dependentSchemas $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor".split(
    " ",
  ),
);

/** Rewrites the keywords that differ between draft-07 and 2020-12: tuples, and dependencies. */
function modernizeSchema(schema: JsonObject): void {
  const { items, additionalItems, dependencies } = schema;
  delete schema.additionalItems;
  delete schema.dependencies;
  if (Array.isArray(items)) {
    delete schema.items;
    if (items.length > 0) schema.prefixItems = items;
    if (additionalItems !== undefined) schema.items = additionalItems;
  }
  for (const [name, dependency] of Object.entries(isObject(dependencies) ? dependencies : {})) {
    const keyword = Array.isArray(dependency) ? "dependentRequired" : "dependentSchemas";
    const entries = isObject(schema[keyword]) ? schema[keyword] : {};
    setMember(entries, name, dependency);
    schema[keyword] = entries;
  }
}

/** Replaces `oneOf` by `anyOf`: branches that differ only in a hidden member would now all be valid. */
function withAnyOf({ oneOf, ...others }: JsonObject): JsonObject {
  if (oneOf === undefined) return others;
  return others.anyOf === undefined ? { ...others, anyOf: oneOf } : { allOf: [others, { anyOf: oneOf }] };
}

/** OpenAPI 3.0, like draft-04, uses a boolean to say whether the bound itself is allowed. */
function modernizeBounds(schema: JsonObject): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    const isExclusive = schema[exclusive];
    delete schema[exclusive];
    if (!isExclusive || typeof schema[bound] !== "number") continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

const composingKeywords = ["$ref", "allOf", "anyOf", "oneOf", "not", "const"];

/** Applies `nullable` as its authors intend, also beside an enum and a choice. `added` is the keyword with a new last entry that allows null. */
function withNullable(schema: JsonObject): { schema: JsonObject; added?: "enum" | "anyOf" } {
  const { type } = schema;
  if (
    composingKeywords.some((keyword) => Object.hasOwn(schema, keyword)) ||
    (type === undefined && schema.enum !== undefined)
  )
    return { schema: { anyOf: [schema, { type: "null" }] }, added: "anyOf" };
  if (type === undefined) return { schema };
  const types = Array.isArray(type) ? type : [type];
  const nullable = { ...schema, type: types.includes("null") ? types : [...types, "null"] };
  if (!Array.isArray(schema.enum) || schema.enum.includes(null)) return { schema: nullable };
  return { schema: { ...nullable, enum: [...schema.enum, null] }, added: "enum" };
}
