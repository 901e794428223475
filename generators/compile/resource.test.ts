import { describe, expect, it } from "vitest";
import { listMutants } from "../mutation/mutants.ts";
import { removeSite } from "../mutation/removed-site.ts";
import { compileModel } from "./compile.ts";
import { documentAt } from "./resource.ts";

const bundle = {
  $id: "https://resource.test/root",
  properties: { a: { $ref: "inner/a" }, b: { enum: [{ $id: "https://resource.test/data" }] } },
  $defs: { "x/y": { $id: "inner/a", $defs: { deep: { $id: "deep" } }, type: "string", maxLength: 3 } },
};

describe("documentAt", () => {
  it.each([
    ["https://resource.test/root#/properties", "/properties"],
    ["https://resource.test/inner/a#/type", "/$defs/x~1y/type"],
    ["https://resource.test/inner/deep#", "/$defs/x~1y/$defs/deep"],
    ["https://resource.test/data#", undefined],
    ["https://resource.test/elsewhere#", undefined],
  ])("%s is at %s", (location, path) => {
    expect(documentAt([bundle], location)?.path).toBe(path);
  });

  it("allows changing a schema inside another", async () => {
    const [changed] = removeSite([bundle], "https://resource.test/inner/a#/maxLength");
    expect(changed).toMatchObject({ $defs: { "x/y": { type: "string" } } });
    expect(JSON.stringify(changed)).not.toMatch(/maxLength/);
    const allMutants = listMutants(await compileModel([bundle], bundle.$id), [bundle]);
    expect(allMutants.filter(({ keyword }) => keyword === "maxLength").length).toBeGreaterThan(1);
  });
});
