import fc from "fast-check";
import { expect, it } from "vitest";
import { shortPath, wholePath } from "./path.ts";

it("abbreviates repetitions in a path, and expands them again", () => {
  expect(shortPath(`57:1${":0".repeat(97)}`)).toBe("57:1:0x97");
  expect(shortPath("0:0:0:1:10:10:100")).toBe("0:0:0:1:10:10:100");
  expect(shortPath("1:1:1:1:10:10:10:0")).toBe("1:1x3:10x3:0");
  const number = fc.constantFrom(0, 1, 10, 100);
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
      expect(wholePath(shortPath(numbers.join(":")))).toBe(numbers.join(":"));
    }),
    { seed: 1 },
  );
});
