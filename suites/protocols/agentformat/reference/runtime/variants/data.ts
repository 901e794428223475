import { right } from "../decisions.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Runtimes that hand on something else, or put out something else. */
export const data: readonly RuntimeVariant[] = [
  ...breaks("AGF-PATH-007", {
    "": ["passes on null for a missing value", { nothing: () => null }],
    length: [
      "treats the length of a text or a list as a field of it",
      { nothing: (path) => (path.endsWith(".length") ? 1 : right.nothing(path)) },
    ],
    list: [
      "treats the first item of a list as the list",
      { nothing: (path) => (path.endsWith(".rows.n") ? 1 : right.nothing(path)) },
    ],
  }),
  ...breaks("AGF-PATH-008", {
    "": ["hands nothing to the agent of a route", { routeInput: () => ({}) }],
  }),
  ...breaks("AGF-PATH-009", {
    "": ["writes the fields of a mapping in capitals", { field: (name) => name.toUpperCase() }],
    falsy: [
      "leaves out fields of 0, false and empty text",
      { handedOn: (value) => (value === 0 || value === false || value === "" ? undefined : value) },
    ],
    single: [
      "hands on the item of a list that has no other",
      { handedOn: (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value) },
    ],
    texts: ["hands on numbers as texts", { handedOn: (value) => (typeof value === "number" ? String(value) : value) }],
  }),
  ...breaks("AGF-OUT-002", {
    "": ["does not mind capitals in a strategy", { isStrategy: (text) => right.isStrategy(text.toLowerCase(), []) }],
    alias: ["treats the text last as an alias", { isStrategy: () => false }],
  }),
  ...breaks("AGF-OUT-003", {
    "": [
      "treats the agent of the alias last as the strategy",
      { namedAgent: (agent) => (agent === "last" ? { strategy: agent } : { agent }) },
    ],
    text: [
      "treats the text last as an agent, if one has that alias",
      { isStrategy: (text, aliases) => right.isStrategy(text, aliases) && !aliases.includes(text) },
    ],
  }),
  ...breaks("AGF-OUT-005", {
    "": ["gives the first output by default", { strategy: () => "first" }],
    list: ["merges outputs into a list", { merged: (results) => results.map(({ output }) => output) }],
    lossy: [
      "merges the outputs of the first and the last agent alone",
      { merged: (results) => right.merged(results.filter((_, at) => at === 0 || at === results.length - 1)) },
    ],
  }),
  ...breaks("AGF-OUT-006", {
    "": ["asks for transforms that there are not", { knowsTransform: () => true }],
    last: ["gives a transform the last output alone", { transformed: (results) => results.slice(-1) }],
    outputs: [
      "does not look at the name behind the dot of a transform",
      { knowsTransform: (name, known) => known.some((each) => each.split(".")[0] === name.split(".")[0]) },
    ],
  }),
];
