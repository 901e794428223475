import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { correctDecisions, type Decisions } from "../decisions.ts";
import { get, memberObject, RunError } from "../order.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Replaces members of an object with the defaults of its schema if they count as missing. */
function fillDefaults(isMissing: (value: Json) => boolean): Pick<Decisions, "interfaceValue"> {
  return {
    interfaceValue(schema, value) {
      if (!isObject(value)) return value;
      const members = Object.entries(value).map(([name, member]): [string, Json] => {
        const defaultValue = get(memberObject(memberObject(schema, "properties"), name), "default");
        return [name, defaultValue !== undefined && isMissing(member) ? defaultValue : member];
      });
      return Object.fromEntries(members) as JsonObject;
    },
  };
}

/** Omits a field if its path has no value. */
const omitMissing: Pick<Decisions, "missingValue"> = { missingValue: () => undefined };

/** Runtimes that pass on wrong values, or return wrong outputs. */
export const dataVariants: readonly RuntimeVariant[] = [
  ...breaks("AGF-PATH-007", {
    "": ["passes on null for a missing value", { missingValue: () => null }],
    length: [
      "resolves length as a field of a string or a list",
      { missingValue: (path) => (path.endsWith(".length") ? 1 : correctDecisions.missingValue(path)) },
    ],
    list: [
      "resolves a field of a list to that of its first item",
      { missingValue: (path) => (path.endsWith(".rows.n") ? 1 : correctDecisions.missingValue(path)) },
    ],
    stale: [
      "mixes the output of an agent with its previous output",
      {
        rememberedOutput: (before, output) =>
          isObject(before) && isObject(output) ? { ...before, ...output } : output,
      },
    ],
    items: [
      "passes the fields of a batch item on to the next item",
      { ...omitMissing, batchInput: (before) => ({ ...before }) },
    ],
  }),
  ...breaks("AGF-PATH-008", {
    "": ["passes nothing to the agent of a route", { routeInput: () => ({}) }],
    null: [
      "omits null members",
      {
        routeInput: (input) =>
          isObject(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : input,
      },
    ],
    default: ["applies the mapping of a route to the default agent", { defaultInput: (_, map) => map() }],
  }),
  ...breaks("AGF-PATH-009", {
    "": ["writes the fields of a mapping in upper case", { field: (name) => name.toUpperCase() }],
    falsy: [
      "omits fields with 0, false or an empty string",
      { passedValue: (value) => (value === 0 || value === false || value === "" ? undefined : value) },
    ],
    single: [
      "replaces a list of one item with the item",
      { passedValue: (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value) },
    ],
    null: ["omits null fields", { passedValue: (value) => (value === null ? undefined : value) }],
    "null-ends": [
      "ends a run with an error if a path has the value null",
      {
        passedValue(value) {
          if (value === null) throw new RunError("a path has the value null");
          return value;
        },
      },
    ],
    default: ["replaces null with the default of a schema", fillDefaults((value) => value === null)],
    "default-falsy": [
      "replaces 0, false and empty strings with the default of a schema",
      fillDefaults((value) => value === 0 || value === false || value === ""),
    ],
    rounds: ["forgets the outputs of a loop when its next round begins", { ...omitMissing, keepsRounds: () => false }],
    "first-round": [
      "keeps the first output of each agent of a loop",
      { rememberedOutput: (before, output) => before ?? output },
    ],
    texts: [
      "passes on numbers as strings",
      { passedValue: (value) => (typeof value === "number" ? String(value) : value) },
    ],
  }),
  ...breaks("AGF-OUT-002", {
    "": ["ignores case in a strategy", { isStrategy: (text) => correctDecisions.isStrategy(text.toLowerCase(), []) }],
    alias: ["treats the string last as an alias", { isStrategy: () => false }],
  }),
  ...breaks("AGF-OUT-003", {
    "": [
      "treats an agent with the alias last as the strategy",
      { namedAgent: (agent) => (agent === "last" ? { strategy: agent } : { agent }) },
    ],
    text: [
      "treats the string last as an agent if one has that alias",
      { isStrategy: (text, aliases) => correctDecisions.isStrategy(text, aliases) && !aliases.includes(text) },
    ],
  }),
  ...breaks("AGF-OUT-005", {
    "": ["returns the first output by default", { strategy: () => "first" }],
    null: ["ignores an output of null", { isOutput: (output) => output !== null }],
    falsy: [
      "ignores an output of 0, false or an empty string",
      { isOutput: (output) => output === null || Boolean(output) },
    ],
    list: ["merges outputs into a list", { mergeOutputs: (results) => results.map(({ output }) => output) }],
    lossy: [
      "merges only the outputs of the first and the last agent",
      {
        mergeOutputs: (results) =>
          correctDecisions.mergeOutputs(results.filter((_, index) => index === 0 || index === results.length - 1)),
      },
    ],
  }),
  ...breaks("AGF-OUT-006", {
    "": ["asks for unknown transforms", { knowsTransform: () => true }],
    last: ["passes only the last output to a transform", { transformInputs: (results) => results.slice(-1) }],
    outputs: [
      "ignores the name after the dot of a transform",
      { knowsTransform: (name, knownNames) => knownNames.some((known) => known.split(".")[0] === name.split(".")[0]) },
    ],
  }),
];
