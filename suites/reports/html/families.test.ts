import { expect, it } from "vitest";
import { builtInPacks } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { kindOf } from "../../results/kind.ts";
import { families, familyOf } from "./families.ts";

it("assigns a family to every fault of the built-in vectors", () => {
  const unknownFaults = new Set<string>();
  for (const protocol of builtInPacks)
    for (const { tests } of loadVectors(protocol).files)
      for (const { id, fault, valid } of tests) {
        const verdict = valid === false ? "invalid" : "valid";
        const family = familyOf({ id, kind: kindOf(id), ...(fault === undefined ? {} : { fault }), verdict });
        expect(families).toContain(family);
        if (family === "other faults") unknownFaults.add(`${fault}`);
      }
  expect([...unknownFaults]).toEqual([]);
});
