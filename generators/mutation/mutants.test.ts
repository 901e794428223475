import { expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { mutantsOf } from "./mutants.ts";

const schema: JsonObject = {
  type: "object",
  properties: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, { minimum: index }])),
};

it("makes the outermost mistakes until it is over, and says that there are more", async () => {
  const all = [document(schema)];
  const model = await compileModel(all, id);
  const whole = mutantsOf(model, all, new Set());
  let asked = 0;
  const some = mutantsOf(model, all, new Set(), () => ++asked > 5);
  expect([whole.partial, some.partial]).toEqual([false, true]);
  expect(some.all.length).toBeGreaterThan(5);
  expect(some.all).toEqual(whole.all.slice(0, some.all.length));
  expect(whole.all.length).toBeGreaterThan(2 * some.all.length);
});
