import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { id, instancesFor, schema } from "../testing/schemas.fixture.ts";
import { compileAjv } from "./ajv.ts";
import { reachedSchemas } from "./reached-schemas.ts";

/** Ajv fails when it compares objects with a member `toString`. */
function verdictBy(schemas: readonly JsonObject[], instance: Json): boolean | undefined {
  const judge = compileAjv(schemas, id, "quick");
  try {
    return judge(instance);
  } catch {
    return undefined;
  }
}

it("does not change Ajv's verdict about the instance", () => {
  const schemaWithInstance = schema.chain((generated) =>
    instancesFor(generated).map((instance) => ({ own: generated, instance })),
  );
  let reducedCount = 0;
  fc.assert(
    fc.property(schemaWithInstance, ({ own: generated, instance }) => {
      const reached = reachedSchemas([generated], id, [instance]);
      if (JSON.stringify(reached).length < JSON.stringify([generated]).length) reducedCount += 1;
      expect(verdictBy(reached, instance)).toBe(verdictBy([generated], instance));
    }),
    { numRuns: 100 },
  );
  expect(reducedCount).toBeGreaterThan(20);
});
