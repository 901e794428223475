import { add, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { batch, conditional, loop, parallel, sequential } from "./documents.ts";

const config = "/execution_policy/config";
const place = `${config}/steps/0/input_mapping/place`;

const typed = (properties: JsonObject, base = sequential()): JsonObject => ({
  ...base,
  interface: { input: { type: "object", properties }, output: {} },
});
const city = { city: {}, days: {}, stops: {} };

const grammar: Cases = {
  rule: "AGF-PATH-001",
  document: "agent",
  valid: [
    { name: "steps", says: "maps paths of the input and of a step", data: sequential(), at: `${config}/steps` },
    { name: "items", says: "goes through a list", data: batch(), at: `${config}/input_mapping/stop` },
    { name: "routes", says: "maps paths under a condition", data: conditional(), at: `${config}/routes` },
    { name: "parallel", says: "maps paths for agents at once", data: parallel(), at: `${config}/agents` },
    {
      name: "short",
      says: "is as short as a path can be, of an underscore",
      data: {
        ...sequential({ steps: [{ agent: "finder", input_mapping: { place: "parent.input._" } }] }),
        interface: { input: {}, output: {} },
      },
      at: place,
      edge: true,
    },
    {
      name: "items-last",
      says: "ends with the items of a list, of which each holds another",
      data: batch({ input_mapping: { stop: "parent.input.stops.[].[]" } }),
      at: `${config}/input_mapping/stop`,
      edge: true,
    },
    {
      name: "field-named-like-a-direction",
      says: "has a field named input",
      data: typed(
        { input: {}, days: {} },
        sequential({ steps: [{ agent: "finder", input_mapping: { place: "parent.input.input" } }] }),
      ),
      at: place,
    },
  ],
  invalid: [
    ...Object.entries({
      "no-field": ["parent.input", "ends with the direction"],
      "trailing-dot": ["parent.input.city.", "ends with a dot"],
      "items-first": ["parent.input.[]", "has items where a field belongs"],
      "no-source": ["input.city", "lacks its source"],
      "no-direction": ["parent.city", "lacks its direction"],
      "direction-in-capitals": ["parent.Input.city", "has a direction in capitals"],
      "two-dots": ["parent.input..city", "has two dots in a row"],
      hyphen: ["parent.input.city-name", "has a hyphen in the name of a field"],
      "digit-first": ["parent.input.2nd", "has a field that begins with a digit"],
      "json-path": ["$.input.city", "is a JSONPath"],
      template: ["{{parent.input.city}}", "is a template"],
      literal: ["Rome", "is plain text"],
      empty: ["", "is empty"],
      "space-after": ["parent.input.city ", "has a space after it"],
      "line-feed-after": ["parent.input.city\n", "has a line feed after it"],
      "slash-for-dot": ["parent/input/city", "has slashes for dots"],
      accent: ["parent.input.cité", "has a letter beyond ASCII"],
      index: ["parent.input.stops.0", "has a number for an item"],
      "alias-with-hyphen": ["find-er.output.places", "has a source that can be no alias"],
    } satisfies Record<string, [string, string]>).map(([name, [text, says]]) => ({
      name,
      says,
      change: set(place, text),
      ...(name === "trailing-dot" || name === "line-feed-after" ? { edge: true as const } : {}),
    })),
    {
      name: "items-without-dot",
      from: "items",
      says: "has no dot ahead of the items",
      change: add(`${config}/input_mapping/other`, "parent.input.stops[].name"),
    },
    {
      name: "one-item",
      from: "items",
      says: "picks one item of the list",
      change: add(`${config}/input_mapping/other`, "parent.input.stops.[0].name"),
    },
    {
      name: "later-step",
      says: "is no path",
      change: set(`${config}/steps/1/input_mapping/days`, "days"),
    },
    {
      name: "no-field-in-parallel",
      from: "parallel",
      says: "is no path",
      change: set(`${config}/agents/1/input_mapping/days`, "parent.input"),
    },
    {
      name: "route",
      from: "routes",
      says: "is no path",
      change: set(`${config}/routes/0/input_mapping/place`, "parent.query.city"),
    },
  ],
};

const hyphen = typed({ "my-field": {}, ...city });
const names: Cases = {
  rule: "AGF-IFACE-005",
  document: "agent",
  valid: [
    {
      name: "unmentioned",
      says: "has properties which no path could name, and none does",
      data: typed({ ...city, "my-field": {}, "2nd": {}, "": {}, größe: {} }),
      at: "/interface/input/properties",
      edge: true,
    },
    {
      name: "underscores",
      says: "has a property of an underscore and digits, and a path to it",
      data: typed(
        { ...city, _2: {} },
        sequential({ steps: [{ agent: "finder", input_mapping: { a: "parent.input._2" } }] }),
      ),
      at: "/interface/input/properties/_2",
    },
    {
      name: "hyphen-unmentioned",
      says: "has a property with a hyphen, and no path to it",
      data: hyphen,
      at: "/interface",
    },
    {
      name: "conditions",
      says: "has a property with a space, at which no condition looks",
      data: typed({ ...city, "my field": {} }, conditional()),
      at: "/interface",
    },
    {
      name: "loop",
      says: "has a property with a hyphen, at which no condition looks",
      data: typed({ ...city, "is-urgent": {} }, loop()),
      at: "/interface",
    },
    {
      name: "nested",
      says: "has items with a property that no path could name",
      data: typed({ ...city, stops: { items: { properties: { "the-name": {} } } } }, batch()),
      at: "/interface",
    },
  ],
  invalid: [
    {
      name: "hyphen",
      from: "hyphen-unmentioned",
      says: "refers to a property with a hyphen",
      change: set(place, "parent.input.my-field"),
    },
    {
      name: "digit-first",
      says: "refers to a property that begins with a digit",
      change: set(place, "parent.input.2nd"),
    },
    {
      name: "umlaut",
      says: "refers to a property with letters beyond ASCII",
      change: set(place, "parent.input.größe"),
      edge: true,
    },
    {
      name: "route",
      from: "conditions",
      says: "looks at a property with a space",
      change: add(`${config}/routes/0/when/args_match/parent.input.my field`, true),
    },
    {
      name: "exit",
      from: "loop",
      says: "looks at a property with a hyphen",
      change: add(`${config}/exit_condition/args_match/parent.input.is-urgent`, false),
    },
    {
      name: "nested-hyphen",
      from: "nested",
      says: "refers to a property of the items, with a hyphen",
      change: set(`${config}/input_mapping/stop`, "parent.input.stops.[].the-name"),
    },
  ],
};

export const pathCases: readonly Cases[] = [grammar, names];
