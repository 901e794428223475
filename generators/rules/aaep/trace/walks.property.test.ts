import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walksOf } from "../../walks.ts";
import { broken } from "./found.fixture.ts";
import { model } from "./model.ts";
import { numbered } from "./session.ts";

const walks = walksOf(model());

describe("a walk along the model", () => {
  it("breaks no rule, numbered or not", () => {
    fc.assert(
      fc.property(walks, (walk) => {
        expect(broken(walk)).toEqual([]);
        expect(broken(numbered(walk))).toEqual([]);
      }),
      { numRuns: 300, seed: 42 },
    );
  });
});
