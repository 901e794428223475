import { expect, it } from "vitest";
import { packMaterial, unpackMaterials } from "./bundle.ts";

it("rejects materials that are larger than the limit when unpacked together", () => {
  const materials = [packMaterial("a", "x".repeat(600)), packMaterial("b", "y".repeat(600))];
  expect([...unpackMaterials(materials, 1200).keys()]).toEqual(["a", "b"]);
  expect(() => unpackMaterials(materials, 1199)).toThrow(/b cannot be unpacked/);
});
