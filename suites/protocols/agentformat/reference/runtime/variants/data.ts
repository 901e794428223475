import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { type Decisions, rightDecisions } from "../decisions.ts";
import { get, memberObject, RunError } from "../order.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Fills members of an object with the defaults of its schema, if their value is missing by this test. */
function fillDefaults(isMissing: (value: Json) => boolean): Pick<Decisions, "faced"> {
  return {
    faced(schema, value) {
      if (!isObject(value)) return value;
      const members = Object.entries(value).map(([name, each]): [string, Json] => {
        const defaultValue = get(memberObject(memberObject(schema, "properties"), name), "default");
        return [name, defaultValue !== undefined && isMissing(each) ? defaultValue : each];
      });
      return Object.fromEntries(members) as JsonObject;
    },
  };
}

/** Calls an agent without a field if its path has no value. */
const lenient: Pick<Decisions, "missingValue"> = { missingValue: () => undefined };

/** Runtimes that pass on wrong values, or return wrong outputs. */
export const data: readonly RuntimeVariant[] = [
  ...breaks("AGF-PATH-007", {
    "": ["passes on null for a missing value", { missingValue: () => null }],
    length: [
      "treats the length of a text or a list as a field of it",
      { missingValue: (path) => (path.endsWith(".length") ? 1 : rightDecisions.missingValue(path)) },
    ],
    list: [
      "treats the first item of a list as the list",
      { missingValue: (path) => (path.endsWith(".rows.n") ? 1 : rightDecisions.missingValue(path)) },
    ],
    stale: [
      "mixes the output of an agent with its previous output",
      {
        rememberedOutput: (before, output) =>
          isObject(before) && isObject(output) ? { ...before, ...output } : output,
      },
    ],
    items: [
      "gives an item of a batch the fields of the one before",
      { ...lenient, batchInput: (before) => ({ ...before }) },
    ],
  }),
  ...breaks("AGF-PATH-008", {
    "": ["passes nothing to the agent of a route", { routeInput: () => ({}) }],
    null: [
      "leaves out members whose value is null",
      {
        routeInput: (input) =>
          isObject(input) ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) : input,
      },
    ],
    default: ["gives the default agent the mapping of a route", { defaultInput: (_, map) => map() }],
  }),
  ...breaks("AGF-PATH-009", {
    "": ["writes the fields of a mapping in upper case", { field: (name) => name.toUpperCase() }],
    falsy: [
      "leaves out fields whose value is 0, false or empty text",
      { passedValue: (value) => (value === 0 || value === false || value === "" ? undefined : value) },
    ],
    single: [
      "passes on the item of a list with a single item",
      { passedValue: (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value) },
    ],
    null: ["leaves out fields whose value is null", { passedValue: (value) => (value === null ? undefined : value) }],
    "null-ends": [
      "ends a run with an error if a path leads to null",
      {
        passedValue(value) {
          if (value === null) throw new RunError("a path leads to null");
          return value;
        },
      },
    ],
    default: ["replaces null with the default of a schema", fillDefaults((value) => value === null)],
    "default-falsy": [
      "replaces 0, false and empty text with the default of a schema",
      fillDefaults((value) => value === 0 || value === false || value === ""),
    ],
    rounds: ["forgets the outputs of a loop when its next round begins", { ...lenient, keepsRounds: () => false }],
    "first-round": [
      "keeps the first output of each agent of a loop",
      { rememberedOutput: (before, output) => before ?? output },
    ],
    texts: [
      "passes on numbers as texts",
      { passedValue: (value) => (typeof value === "number" ? String(value) : value) },
    ],
  }),
  ...breaks("AGF-OUT-002", {
    "": ["ignores case in a strategy", { isStrategy: (text) => rightDecisions.isStrategy(text.toLowerCase(), []) }],
    alias: ["treats the text last as an alias", { isStrategy: () => false }],
  }),
  ...breaks("AGF-OUT-003", {
    "": [
      "treats the agent of the alias last as the strategy",
      { namedAgent: (agent) => (agent === "last" ? { strategy: agent } : { agent }) },
    ],
    text: [
      "treats the text last as an agent, if one has that alias",
      { isStrategy: (text, aliases) => rightDecisions.isStrategy(text, aliases) && !aliases.includes(text) },
    ],
  }),
  ...breaks("AGF-OUT-005", {
    "": ["gives the first output by default", { strategy: () => "first" }],
    null: ["treats an output of null as none", { isOutput: (output) => output !== null }],
    falsy: [
      "treats an output of 0, false or empty text as none",
      { isOutput: (output) => output === null || Boolean(output) },
    ],
    list: ["merges outputs into a list", { merged: (results) => results.map(({ output }) => output) }],
    lossy: [
      "merges only the outputs of the first and the last agent",
      {
        merged: (results) =>
          rightDecisions.merged(results.filter((_, index) => index === 0 || index === results.length - 1)),
      },
    ],
  }),
  ...breaks("AGF-OUT-006", {
    "": ["asks for unknown transforms", { knowsTransform: () => true }],
    last: ["gives a transform only the last output", { transformed: (results) => results.slice(-1) }],
    outputs: [
      "ignores the name after the dot of a transform",
      { knowsTransform: (name, knownNames) => knownNames.some((each) => each.split(".")[0] === name.split(".")[0]) },
    ],
  }),
];
