import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { fits } from "../../../rules/form.ts";
import { right } from "../policy.ts";
import { isNumeric } from "./change.ts";
import { bodies, type HubVariant, inner, without } from "./variant.ts";

function isBegun(option: Json, value: Json | undefined): boolean {
  return isObject(option) && typeof value === "string" && value !== "" && String(option.value).startsWith(value);
}

/** Takes these answers to a form that has this word. */
function filled(word: string, takes: (value: Record<string, Json>) => boolean): HubVariant["policy"] {
  return {
    checksAnswer: ({ schema = null }, { value }) =>
      !JSON.stringify(schema).includes(`"${word}"`) || !isObject(value) || !takes(value as Record<string, Json>),
  };
}

/** An answer is looked at, without its value where that is taken for none. */
function isThere(outcome: { value?: unknown }, isValue: boolean): true {
  if (!isValue) delete outcome.value;
  return true;
}

/** Takes what is alike to an option. */
function choosing(isAlike: (option: Json, value: Json) => boolean): HubVariant["policy"] {
  return {
    checksAnswer: ({ options }, { value = null }) =>
      !Array.isArray(options) || !options.some((each) => isObject(each) && isAlike(each.value ?? null, value)),
  };
}

/** Takes what fits a form whose fields are read otherwise, for the value that each is answered with. */
function reading(change: (field: JsonObject, value: Json) => JsonObject): HubVariant["policy"] {
  return {
    checksAnswer({ schema = null }, { value = null }) {
      if (!isObject(schema) || !isObject(value)) return true;
      const properties = Object.entries(inner(schema, "properties")).map(([name, field]) => {
        const isThere = isObject(field) && Object.hasOwn(value, name);
        return [name, isThere ? change(field, value[name] as Json) : field];
      });
      return fits({ ...schema, properties: Object.fromEntries(properties) })(value) !== true;
    },
  };
}

/** The field without the keywords that hold such a value. */
function ignoring(keywords: readonly string[], isIgnored: (limit: Json) => boolean): HubVariant["policy"] {
  const isLeft = ([name, limit]: [string, Json]) => !keywords.includes(name) || !isIgnored(limit);
  return reading((field) => Object.fromEntries(Object.entries(field).filter(isLeft)));
}

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxLength"];

/** Hubs that break a rule on asks: modes, options, forms and defaults. */
export const askVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-ASK-007",
    says: "takes any answer to a confirm without options",
    policy: { checksAnswer: ({ mode, options }) => mode !== "confirm" || options !== undefined },
  },
  {
    rule: "AHCP-ASK-008",
    name: "prefix",
    says: "takes the beginning of an option for the choice",
    policy: {
      checksAnswer: ({ options }, { value }) =>
        !Array.isArray(options) || !options.some((each) => isBegun(each, value)),
    },
  },
  {
    rule: "AHCP-ASK-008",
    name: "label",
    says: "takes a label for the option in a confirm",
    policy: {
      checksAnswer: ({ mode, options }, { value }) =>
        mode !== "confirm" ||
        !Array.isArray(options) ||
        !options.some((each) => isObject(each) && each.label === value),
    },
  },
  {
    rule: "AHCP-ASK-008",
    name: "empty",
    says: "takes an option without a letter for no answer",
    policy: { checksAnswer: (_, outcome) => isThere(outcome, outcome.value !== "") },
  },
  {
    rule: "AHCP-ASK-008",
    says: "takes any answer to a select",
    policy: { checksAnswer: ({ mode }) => mode !== "select" },
  },
  {
    rule: "AHCP-ASK-008",
    name: "confirm",
    says: "lets a confirm with options of its own be approved",
    policy: {
      checksAnswer: ({ mode, options }, { value }) =>
        mode !== "confirm" || options === undefined || (value !== "approve" && value !== "deny"),
    },
  },
  {
    rule: "AHCP-ASK-008",
    name: "normalised",
    says: "normalises options before it compares them",
    policy: {
      checksAnswer({ options }, { resolution, value }) {
        const isOffered = (text: string): boolean =>
          Array.isArray(options) && options.some((each) => isObject(each) && each.value === text.normalize("NFC"));
        return resolution !== "answered" || typeof value !== "string" || !isOffered(value);
      },
    },
  },
  {
    rule: "AHCP-ASK-008",
    name: "numeric",
    says: "compares an answer with options as numbers where both are written like some",
    policy: choosing((option, value) => isNumeric(option) && isNumeric(value) && Number(option) === Number(value)),
  },
  {
    rule: "AHCP-ASK-008",
    name: "number",
    says: "takes a number for the option that is written like it",
    policy: choosing((option, value) => typeof value === "number" && option === String(value)),
  },
  {
    rule: "AHCP-ASK-009",
    name: "enum",
    says: "takes any text where a form lists texts",
    policy: {
      checksAnswer: ({ schema = null }, { value }) =>
        !JSON.stringify(schema).includes('"enum"') || !isObject(value) || typeof value.note !== "string",
    },
  },
  {
    rule: "AHCP-ASK-009",
    name: "bounds",
    says: "does not look at the bounds of a number in a form",
    policy: filled("minimum", ({ count }) => Number.isInteger(count)),
  },
  {
    rule: "AHCP-ASK-009",
    name: "pattern",
    says: "does not look at the pattern of a text in a form",
    policy: filled("pattern", ({ note }) => String(note).length > 2),
  },
  {
    rule: "AHCP-ASK-009",
    name: "integer",
    says: "takes any number for an integer in a form",
    policy: filled("integer", ({ count }) => typeof count === "number" && !Number.isInteger(count)),
  },
  {
    rule: "AHCP-ASK-009",
    name: "empty",
    says: "takes an empty form for no answer",
    policy: { checksAnswer: (_, outcome) => isThere(outcome, JSON.stringify(outcome.value) !== "{}") },
  },
  {
    rule: "AHCP-ASK-009",
    name: "secret",
    says: "takes a reference to a secret for any answer in a form",
    policy: {
      checksAnswer: (_, { value }) =>
        !isObject(value) || !Object.values(value).some((each) => isObject(each) && typeof each.secret_ref === "string"),
    },
  },
  {
    rule: "AHCP-ASK-009",
    says: "takes any answer to an input",
    policy: { checksAnswer: ({ mode }) => mode !== "input" },
  },
  {
    rule: "AHCP-ASK-009",
    name: "text",
    says: "takes a text for a number in a form, as web pages send it",
    policy: {
      checksAnswer: ({ mode }, { value }) =>
        mode !== "input" || typeof inner({ value: value ?? null }, "value").count !== "string",
    },
  },
  {
    rule: "AHCP-ASK-009",
    name: "null",
    says: "takes a field that is answered with null for one that is missing",
    policy: {
      checksAnswer(request, { value }) {
        const { required } = inner(request, "schema");
        const isMissing = (name: Json) => isObject(value) && value[String(name)] === null;
        // A Response is judged without what is missing.
        if (Array.isArray(required) && required.some(isMissing)) delete (value as JsonObject)[String(required[0])];
        return true;
      },
    },
  },
  {
    rule: "AHCP-ASK-009",
    name: "boolean-number",
    says: "takes 1 and 0 for a field that is true or false",
    policy: reading((field, value) =>
      field.type === "boolean" && (value === 1 || value === 0) ? { const: value } : field,
    ),
  },
  {
    rule: "AHCP-ASK-009",
    name: "last-line",
    says: "lets a line end after what the pattern of a field describes",
    policy: reading((field) =>
      typeof field.pattern === "string" ? { ...field, pattern: field.pattern.replace(/\$$/, "\\n?$") } : field,
    ),
  },
  {
    rule: "AHCP-ASK-009",
    name: "minimum-text",
    says: "compares an answer with the minimum of its field as texts",
    policy: reading(({ minimum, ...field }, value) => (String(value) < String(minimum) ? { not: {} } : field)),
  },
  {
    rule: "AHCP-ASK-009",
    name: "zero-bounds",
    says: "takes a bound of 0 for none",
    policy: ignoring(bounds, (limit) => limit === 0),
  },
  {
    rule: "AHCP-ASK-009",
    name: "falsy-const",
    says: "takes a field that can only be false, 0 or empty for one that can be anything",
    policy: ignoring(["const"], (constant) => !constant),
  },
  {
    rule: "AHCP-ASK-009",
    name: "utf-16",
    says: "counts the characters of an answer in units of UTF-16",
    policy: reading(({ minLength = 0, ...field }, value) =>
      typeof value !== "string" || value.length >= Number(minLength) ? field : { not: {} },
    ),
  },
  {
    rule: "AHCP-ASK-010",
    says: "takes any default of a select",
    policy: { respects: ({ rule }) => rule !== "AHCP-ASK-010" },
  },
  {
    rule: "AHCP-ASK-011",
    says: "takes any default of an input",
    policy: { respects: ({ rule }) => rule !== "AHCP-ASK-011" },
  },
  {
    rule: "AHCP-ASK-012",
    says: "takes any default of a confirm",
    policy: { respects: ({ rule }) => rule !== "AHCP-ASK-012" },
  },
  {
    rule: "AHCP-ASK-015",
    says: "lets an ask be answered that does not permit it",
    policy: { permits: (message, resolution) => resolution === "answered" || right.permits(message, resolution) },
  },
  {
    rule: "AHCP-ASK-015",
    name: "input",
    says: "lets a form be filled in that does not permit it",
    policy: {
      permits: (message, resolution) =>
        right.permits(message, resolution) || (resolution === "answered" && inner(message, "request").mode === "input"),
    },
  },
  {
    rule: "AHCP-ASK-016",
    name: "confirm",
    says: "lets a confirm be declined that does not permit it",
    policy: {
      permits: (message, resolution) =>
        right.permits(message, resolution) ||
        (resolution === "declined" && inner(message, "request").mode === "confirm"),
    },
  },
  {
    rule: "AHCP-ASK-016",
    says: "lets an ask be declined that does not permit it",
    policy: { permits: (message, resolution) => resolution === "declined" || right.permits(message, resolution) },
  },
  {
    rule: "AHCP-ASK-017",
    name: "open",
    says: "says that an ask was ignored, and shows it as open",
    policy: {
      endings: (type) => [...right.endings(type), ...(type === "ask" ? ["ignored"] : [])],
      ...bodies("read", (body) =>
        body.status === "ignored" ? { ...without(body, "response"), status: "open" } : body,
      ),
    },
  },
  {
    rule: "AHCP-ASK-017",
    says: "calls an ask ignored",
    policy: { endings: (type) => [...right.endings(type), ...(type === "ask" ? ["ignored"] : [])] },
  },
];
