import type { Keyword, Location } from "../model/model.ts";
import { additionalProperties } from "./additional-properties.ts";
import { allOf } from "./all-of.ts";
import { anyOf } from "./any-of.ts";
import { exclusiveMaximum, exclusiveMinimum, maximumKeyword, minimum } from "./bounds.ts";
import { constant } from "./const.ts";
import { contains } from "./contains.ts";
import { maxItems, maxLength, maxProperties, minItems, minLength, minProperties } from "./counts.ts";
import { dependentRequired } from "./dependent-required.ts";
import { dependentSchemas } from "./dependent-schemas.ts";
import { dynamicRef } from "./dynamic-ref.ts";
import { enumeration } from "./enum.ts";
import { format } from "./format.ts";
import type { KeywordHandler, Passage, Resolve } from "./handler.ts";
import { condition } from "./if.ts";
import { items } from "./items.ts";
import { multipleOf } from "./multiple-of.ts";
import { notKeyword } from "./not.ts";
import { oneOf } from "./one-of.ts";
import { pattern } from "./pattern.ts";
import { patternProperties } from "./pattern-properties.ts";
import { prefixItems } from "./prefix-items.ts";
import { properties } from "./properties.ts";
import { propertyNames } from "./property-names.ts";
import { ref } from "./ref.ts";
import { requiredKeyword } from "./required.ts";
import { type } from "./type.ts";
import { unevaluatedItems, unevaluatedProperties } from "./unevaluated.ts";
import { uniqueItems } from "./unique-items.ts";

/** The handlers of all keywords. The type requires one for each keyword of the model. */
export const keywords: { readonly [K in Keyword["kind"]]: KeywordHandler<K> } = {
  ref,
  dynamicRef,
  allOf,
  anyOf,
  oneOf,
  not: notKeyword,
  if: condition,
  type,
  enum: enumeration,
  const: constant,
  minimum,
  maximum: maximumKeyword,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
  minLength,
  maxLength,
  pattern,
  format,
  minItems,
  maxItems,
  uniqueItems,
  prefixItems,
  items,
  contains,
  unevaluatedItems,
  minProperties,
  maxProperties,
  required: requiredKeyword,
  dependentRequired,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentSchemas,
  unevaluatedProperties,
};

/** Returns the handler of a keyword. */
export function handlerOf({ kind }: Pick<Keyword, "kind">): KeywordHandler {
  return keywords[kind] as KeywordHandler;
}

/** Lists all schemas that a keyword contains or refers to. */
export function childrenOf(keyword: Keyword): Location[] {
  return handlerOf(keyword).children?.(keyword) ?? [];
}

/** Lists the schemas that must hold with the keyword, on some branch. */
export function subschemasOf(keyword: Keyword, resolve: Resolve): Passage[] {
  return handlerOf(keyword).passages?.(keyword, resolve) ?? [];
}
