import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { lint } from "../lint/lint.ts";
import { oracleFor } from "./oracle.ts";
import { followTargets } from "./schema-targets.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const base = "https://example.com/";

/** A template for lists. The schemas that use it define the items. */
const page: JsonObject = {
  $schema,
  $id: `${base}page`,
  type: "object",
  required: ["items"],
  properties: { items: { type: "array", maxItems: 5, items: { $dynamicRef: "#T" } } },
  $defs: { any: { $dynamicAnchor: "T", not: true } },
};
const fares: JsonObject = {
  $schema,
  $id: `${base}fares`,
  $ref: "page",
  $defs: { fare: { $dynamicAnchor: "T", type: "object", required: ["price"] } },
};
const pageAndFares = [page, fares];

describe("a template filled in by another schema", () => {
  it("is judged equally by both validators", async () => {
    const oracle = await oracleFor(pageAndFares, `${base}fares`);
    expect(oracle.judge({ items: [{ price: 1 }] }).verdict).toBe("valid");
    expect(oracle.judge({ items: [{}] }).verdict).toBe("invalid");
  });

  it("is unchanged if two schemas fill it in differently", async () => {
    const trips: JsonObject = { ...fares, $id: `${base}trips` };
    const schemas = [...pageAndFares, trips];
    const models = await Promise.all(["fares", "trips"].map((name) => compileModel(schemas, `${base}${name}`)));
    expect(followTargets(schemas, models)).toEqual(schemas);
    expect(followTargets(schemas, models.slice(0, 1))).not.toEqual(schemas);
  });

  it("does not cause lint findings, alone or filled in", async () => {
    const findingsOf = async (schemas: readonly JsonObject[], name: string) =>
      lint(await compileModel(schemas, `${base}${name}`), schemas).map(({ at, kind }) => `${kind} ${at}`);
    expect(await findingsOf([page], "page")).toEqual([]);
    expect(await findingsOf(pageAndFares, "fares")).toEqual([]);
    const closed = {
      ...page,
      $defs: { any: { not: true } },
      properties: { items: { items: { $ref: "#/$defs/any" } } },
    };
    expect(await findingsOf([closed], "page")).toContain(`dead ${base}page#/$defs/any`);
  });
});
