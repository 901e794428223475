import { addKeyword, defineVocabulary, getKeyword, loadDialect } from "@hyperjump/json-schema/experimental";
import "@hyperjump/json-schema/draft-2019-09";

// In 2019-09 `contains` evaluates no items for `unevaluatedItems` (Core 9.3.1.3 and 9.3.1.4 there); Hyperjump has one `contains` for 2019-09 and 2020-12.

const sharedId = "https://json-schema.org/keyword/contains";
const ownId = "https://json-schema.org/keyword/draft-2019-09/contains";

const dialect = "https://json-schema.org/draft/2019-09";
const vocabularies = ["core", "applicator", "validation", "meta-data", "format", "content"];

/** The keywords of the applicator vocabulary of 2019-09 (Core 9), by the names of their implementations. */
const applicators: Readonly<Record<string, string>> = {
  additionalItems: "draft-04/additionalItems",
  additionalProperties: "additionalProperties",
  allOf: "allOf",
  anyOf: "anyOf",
  contains: "draft-2019-09/contains",
  dependentSchemas: "dependentSchemas",
  if: "if",
  then: "then",
  else: "else",
  items: "draft-04/items",
  not: "not",
  oneOf: "oneOf",
  patternProperties: "patternProperties",
  properties: "properties",
  propertyNames: "propertyNames",
  unevaluatedItems: "unevaluatedItems",
  unevaluatedProperties: "unevaluatedProperties",
};

type InterpretContext = Parameters<ReturnType<typeof getKeyword>["interpret"]>[2];

/** Makes Hyperjump evaluate `contains` of 2019-09 by that draft. The compiled keyword is an object with `marks: false`. */
export function readContainsOf2019(): void {
  const { compile, interpret, ...rest } = getKeyword<object>(sharedId);
  addKeyword<object>({
    ...rest,
    id: ownId,
    compile: async (...parameters) => ({ ...(await compile(...parameters)), marks: false }),
    interpret: (value, instance, context) =>
      interpret(value, instance, { ...context, evaluatedItems: new Set() } as InterpretContext),
  });
  const base = "https://json-schema.org/keyword/";
  defineVocabulary(
    `${dialect}/vocab/applicator`,
    Object.fromEntries(Object.entries(applicators).map(([name, implementation]) => [name, base + implementation])),
  );
  loadDialect(
    `${dialect}/schema`,
    Object.fromEntries(vocabularies.map((name) => [`${dialect}/vocab/${name}`, true])),
    true,
  );
}
