import { expect, it } from "vitest";
import { packMaterial, unpackMaterials } from "./bundle.ts";

it("unpacks no more than a limit, over all materials", () => {
  const materials = [packMaterial("a", "x".repeat(600)), packMaterial("b", "y".repeat(600))];
  expect([...unpackMaterials(materials, 1200).keys()]).toEqual(["a", "b"]);
  expect(() => unpackMaterials(materials, 1199)).toThrow(/b cannot be unpacked/);
});
