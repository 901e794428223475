import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";

const files = [
  "schema-task.yaml",
  "schema-status.yaml",
  "schema-coordination.yaml",
  "schema-escalation.yaml",
  "schema-acknowledgment.yaml",
];

/** A small schema file, as one of a category is. */
export function schema(version: string, more: JsonObject = {}): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `https://example.org/schemas/status/v${version.split(".")[0]}`,
    version,
    type: "object",
    required: ["status"],
    properties: {
      status: { type: "string", enum: ["ready", "busy"] },
      context: { type: "object", properties: { load: { type: "number", maximum: 100 }, note: { type: "string" } } },
    },
    additionalProperties: false,
    ...more,
  };
}

export const schemaFileCases: readonly Cases[] = [
  {
    rule: "CONV-NAM-003",
    document: "schema-folder",
    valid: [
      { name: "yaml", data: { files }, at: "/files", says: "has the five" },
      {
        name: "json-and-others",
        data: { files: ["README.md", "schema-task.json", ...files.slice(1)] },
        at: "/files",
        says: "has the five, one of them in JSON, and another file",
        edge: true,
      },
    ],
    invalid: [
      {
        name: "short-name",
        says: "is named after the prefix of its types",
        change: set("/files/2", "schema-coord.yaml"),
      },
      {
        name: "other-short-name",
        says: "is named after the prefix of its types",
        change: set("/files/4", "schema-ack.yaml"),
      },
      { name: "one-missing", says: "has no file of acknowledgments", at: "/files", change: remove("/files/4") },
      { name: "other-ending", says: "ends in yml", at: "/files/0", change: set("/files/0", "schema-task.yml") },
    ],
    disputed: [
      {
        name: "one-twice",
        says: "is there in YAML already",
        at: "/files/5",
        change: add("/files/-", "schema-task.json"),
        readings: [
          { verdict: "valid", by: ["specification"], why: "the five are there" },
          { verdict: "invalid", by: ["strict reading"], why: "one file for each category, and no others" },
        ],
      },
      {
        name: "by-type",
        says: "is named after a type of message",
        at: "/files/5",
        change: add("/files/-", "schema-task-assignment.yaml"),
        readings: [
          { verdict: "valid", by: ["specification"], why: "the five are there" },
          { verdict: "invalid", by: ["strict reading"], why: "one file for each category, and no others" },
        ],
      },
    ],
  },
  {
    rule: "CONV-VER-001",
    document: "schema-file",
    valid: [
      { name: "first", data: schema("1.0.0"), says: "says its version twice" },
      { name: "tenth", data: schema("10.2.3"), says: "has a major of two digits", edge: true },
    ],
    invalid: [
      { name: "another-major", says: "has another major than $id", change: set("/version", "2.0.0") },
      {
        name: "first-digit-only",
        from: "tenth",
        says: "shares only the first digit with $id",
        change: set("/version", "1.2.3"),
      },
      {
        name: "another-major-of-no-category",
        says: "names no category, and another major than the version",
        change: [...set("/$id", "https://example.org/schemas/coord/v1"), ...set("/version", "2.0.0")],
        at: "/version",
      },
      { name: "two-parts", says: "has two parts", change: set("/version", "1.0") },
      { name: "leading-v", says: "begins with a v", change: set("/version", "v1.0.0") },
      { name: "no-version", says: "is not there", change: remove("/version") },
      {
        name: "draft-07",
        says: "is that of draft-07",
        change: set("/$schema", "http://json-schema.org/draft-07/schema#"),
      },
      { name: "no-major", says: "has no major version", change: set("/$id", "https://example.org/schemas/status") },
      {
        name: "more-behind",
        says: "has more behind the major version",
        change: set("/$id", "https://example.org/schemas/status/v1/schema"),
      },
    ],
    disputed: [
      {
        name: "no-category",
        says: "names no category",
        change: set("/$id", "https://example.org/schemas/coord/v1"),
        readings: [
          { verdict: "valid", by: ["specification"], why: "only the form of the address is fixed" },
          { verdict: "invalid", by: ["strict reading"], why: "the word is the name of a category" },
        ],
      },
    ],
  },
];
