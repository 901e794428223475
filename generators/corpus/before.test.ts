import { describe, expect, it } from "vitest";
import type { Document, JsonObject, Protocol } from "../../schemas/index.ts";
import { assertedBefore } from "./before.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const idOf = (name: string): string => `https://example.org/${name}.schema.json`;
const bodies: Record<string, JsonObject> = {
  letter: { properties: { title: { minLength: 3 }, code: { $ref: idOf("code") } } },
  code: { pattern: "^x" },
  note: { properties: { text: { maxLength: 9 } } },
};
const documents = Object.keys(bodies).map((name) => ({ name, schema: idOf(name), standalone: true }) as Document);
const protocol = {
  schemas: Object.entries(bodies).map(([name, body]) => ({ $schema, $id: idOf(name), ...body })),
  profile: { documents },
} as unknown as Protocol;
const [letter, code, note] = documents as [Document, Document, Document];

describe("what is asserted before a document", () => {
  it("is nothing for the first", async () => {
    expect(await assertedBefore(protocol, letter)).toEqual(new Set());
  });

  it("is what earlier ones assert themselves, and not what they refer to", async () => {
    const before = await assertedBefore(protocol, code);
    expect(before).toContain("minLength 3");
    expect(before).not.toContain("pattern ^x");
  });

  it("is what all earlier ones assert, and not its own", async () => {
    const before = await assertedBefore(protocol, note);
    expect(before).toContain("minLength 3");
    expect(before).toContain("pattern ^x");
    expect(before).not.toContain("maxLength 9");
  });

  it("is nothing in a protocol of somebody's own, whose sets stand alone", async () => {
    expect(await assertedBefore({ ...protocol, foreign: true }, note)).toEqual(new Set());
  });
});
