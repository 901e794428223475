import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { shortestNumber } from "../../../../../packs/reference/changes.ts";
import { fitsForm } from "../../../rules/form.ts";
import { correctHubPolicy } from "../policy.ts";
import { breaks, changeBodies, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

function isPrefixOf(option: Json, value: Json | undefined): boolean {
  return isObject(option) && typeof value === "string" && value !== "" && String(option.value).startsWith(value);
}

/** Also accepts some answers to a form that contains this keyword or type. */
function acceptFormAnswers(keyword: string, accepts: (value: Record<string, Json>) => boolean): HubVariant["policy"] {
  return {
    checksAnswer: ({ schema = null }, { value }) =>
      !JSON.stringify(schema).includes(`"${keyword}"`) || !isObject(value) || !accepts(value as Record<string, Json>),
  };
}

/** Accepts an answer; removes its value if `hasValue` is false. */
function acceptAnswer(outcome: { value?: unknown }, hasValue: boolean): true {
  if (!hasValue) delete outcome.value;
  return true;
}

/** Also accepts values that are similar to an option. */
function acceptSimilar(isSimilar: (option: Json, value: Json) => boolean): HubVariant["policy"] {
  return {
    checksAnswer: ({ options }, { value = null }) =>
      !Array.isArray(options) || !options.some((option) => isObject(option) && isSimilar(option.value ?? null, value)),
  };
}

/** Accepts an answer that fits the form after `change` has adapted each answered field. */
function readFormAs(change: (field: JsonObject, value: Json) => JsonObject): HubVariant["policy"] {
  return {
    checksAnswer({ schema = null }, { value = null }) {
      if (!isObject(schema) || !isObject(value)) return true;
      const properties = Object.entries(memberObject(schema, "properties")).map(([name, field]) => {
        const isAnswered = isObject(field) && Object.hasOwn(value, name);
        return [name, isAnswered ? change(field, value[name] as Json) : field];
      });
      return fitsForm({ ...schema, properties: Object.fromEntries(properties) })(value) !== true;
    },
  };
}

/** Ignores these keywords of a field if `isIgnored` is true for their value. */
function ignoreKeywords(keywords: readonly string[], isIgnored: (limit: Json) => boolean): HubVariant["policy"] {
  const isEnforced = ([name, limit]: [string, Json]) => !keywords.includes(name) || !isIgnored(limit);
  return readFormAs((field) => Object.fromEntries(Object.entries(field).filter(isEnforced)));
}

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxLength"];

/** Hubs that break a rule on asks: modes, options, forms and defaults. */
export const askVariants: readonly HubVariant[] = [
  ...breaks("AHCP-ASK-007", {
    "": [
      "accepts any answer to a confirm without options",
      { checksAnswer: ({ mode, options }) => mode !== "confirm" || options !== undefined },
    ],
  }),
  ...breaks("AHCP-ASK-008", {
    prefix: [
      "accepts the beginning of an option as the choice",
      {
        checksAnswer: ({ options }, { value }) =>
          !Array.isArray(options) || !options.some((option) => isPrefixOf(option, value)),
      },
    ],
    label: [
      "accepts a label as the option in a confirm",
      {
        checksAnswer: ({ mode, options }, { value }) =>
          mode !== "confirm" ||
          !Array.isArray(options) ||
          !options.some((option) => isObject(option) && option.label === value),
      },
    ],
    empty: [
      "treats an empty option as no answer",
      { checksAnswer: (_, outcome) => acceptAnswer(outcome, outcome.value !== "") },
    ],
    "": ["accepts any answer to a select", { checksAnswer: ({ mode }) => mode !== "select" }],
    confirm: [
      "accepts approve and deny for a confirm with other options",
      {
        checksAnswer: ({ mode, options }, { value }) =>
          mode !== "confirm" || options === undefined || (value !== "approve" && value !== "deny"),
      },
    ],
    normalised: [
      "normalizes options before it compares them",
      {
        checksAnswer({ options }, { resolution, value }) {
          const isOffered = (text: string): boolean =>
            Array.isArray(options) &&
            options.some((option) => isObject(option) && option.value === text.normalize("NFC"));
          return resolution !== "answered" || typeof value !== "string" || !isOffered(value);
        },
      },
    ],
    numeric: [
      "compares an answer with options as numbers if both look like numbers",
      acceptSimilar((option, value) => shortestNumber(option) === shortestNumber(value)),
    ],
    number: [
      "accepts a number as the option with the same digits",
      acceptSimilar((option, value) => typeof value === "number" && option === String(value)),
    ],
  }),
  ...breaks("AHCP-ASK-009", {
    enum: [
      "accepts any string for a field with an enum",
      {
        checksAnswer: ({ schema = null }, { value }) =>
          !JSON.stringify(schema).includes('"enum"') || !isObject(value) || typeof value.note !== "string",
      },
    ],
    bounds: [
      "ignores the bounds of a number in a form",
      acceptFormAnswers("minimum", ({ count }) => Number.isInteger(count)),
    ],
    pattern: [
      "ignores the pattern of a string in a form",
      acceptFormAnswers("pattern", ({ note }) => String(note).length > 2),
    ],
    integer: [
      "accepts any number as an integer in a form",
      acceptFormAnswers("integer", ({ count }) => typeof count === "number" && !Number.isInteger(count)),
    ],
    empty: [
      "treats an empty form as no answer",
      { checksAnswer: (_, outcome) => acceptAnswer(outcome, JSON.stringify(outcome.value) !== "{}") },
    ],
    secret: [
      "accepts a reference to a secret for any field of a form",
      {
        checksAnswer: (_, { value }) =>
          !isObject(value) ||
          !Object.values(value).some((member) => isObject(member) && typeof member.secret_ref === "string"),
      },
    ],
    "": ["accepts any answer to an input", { checksAnswer: ({ mode }) => mode !== "input" }],
    text: [
      "accepts a string for a number in a form, as web pages send it",
      {
        checksAnswer: ({ mode }, { value }) =>
          mode !== "input" || typeof memberObject({ value: value ?? null }, "value").count !== "string",
      },
    ],
    null: [
      "treats a field with the answer null as missing",
      {
        checksAnswer(request, { value }) {
          const { required } = memberObject(request, "schema");
          const isMissing = (name: Json) => isObject(value) && value[String(name)] === null;
          // A Response is judged without the missing member.
          if (Array.isArray(required) && required.some(isMissing)) delete (value as JsonObject)[String(required[0])];
          return true;
        },
      },
    ],
    "boolean-number": [
      "accepts 1 and 0 for a boolean field",
      readFormAs((field, value) =>
        field.type === "boolean" && (value === 1 || value === 0) ? { const: value } : field,
      ),
    ],
    "last-line": [
      "accepts a line feed after a string that matches the pattern of a field",
      readFormAs((field) =>
        typeof field.pattern === "string" ? { ...field, pattern: field.pattern.replace(/\$$/, "\\n?$") } : field,
      ),
    ],
    "minimum-text": [
      "compares an answer with the minimum of its field as strings",
      readFormAs(({ minimum, ...field }, value) => (String(value) < String(minimum) ? { not: {} } : field)),
    ],
    "zero-bounds": ["treats a bound of 0 as none", ignoreKeywords(bounds, (limit) => limit === 0)],
    "falsy-const": [
      "treats a field that can only be false, 0 or empty as unrestricted",
      ignoreKeywords(["const"], (constant) => !constant),
    ],
    "utf-16": [
      "counts the characters of an answer in UTF-16 code units",
      readFormAs(({ minLength = 0, ...field }, value) =>
        typeof value !== "string" || value.length >= Number(minLength) ? field : { not: {} },
      ),
    ],
  }),
  ...breaks("AHCP-ASK-010", {
    "": ["accepts any default of a select", { enforcesReason: ({ rule }) => rule !== "AHCP-ASK-010" }],
  }),
  ...breaks("AHCP-ASK-011", {
    "": ["accepts any default of an input", { enforcesReason: ({ rule }) => rule !== "AHCP-ASK-011" }],
  }),
  ...breaks("AHCP-ASK-012", {
    "": ["accepts any default of a confirm", { enforcesReason: ({ rule }) => rule !== "AHCP-ASK-012" }],
  }),
  ...breaks("AHCP-ASK-015", {
    "": [
      "lets an ask be answered against its permissions",
      {
        permitsOutcome: (message, resolution) =>
          resolution === "answered" || correctHubPolicy.permitsOutcome(message, resolution),
      },
    ],
    input: [
      "lets a form be filled in against its permissions",
      {
        permitsOutcome: (message, resolution) =>
          correctHubPolicy.permitsOutcome(message, resolution) ||
          (resolution === "answered" && memberObject(message, "request").mode === "input"),
      },
    ],
  }),
  ...breaks("AHCP-ASK-016", {
    confirm: [
      "lets a confirm be declined against its permissions",
      {
        permitsOutcome: (message, resolution) =>
          correctHubPolicy.permitsOutcome(message, resolution) ||
          (resolution === "declined" && memberObject(message, "request").mode === "confirm"),
      },
    ],
    "": [
      "lets an ask be declined against its permissions",
      {
        permitsOutcome: (message, resolution) =>
          resolution === "declined" || correctHubPolicy.permitsOutcome(message, resolution),
      },
    ],
  }),
  ...breaks("AHCP-ASK-017", {
    open: [
      "accepts ignored as the outcome of an ask, but shows the ask as open",
      {
        outcomesFor: (type) => [...correctHubPolicy.outcomesFor(type), ...(type === "ask" ? ["ignored"] : [])],
        ...changeBodies("read", (body) =>
          body.status === "ignored" ? { ...withoutMembers(body, "response"), status: "open" } : body,
        ),
      },
    ],
    "": [
      "accepts ignored as the outcome of an ask",
      { outcomesFor: (type) => [...correctHubPolicy.outcomesFor(type), ...(type === "ask" ? ["ignored"] : [])] },
    ],
  }),
];
