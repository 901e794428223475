import { expect, it } from "vitest";
import { startFaker } from "./faker.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const $id = "https://example.org/faker.json";

it("generates a round of instances with json-schema-faker", async () => {
  const faker = await startFaker([{ $schema, $id, type: "integer", minimum: 3, maximum: 5 }], $id);
  const round = await faker.round(20, 20_000);
  await faker.close();
  expect(round?.values.length).toBe(20);
  expect(round?.values.every((value) => [3, 4, 5].includes(value as number))).toBe(true);
});

it("returns undefined for a worker that times out, and does not use it again", async () => {
  const longList = { type: "array", minItems: 10_000 };
  const faker = await startFaker(
    [{ $schema, $id, ...longList, items: { ...longList, items: { type: "string" } } }],
    $id,
  );
  expect(await faker.round(1, 300)).toBeUndefined();
  expect(await faker.round(1, 60_000)).toBeUndefined();
  await faker.close();
});
