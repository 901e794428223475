import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, Json, JsonObject, Reading, ValidCase } from "../../../../schemas/index.ts";
import { schema, schemaFileCases } from "./schema-file.cases.ts";

const release = (version: string): JsonObject => ({ old: schema("1.0.0"), new: schema(version) });

/** What is neither an addition of an optional member nor takes anything away. */
const patched: Reading[] = [
  { verdict: "valid", by: ["specification"], why: "nothing is removed, narrowed or of another type" },
  { verdict: "invalid", by: ["strict reading"], why: "a patch adds optional members and nothing else" },
];

/** Changes of a member that break no message, though the schema reads otherwise. */
const harmless: ValidCase[] = (
  [
    ["false-to-true", "is allowed now", false, true],
    ["integer-to-number", "may have a fraction now", { type: "integer" }, { type: "number" }],
    ["wider-pattern", "allows more texts", { type: "string", pattern: "^[A-Z]{3}$" }, { pattern: "^[A-Z]{2,4}$" }],
    ["equal-pattern", "is written in another way", { pattern: "^[a-z0-9]+$" }, { pattern: "^[0-9a-z]+$" }],
    [
      "open-said",
      "is said to be open, which it was",
      { type: "object" },
      { type: "object", additionalProperties: true },
    ],
    ["enum-in-two", "has its values in two halves", { enum: ["a", "b"] }, { anyOf: [{ const: "a" }, { const: "b" }] }],
    ["anything-said", "is said to be anything", {}, { propertyNames: true, items: true }],
  ] satisfies [string, string, Json, Json][]
).map(([name, says, old, now]) => ({
  name,
  data: { old: withMember("1.0.0", "mood", old), new: withMember("1.1.0", "mood", now) },
  at: "/new/properties/mood",
  says,
}));

export const releaseCases: readonly Cases[] = [
  ...schemaFileCases,
  {
    rule: "CONV-VER-002",
    document: "release",
    valid: [
      {
        name: "optional-member",
        data: { ...release("1.0.1"), new: withMember("1.0.1", "mood") },
        at: "/new/properties/mood",
        says: "is a new optional member in a patch",
      },
      { name: "nothing", data: release("1.0.1"), says: "changes nothing but the version", edge: true },
      {
        name: "words",
        data: { ...release("1.0.1"), new: schema("1.0.1", { description: "How an agent is." }) },
        at: "/new/description",
        says: "is said otherwise",
        edge: true,
      },
      {
        name: "minor-value",
        data: { ...release("1.1.0"), new: withValue("1.1.0") },
        at: "/new/properties/status/enum",
        says: "has a new value in a minor release",
      },
    ],
    invalid: [
      {
        name: "open-member-gone",
        from: "nothing",
        says: "lacks a member of an open object in a patch",
        at: "/new/properties/context/properties",
        change: remove("/new/properties/context/properties/note"),
      },
    ],
    disputed: [
      {
        name: "new-value",
        from: "nothing",
        says: "has a new value in a patch",
        change: add("/new/properties/status/enum/-", "idle"),
        readings: patched,
      },
      {
        name: "deprecation",
        from: "nothing",
        says: "is marked in a patch",
        change: add("/new/properties/context/deprecated", true),
        readings: patched,
      },
      {
        name: "higher-limit",
        from: "nothing",
        says: "is raised in a patch",
        change: set("/new/properties/context/properties/load/maximum", 200),
        readings: patched,
      },
      {
        name: "no-limit",
        from: "nothing",
        says: "is dropped in a patch",
        change: remove("/new/properties/context/properties/load/maximum"),
        readings: patched,
      },
      {
        name: "less-required",
        from: "nothing",
        says: "requires less in a patch",
        change: remove("/new/required/0"),
        readings: patched,
      },
    ],
  },
  {
    rule: "CONV-VER-003",
    document: "release",
    valid: [
      {
        name: "deprecated",
        data: { ...release("1.1.0"), new: schema("1.1.0", { deprecated: true }) },
        at: "/new/deprecated",
        says: "is marked in a minor release",
        edge: true,
      },
      { name: "plain", data: release("1.1.0"), says: "keeps all in a minor release" },
      {
        name: "dropped-in-a-major",
        data: { old: schema("1.0.0"), new: { ...schema("2.0.0"), properties: { status: { type: "string" } } } },
        at: "/new/properties",
        says: "lacks a member in a major release",
      },
    ],
    invalid: [
      {
        name: "open-member-gone",
        from: "plain",
        says: "lacks a member of an open object",
        at: "/new/properties/context/properties",
        change: remove("/new/properties/context/properties/note"),
      },
      {
        name: "open-member-renamed",
        from: "plain",
        says: "has a member under another name",
        at: "/new/properties/context/properties",
        change: [
          ...remove("/new/properties/context/properties/note"),
          ...add("/new/properties/context/properties/notes", { type: "string" }),
        ],
      },
    ],
  },
  {
    rule: "CONV-VER-004",
    document: "release",
    valid: [
      {
        name: "major",
        data: { ...release("2.0.0"), new: { ...schema("2.0.0"), required: ["status", "context"] } },
        at: "/new/required",
        says: "requires more in a major release",
      },
      { name: "minor", data: release("1.2.0"), says: "breaks nothing in a minor release", edge: true },
      { name: "patch", data: release("1.0.2"), says: "breaks nothing in a patch release" },
      ...harmless,
    ],
    invalid: [
      {
        name: "required",
        from: "minor",
        says: "requires more in a minor release",
        change: add("/new/required/-", "context"),
        at: "/new/required",
      },
      {
        name: "required-in-a-patch",
        from: "patch",
        says: "requires more in a patch release",
        change: add("/new/required/-", "context"),
        at: "/new/required",
      },
      {
        name: "value-gone",
        from: "minor",
        says: "lacks a value in a minor release",
        change: remove("/new/properties/status/enum/1"),
        at: "/new/properties/status/enum",
      },
      {
        name: "closed-member-gone",
        from: "minor",
        says: "lacks a member of the closed root",
        at: "/new/properties",
        change: remove("/new/properties/context"),
      },
      {
        name: "lower-limit",
        from: "minor",
        says: "is lowered",
        change: set("/new/properties/context/properties/load/maximum", 99),
      },
      {
        name: "retyped",
        from: "minor",
        says: "is of another type",
        change: set("/new/properties/context/properties/load/type", "integer"),
      },
      {
        name: "closed",
        from: "minor",
        says: "is closed now",
        change: add("/new/properties/context/additionalProperties", false),
      },
      {
        name: "pattern",
        from: "minor",
        says: "has a pattern now",
        change: add("/new/properties/context/properties/note/pattern", "^x"),
      },
    ],
  },
];

function withMember(version: string, name: string, member: Json = { type: "string" }): JsonObject {
  const made = schema(version);
  return { ...made, properties: { ...(made.properties as JsonObject), [name]: member } };
}

function withValue(version: string): JsonObject {
  const made = schema(version);
  return {
    ...made,
    properties: { ...(made.properties as JsonObject), status: { type: "string", enum: ["ready", "busy", "idle"] } },
  };
}
