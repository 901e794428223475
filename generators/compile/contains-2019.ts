import { addKeyword, defineVocabulary, getKeyword, loadDialect } from "@hyperjump/json-schema/experimental";
import "@hyperjump/json-schema/draft-2019-09";

// In 2019-09 `contains` evaluates no items for `unevaluatedItems` (Core 9.3.1.3 and 9.3.1.4 there); Hyperjump has one `contains` for this draft and the next.

const usual = "https://json-schema.org/keyword/contains";
const own = "https://json-schema.org/keyword/draft-2019-09/contains";

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

/** Lets Hyperjump read `contains` of 2019-09 as that draft has it: compiled to an object with `marks: false`. */
export function readContainsOf2019(): void {
  const { compile, interpret, ...rest } = getKeyword<object>(usual);
  addKeyword<object>({
    ...rest,
    id: own,
    compile: async (...given) => ({ ...(await compile(...given)), marks: false }),
    interpret: (value, instance, context) =>
      interpret(value, instance, { ...context, evaluatedItems: new Set() } as InterpretContext),
  });
  const base = "https://json-schema.org/keyword/";
  defineVocabulary(
    `${dialect}/vocab/applicator`,
    Object.fromEntries(Object.entries(applicators).map(([name, by]) => [name, base + by])),
  );
  loadDialect(
    `${dialect}/schema`,
    Object.fromEntries(vocabularies.map((name) => [`${dialect}/vocab/${name}`, true])),
    true,
  );
}
