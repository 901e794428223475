import { describe, expect, it } from "vitest";
import type { JsonObject, Protocol } from "../../../schemas/index.ts";
import { describeNearest, isRecognized, recognize } from "./recognize.ts";

const base = "https://likeness.test/";

function protocolOf(schemas: Readonly<Record<string, JsonObject>>): Protocol {
  const documents = Object.keys(schemas).map((name) => ({
    name,
    title: name,
    role: "entry",
    schema: `${base}${name}`,
  }));
  return {
    name: "parcels",
    profile: { documents },
    schemas: Object.entries(schemas).map(([name, schema]) => ({ $id: `${base}${name}`, ...schema })),
  } as unknown as Protocol;
}

const parcels = protocolOf({
  label: {
    type: "object",
    required: ["sort", "weight"],
    properties: { sort: { enum: ["box", "tube"] }, weight: { type: "number" }, from: { type: "string" } },
  },
  shipped: {
    type: "object",
    required: ["number", "state"],
    allOf: [{ $ref: "label" }],
    properties: { number: { type: "string" }, state: { enum: ["here", "gone"] } },
  },
  order: {
    type: "object",
    required: ["sort"],
    oneOf: [
      { required: ["to", "weight"], properties: { sort: { const: "buy" }, to: {}, weight: { type: "number" } } },
      { required: ["of"], properties: { sort: { const: "cancel" }, of: { type: "string" } } },
    ],
  },
  route: {
    $ref: "#/definitions/route",
    definitions: {
      route: { type: "object", required: ["stops"], properties: { stops: { items: { $ref: "label" } } } },
    },
  },
  stops: { type: "array", items: { $ref: "label" } },
  note: {
    type: "object",
    required: ["about"],
    properties: { about: { enum: ["rain", "snow"] } },
    if: { properties: { about: { const: "rain" } } },
    then: { required: ["hours"], properties: { hours: { type: "number" } } },
    else: { required: ["depth"], properties: { depth: { type: "number" } } },
  },
});

function documentNameFor(instance: Parameters<typeof recognize>[1], protocol = parcels): string {
  const recognition = recognize([protocol], instance);
  return isRecognized(recognition) ? recognition.document.name : `? ${describeNearest(recognition.nearest)}`;
}

describe("the document most similar to an instance", () => {
  it.each<[Parameters<typeof recognize>[1], string]>([
    [{ sort: "box", weight: 1 }, "label"],
    [{ sort: "box", weight: "1" }, "label"],
    [{ sort: "box", weight: 1, number: "7", state: "here" }, "shipped"],
    [{ sort: "box", weight: 1, from: "me", number: "7", state: "lost" }, "shipped"],
    [{ sort: "buy", to: "you", weight: 1 }, "order"],
    [{ sort: "buy", to: "you" }, "order"],
    [{ sort: "cancel", of: "7" }, "order"],
    [{ stops: [{ sort: "box", weight: 1 }] }, "route"],
    [[{ sort: "box", weight: 1 }], "stops"],
    [{ about: "rain", hours: 2 }, "note"],
    [{ about: "snow", depth: 2 }, "note"],
  ])("is found through references, allOf, alternatives and conditions: %j", (instance, name) => {
    expect(documentNameFor(instance)).toBe(name);
  });

  it.each<[Parameters<typeof recognize>[1], string]>([
    [{ sort: "box", weight: 1, number: "7" }, "? shipped of parcels or label of parcels"],
    [{ sort: "other" }, "? "],
    [7, "? "],
  ])("is not guessed for %j", (instance, nearest) => {
    expect(documentNameFor(instance)).toContain(nearest);
  });

  it("is the whole document rather than one of its alternatives, unless only the alternative is a document", () => {
    const kinds = {
      hello: { type: "object", required: ["hello"], properties: { hello: { type: "string" } } },
      bye: { type: "object", required: ["bye"], properties: { bye: { type: "string" } } },
    };
    const any = { oneOf: [{ $ref: "hello" }, { $ref: "bye" }] };
    expect(documentNameFor({ hello: "you" }, protocolOf({ ...kinds, any }))).toBe("any");
    expect(documentNameFor({ hello: "you" }, protocolOf(kinds))).toBe("hello");
  });

  it("is found even if schemas refer to themselves, or to a missing definition", () => {
    const alternatives = Array.from({ length: 20 }, () => ({ $ref: "round" }));
    const recursive = {
      required: ["a"],
      anyOf: alternatives,
      properties: { a: { $ref: "round" }, b: { $ref: "#/nowhere" } },
    };
    expect(documentNameFor({ a: { a: { a: {} } } }, protocolOf({ round: recursive }))).toContain("round");
  });
});
