import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { fits } from "../../../rules/form.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { type HubVariant, inner } from "./variant.ts";

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

/** Takes what is alike to an option. */
function choosing(isAlike: (option: Json, value: Json) => boolean): HubVariant["policy"] {
  return {
    checksAnswer: ({ options }, { value = null }) =>
      !Array.isArray(options) || !options.some((each) => isObject(each) && isAlike(each.value ?? null, value)),
  };
}

function isNumeric(value: Json): boolean {
  return typeof value === "string" && /^[\d.]+$/.test(value);
}

/** Keeps another answer than the one that was given. */
function answered(change: (value: Json) => Json | undefined): HubVariant["policy"] {
  return {
    envelope(envelope) {
      const { value, ...response } = inner(envelope, "response");
      const kept = envelope.resolution === "answered" && value !== undefined ? change(value) : value;
      return { ...envelope, response: { ...response, ...(kept === undefined ? {} : { value: kept }) } };
    },
  };
}

function withTexts<T extends Json | undefined>(value: T): Json | T {
  const isText = (each: Json) => typeof each !== "number" && typeof each !== "boolean";
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isText(each) ? each : String(each)]));
}

function showing(change: (shown: JsonObject) => JsonObject): HubVariant["policy"] {
  return { echo: (message, entry) => change(right.echo(message, entry)) };
}

function dataAsTexts(part: Json): Json {
  return isObject(part) && part.data !== undefined ? { ...part, data: withTexts(part.data) } : part;
}

/** The field without the keywords that hold such a value. */
function ignoring(keywords: readonly string[], isIgnored: (limit: Json) => boolean): HubVariant["policy"] {
  const isLeft = ([name, limit]: [string, Json]) => !keywords.includes(name) || !isIgnored(limit);
  return reading((field) => Object.fromEntries(Object.entries(field).filter(isLeft)));
}

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxLength"];

/** What loose types make of a value that is falsy, or written like one of another type. */
export const valueVariants: readonly HubVariant[] = [
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
    rule: "AHCP-RSP-010",
    name: "numeric",
    says: "keeps an answer that is written like a number as that is written shortest",
    policy: answered((value) => (isNumeric(value) ? String(Number(value)) : value)),
  },
  {
    rule: "AHCP-RSP-010",
    name: "whole",
    says: "keeps the whole part of a number that is filled in",
    policy: answered((value) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, each]) => [name, typeof each === "number" ? Math.trunc(each) : each]),
          )
        : value,
    ),
  },
  {
    rule: "AHCP-RSP-010",
    name: "last-line",
    says: "keeps an answer without the end of its last line",
    policy: answered((value) => (typeof value === "string" ? value.replace(/\n$/, "") : value)),
  },
  {
    rule: "AHCP-RSP-011",
    name: "zero",
    says: 'loses the answer "0"',
    policy: answered((value) => (value === "0" ? undefined : value)),
  },
  {
    rule: "AHCP-EXP-005",
    name: "numbers",
    says: "applies a default with its numbers and what is true or false as texts",
    policy: { fallback: (message) => withTexts(right.fallback(message)) },
  },
  {
    rule: "AHCP-EXP-005",
    name: "zero",
    says: 'takes the default "0" for none',
    policy: {
      fallback: (message) => (blockOf(message).default_on_expire === "0" ? undefined : right.fallback(message)),
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "data-numbers",
    says: "keeps the numbers of a data Part as texts",
    policy: showing(({ context, ...shown }) => ({
      ...shown,
      ...(Array.isArray(context) ? { context: context.map(dataAsTexts) } : {}),
    })),
  },
  {
    rule: "AHCP-GET-003",
    name: "last-line",
    says: "keeps a body without the end of its last line",
    policy: showing((shown) => ({
      ...shown,
      ...(typeof shown.body === "string" ? { body: shown.body.replace(/\n$/, "") } : {}),
    })),
  },
  {
    rule: "AHCP-GET-003",
    name: "zero",
    says: 'loses members whose text is "0"',
    policy: showing((shown) => Object.fromEntries(Object.entries(shown).filter(([, each]) => each !== "0"))),
  },
  {
    rule: "AHCP-GET-003",
    name: "numeric",
    says: "keeps a client_ref that is written like a number as that is written shortest",
    policy: showing((shown) => ({
      ...shown,
      ...(isNumeric(shown.client_ref ?? null) ? { client_ref: String(Number(shown.client_ref)) } : {}),
    })),
  },
  {
    rule: "AHCP-RSP-014",
    name: "numeric",
    says: "names a run that is written like a number as that is written shortest",
    policy: {
      envelope(envelope) {
        const { run_id = "", ...agent } = inner(envelope, "agent");
        return { ...envelope, agent: { ...agent, run_id: isNumeric(run_id) ? String(Number(run_id)) : run_id } };
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
];
