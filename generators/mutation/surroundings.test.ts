import { expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import { nearestInstance } from "./surroundings.ts";

const draft = (data: Json): Draft => ({ data, name: [], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });

it("the nearest instance is one whose changes describe the difference", () => {
  // A member of this name is put in only with the whole.
  const strange = JSON.parse('{"__proto__":1,"a":1,"b":2}') as Json;
  const plain = { a: 7, b: 7 };
  expect(nearestInstance([draft(strange), draft(plain)], { a: 1, b: 3 })).toEqual(plain);
  expect(nearestInstance([draft(strange)], { a: 1, b: 3 })).toEqual(strange);
});
