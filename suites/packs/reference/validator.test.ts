import { describe, expect, it } from "vitest";
import {
  builtInPacks,
  type Document,
  type Json,
  type JsonObject,
  type Protocol,
  pointer,
  protocolNamed,
  type Rule,
} from "../../../schemas/index.ts";
import { locateSchemas } from "./locations.ts";
import { judgeFor } from "./validator.ts";

const base = "https://example.test/";
const schemas: JsonObject[] = [
  {
    $id: `${base}order.json`,
    type: "object",
    required: ["id", "lines"],
    properties: {
      id: { $ref: "parts/common.json#/$defs/Id" },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      parent: { $ref: "#" },
      "a/b": { type: "integer" },
      // A member with the name of a keyword, and data in the shape of a schema.
      if: { const: { type: "string" } },
    },
    dependentRequired: { parent: ["reason", "id"] },
    if: { required: ["reason"] },
    then: { properties: { reason: { minLength: 3 } } },
    $defs: {
      line: {
        type: "object",
        required: ["count", "name"],
        properties: {
          name: { type: "string", maxLength: 2 },
          count: { type: "integer" },
          inner: { $ref: "#/$defs/line" },
        },
        additionalProperties: false,
      },
    },
  },
  {
    $id: `${base}parts/common.json`,
    $defs: { Id: { type: "string", allOf: [{ $ref: "#/$defs/Short" }] }, Short: { maxLength: 3 } },
  },
];
const rule = (id: string, site: string) => ({ id, sites: [`${base}${site}`] }) as unknown as Rule;
const order = { name: "order", schema: `${base}order.json` } as Document;
const protocol = {
  name: "orders",
  profile: { documents: [order] },
  schemas,
  rules: [
    rule("ALL", "order.json#"),
    rule("NAME", "order.json#/$defs/line/required/1"),
    rule("SHORT", "parts/common.json#/$defs/Short"),
  ],
} as unknown as Protocol;

async function reasonsFor(value: Json) {
  const judge = await judgeFor(protocol);
  return judge(order, value).map(({ at, keyword, site, rule }) => [at, keyword, site?.replace(base, ""), rule]);
}

describe("judgeFor", () => {
  it("refuses an unevaluated member that is named like an inherited property", async () => {
    const closed = { $id: `${base}closed.json`, properties: { a: true }, unevaluatedProperties: false };
    const judge = await judgeFor({ ...protocol, schemas: [closed], rules: [] } as unknown as Protocol);
    const document = { name: "closed", schema: closed.$id } as Document;
    expect(judge(document, { a: 1 })).toEqual([]);
    for (const name of ["constructor", "toString"])
      expect(judge(document, { a: 1, [name]: 1 })).toMatchObject([{ at: "", keyword: "unevaluatedProperties" }]);
  });

  it("refuses such a member even if a condition or a pattern may evaluate other members", async () => {
    const then = { properties: { b: true }, patternProperties: { "^[x-z]$": true } };
    const condition = { if: { properties: { a: { const: 2 } }, required: ["a"] }, then };
    const closed = { $id: `${base}closed.json`, properties: { a: true }, ...condition, unevaluatedProperties: false };
    const judge = await judgeFor({ ...protocol, schemas: [closed], rules: [] } as unknown as Protocol);
    const document = { name: "closed", schema: closed.$id } as Document;
    for (const value of [{ a: 1 }, { a: 2, b: 1 }, { a: 2, z: 1 }]) expect(judge(document, value)).toEqual([]);
    for (const name of ["b", "constructor", "toString"])
      expect(judge(document, { a: 1, [name]: 1 })).toMatchObject([{ at: "", keyword: "unevaluatedProperties" }]);
  });

  it.each<[string, Json, unknown[]]>([
    ["the root", 7, ["", "type", "order.json#/type", "ALL"]],
    ["an entry of required", { id: "a" }, ["", "required", "order.json#/required/1", "ALL"]],
    [
      "a definition in the same file",
      { id: "a", lines: [{ count: 1 }] },
      ["/lines/0", "required", "order.json#/$defs/line/required/1", "NAME"],
    ],
    [
      "a recursive definition",
      { id: "a", lines: [{ name: "x", count: 1, inner: { name: "xyz", count: 1 } }] },
      ["/lines/0/inner/name", "maxLength", "order.json#/$defs/line/properties/name/maxLength", "ALL"],
    ],
    [
      "an undeclared member",
      { id: "a", lines: [{ name: "x", count: 1, more: 1 }] },
      ["/lines/0", "additionalProperties", "order.json#/$defs/line/additionalProperties", "ALL"],
    ],
    [
      "a definition of a definition in another file",
      { id: "long", lines: [] },
      ["/id", "maxLength", "parts/common.json#/$defs/Short/maxLength", "SHORT"],
    ],
    [
      "an assertion without a rule",
      { id: 7, lines: [] },
      ["/id", "type", "parts/common.json#/$defs/Id/type", undefined],
    ],
    [
      "the root by reference",
      { id: "a", lines: [], reason: "why", parent: { id: "a" } },
      ["/parent", "required", "order.json#/required/1", "ALL"],
    ],
    [
      "a dependency",
      { id: "a", lines: [], parent: { id: "a", lines: [] } },
      ["", "dependentRequired", "order.json#/dependentRequired/parent/0", "ALL"],
    ],
    [
      "a branch",
      { id: "a", lines: [], reason: "x" },
      ["/reason", "minLength", "order.json#/then/properties/reason/minLength", "ALL"],
    ],
    [
      "a name that needs escaping",
      { id: "a", lines: [], "a/b": "x" },
      ["/a~1b", "type", "order.json#/properties/a~1b/type", "ALL"],
    ],
    [
      "a member named like a keyword",
      { id: "a", lines: [], if: 1 },
      ["/if", "const", "order.json#/properties/if/const", "ALL"],
    ],
  ])("returns the absolute location of %s", async (_, value, expectedReason) => {
    expect((await reasonsFor(value))[0]).toEqual(expectedReason);
  });

  it("returns the location of the failed branch, not of the condition", async () => {
    expect((await reasonsFor({ id: "a", lines: [], reason: "x" }))[1]).toEqual(["", "if", "order.json#/then", "ALL"]);
  });

  it("accepts a valid value", async () => {
    expect(await reasonsFor({ id: "abc", lines: [{ name: "😀😀", count: 1.0 }], more: true })).toEqual([]);
  });

  it("refuses an instance that is too deep for the stack", async () => {
    let value: Json = { id: "a", lines: [] };
    for (let depth = 0; depth < 100_000; depth += 1) value = { id: "a", lines: [], reason: "why", parent: value };
    expect((await judgeFor(protocol))(order, value)).toEqual([{ at: "", message: "is nested too deeply" }]);
  });
});

describe.each(builtInPacks)("the sites of $name", ({ name }) => {
  it("exist in its schemas, for every fault in a sample", async () => {
    const builtIn = protocolNamed(name);
    const judge = await judgeFor(builtIn);
    const { schemasByLocation } = locateSchemas(builtIn.schemas);
    const reportedSites = new Set<string>();
    for (const document of builtIn.profile.documents) {
      for (const sample of document.samples ?? []) {
        expect(judge(document, sample)).toEqual([]);
        for (const variation of variations(sample)) {
          for (const { site = "" } of judge(document, variation)) reportedSites.add(site);
        }
      }
    }
    expect(reportedSites.size).toBeGreaterThan(20);
    const missing = [...reportedSites].filter((site) => {
      const [id, path = ""] = site.split("#");
      const root = schemasByLocation.get(`${id}#`);
      return root === undefined || !pointer.has(path, root);
    });
    expect(missing).toEqual([]);
  });
});

/** Copies of the sample, each with one value replaced by a value of another type, or with one member removed. */
function* variations(sample: Json): Generator<Json> {
  for (const at of pointersIn(sample, "")) {
    for (const replacement of [7.5, "", null, [[]], { other: 1 }, undefined]) {
      const copy = structuredClone(sample);
      if (at === "") {
        if (replacement !== undefined) yield replacement;
        continue;
      }
      const { parent, last } = pointer.split(at);
      const holder = pointer.at(parent, copy) as JsonObject;
      if (replacement !== undefined) holder[last] = replacement;
      else if (!Array.isArray(holder)) delete holder[last];
      yield copy;
    }
  }
}

function pointersIn(value: Json, at: string): string[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [at, ...members.flatMap(([name, member]) => pointersIn(member as Json, pointer.append(at, name)))];
}
