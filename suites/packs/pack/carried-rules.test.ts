import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Json, readPack } from "../../../schemas/index.ts";
import { ruled } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const eventSchema = (type: string) => ({ type: "object", required: ["type"], properties: { type: { const: type } } });
const files = {
  "profile.json": {
    documents: [
      { file: "schemas/bus.json#/$defs/opened", endpoint: "/events" },
      { file: "schemas/bus.json#/$defs/read", endpoint: "/events" },
      { file: "schemas/batch.json", endpoint: "/events" },
      { file: "schemas/frame.json", endpoint: "/frames" },
      { file: "schemas/named.json", endpoint: "/named" },
      { file: "schemas/told.json", role: "emitted" },
    ],
  },
  "schemas/bus.json": {
    $defs: {
      opened: eventSchema("opened"),
      read: eventSchema("read"),
      any: { oneOf: [{ $ref: "#/$defs/opened" }, { $ref: "#/$defs/read" }] },
    },
  },
  "schemas/batch.json": { type: "array", items: { $ref: "bus.json#/$defs/any" } },
  "schemas/frame.json": {
    properties: { head: { allOf: [{ $ref: "bus.json#/$defs/read" }] }, next: { $ref: "#" } },
  },
  "schemas/named.json": { type: "array", items: { $ref: "bus.json#/$defs/any" } },
  "schemas/told.json": { type: "array", items: { $ref: "bus.json#/$defs/any" } },
  "rules/read.yaml": {
    rules: {
      "READ-SPAN-001": {
        statement: "It ends later.",
        document: "read",
        check: { atMost: { "/from": "/to" } },
      },
      "READ-ODD-001": {
        statement: "It is odd.",
        check: { noneOf: { "/even": [true] } },
        cases: {
          read: { valid: { odd: { says: "is odd", data: { type: "read", even: false } } } },
          named: { valid: { odd: { says: "is odd", data: [{ type: "read", even: false }] } } },
        },
      },
    },
  },
};
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
}

describe("the rules of a document that other documents contain", async () => {
  const { families } = await ruled(readPack(folder));
  const breachesIn = (document: string, message: Json): string[] =>
    families.flatMap(({ checkers }) =>
      checkers
        .filter(({ documents }) => documents.includes(document))
        .flatMap(({ rule, check }) => [...(check?.(message, document) ?? [])].map(({ at }) => `${rule} ${at}`)),
    );
  const endsEarly = { type: "read", from: 2, to: 1 };

  it("apply to each item that is such a document", () => {
    expect(breachesIn("batch", [{ type: "opened" }, endsEarly])).toEqual(["READ-SPAN-001 /1/from"]);
    expect(breachesIn("frame", { head: endsEarly, next: { head: endsEarly } })).toEqual(["READ-SPAN-001 /head/from"]);
  });

  it("do not apply to items of a different kind, or to values of a different shape", () => {
    expect(breachesIn("batch", [{ ...endsEarly, type: "opened" }, { from: 2, to: 1 }, 7, null])).toEqual([]);
    expect(breachesIn("batch", endsEarly)).toEqual([]);
  });

  it("do not apply if a rule names the containing document itself, or if no server receives it", () => {
    expect(breachesIn("named", [{ type: "read", even: true }])).toEqual([]);
    expect(breachesIn("told", [endsEarly])).toEqual([]);
  });
});
