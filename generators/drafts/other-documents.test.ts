import { describe, expect, it } from "vitest";
import { OtherDocuments, referredPart } from "./other-documents.ts";

describe("the schemas that other documents test", () => {
  const shop = "https://shop.example/all.json";
  const otherDocuments = new OtherDocuments(
    ["https://shop.example/line.json"],
    [`${shop}#/$defs/order`, `${shop}#/$defs/line`],
    `${shop}#/$defs/order/properties/note`,
  );

  it("are whole resources, and parts of a shared resource", () => {
    expect(otherDocuments.has("https://shop.example/line.json#/properties/count")).toBe(true);
    expect(otherDocuments.has(`${shop}#/$defs/line`)).toBe(true);
    expect(otherDocuments.has(`${shop}#/$defs/line/properties/count/type`)).toBe(true);
    expect(otherDocuments.has(`${shop}#/$defs/lines`)).toBe(false);
    expect(otherDocuments.has(`${shop}#/$defs/batch/items`)).toBe(false);
  });

  it("exclude the document's own part, even inside the part of another", () => {
    expect(otherDocuments.has(`${shop}#/$defs/order/properties/id`)).toBe(true);
    expect(otherDocuments.has(`${shop}#/$defs/order/properties/note/maxLength`)).toBe(false);
  });

  it.each([
    ["a reference", { $id: `${shop}/a`, $ref: `${shop}#/$defs/a` }, `${shop}#/$defs/a`],
    ["a relative reference", { $id: "https://shop.example/a.json", $ref: "all.json#/$defs/a" }, `${shop}#/$defs/a`],
    [
      "a reference in an allOf",
      { $id: `${shop}/a`, $schema: "x", allOf: [{ $ref: `${shop}#/$defs/a` }] },
      `${shop}#/$defs/a`,
    ],
    ["a reference beside an assertion", { $id: `${shop}/a`, $ref: `${shop}#/$defs/a`, required: ["a"] }, undefined],
    ["no reference", { $id: `${shop}/a`, type: "object" }, undefined],
  ])("refers to a part only if a schema consists of a reference: %s", (_, schema, part) => {
    expect(referredPart(schema)).toBe(part);
  });
});
