import { describe, expect, it } from "vitest";
import type { Document, JsonObject, Protocol } from "../../schemas/index.ts";
import { assertedBefore } from "./earlier-assertions.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const idOf = (name: string): string => `https://example.org/${name}.schema.json`;
const bodies: Record<string, JsonObject> = {
  letter: { properties: { title: { type: "string", minLength: 3 }, code: { $ref: idOf("code") } } },
  code: { pattern: "^x", format: "uuid" },
  note: { properties: { text: { type: "string" }, at: { format: "date-time" } } },
};
const documents = Object.keys(bodies).map((name) => ({ name, schema: idOf(name), standalone: true }) as Document);
const protocol = {
  schemas: Object.entries(bodies).map(([name, body]) => ({ $schema, $id: idOf(name), ...body })),
  profile: { documents },
} as unknown as Protocol;
const [letter, code, note] = documents as [Document, Document, Document];

describe("assertions of earlier documents", () => {
  it("is empty for the first document", async () => {
    expect(await assertedBefore(protocol, letter)).toEqual(new Set());
  });

  it("are the types and formats that earlier documents assert themselves, and not those that they refer to", async () => {
    expect([...(await assertedBefore(protocol, code))]).toEqual(["type string"]);
  });

  it("are those of all earlier documents, and not its own", async () => {
    expect([...(await assertedBefore(protocol, note))]).toEqual(["type string", "format uuid"]);
  });

  it("are none in a user's protocol, which has independent sets", async () => {
    expect(await assertedBefore({ ...protocol, foreign: true }, note)).toEqual(new Set());
  });
});
