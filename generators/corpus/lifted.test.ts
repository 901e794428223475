import { expect, it } from "vitest";
import type { Document, Json, Protocol } from "../../schemas/index.ts";
import { liftedFor } from "./lifted.ts";

const schema = {
  $id: "https://example.org/note",
  type: "object",
  required: ["id", "to"],
  properties: { id: { type: "string" }, to: { type: "string" } },
  additionalProperties: false,
};
const protocol = {
  schemas: [schema, { $id: "https://example.org/other", type: "string" }],
  profile: {
    contradictions: [
      {
        about: "whether a note has a recipient",
        clause: "2, 7",
        rules: ["N-1"],
        readings: [
          { name: "named", says: "it has one" },
          { name: "nameless", says: "it may have none", lifts: [`${schema.$id}#/required/1`] },
        ],
      },
    ],
  },
} as unknown as Protocol;
const taken = async (document: string, instance: Json): Promise<[string, string][]> =>
  (await liftedFor(protocol, { schema: document } as Document))(instance).map(({ verdict, by }) => [
    verdict,
    by.join(),
  ]);

it("takes what only the lifted assertion refuses, beside the readings that do not", async () => {
  expect(await taken(schema.$id, { id: "a" })).toEqual([
    ["invalid", "named"],
    ["valid", "nameless"],
  ]);
});

it("takes nothing that anything else refuses as well, nor of a document without it", async () => {
  expect(await taken(schema.$id, { to: "a" })).toEqual([]);
  expect(await taken(schema.$id, { id: 1 })).toEqual([]);
  expect(await taken("https://example.org/other", 1)).toEqual([]);
});

it("is an error where there is nothing to lift", async () => {
  const { schemas } = protocol;
  const readings = [
    { name: "a", says: "a" },
    { name: "b", says: "b", lifts: [`${schema.$id}#/required/9`] },
  ];
  const profile = { contradictions: [{ about: "x", clause: "1", rules: ["N-1"], readings }] };
  const lost = { schemas, profile } as unknown as Protocol;
  await expect(liftedFor(lost, { schema: schema.$id } as Document)).rejects.toThrow(
    "has nothing at one of /required/9",
  );
});
