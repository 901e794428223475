import { expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import { nearestInstance } from "./surroundings.ts";

const draft = (data: Json): Draft => ({ data, name: [], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });

it("prefers an instance that differs from the other only below the root", () => {
  // A member with this name can only be changed by replacing the whole instance.
  const withProto = JSON.parse('{"__proto__":1,"a":1,"b":2}') as Json;
  const withoutProto = { a: 7, b: 7 };
  expect(nearestInstance([draft(withProto), draft(withoutProto)], { a: 1, b: 3 })).toEqual(withoutProto);
  expect(nearestInstance([draft(withProto)], { a: 1, b: 3 })).toEqual(withProto);
});
