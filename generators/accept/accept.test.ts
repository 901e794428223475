import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { plan } from "../corpus/plan.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";

async function validFor(schema: JsonObject): Promise<Json[]> {
  const model = await compileModel([document(schema)], id);
  const { valid } = plan({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
  return valid.map(({ data }) => data);
}

const rows: [schema: JsonObject, wanted: Json[]][] = [
  [{ type: "integer", minimum: 3, maximum: 9 }, [3, 9]],
  [{ type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 9 }, [4, 8]],
  [{ type: "string", minLength: 2 }, ["e\u0301"]],
  [{ type: "string", maxLength: 3 }, ["😀😀😀"]],
  [{ type: "string", pattern: "^rpl_[A-Za-z0-9]{1,64}$" }, ["rpl_a", `rpl_${"a".repeat(64)}`]],
  [{ enum: ["low", "high", null] }, ["low", "high", null]],
  [{ type: "number" }, [0, Number.MAX_SAFE_INTEGER]],
];

describe("what must be accepted", () => {
  it.each(rows)("of %j includes %j", async (schema, wanted) => {
    const valid = await validFor(schema);
    expect(valid).toEqual(expect.arrayContaining(wanted));
    const accepts = await agreement(document(schema));
    expect(valid.filter((data) => accepts(data) !== true)).toEqual([]);
  });

  it("has texts that are longer in UTF-16 units and in bytes than they may be in characters", async () => {
    const valid = (await validFor({ type: "string", maxLength: 3 })) as string[];
    const telling = valid.filter(
      (text) => [...text].length === 3 && text.length > 3 && Buffer.byteLength(text) > text.length,
    );
    expect(telling).not.toEqual([]);
  });
});
