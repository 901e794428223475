import { describe, expect, it } from "vitest";
import type { Document, JsonObject, Protocol } from "../../schemas/index.ts";
import { findEarlierAssertions } from "./earlier-assertions.ts";

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
  it("do not exist for the first document", async () => {
    expect(await findEarlierAssertions(protocol, letter)).toEqual(new Set());
  });

  it("are the types and formats in the earlier documents' own schemas, not in referenced ones", async () => {
    expect([...(await findEarlierAssertions(protocol, code))]).toEqual(["type string"]);
  });

  it("are from all earlier documents, but not from the document itself", async () => {
    expect([...(await findEarlierAssertions(protocol, note))]).toEqual(["type string", "format uuid"]);
  });

  it("do not exist in a user's protocol, which has independent sets", async () => {
    expect(await findEarlierAssertions({ ...protocol, foreign: true }, note)).toEqual(new Set());
  });
});
