import { describe, expect, it } from "vitest";
import { reasonsFrom } from "./reasons.ts";

describe("reasonsFrom", () => {
  it("keeps known members only", () => {
    const reason = { at: "/a", keyword: "type", site: "#/a", rule: "R-1", code: 7, message: "m" };
    expect(reasonsFrom([{ ...reason, extra: 1, at2: 2 }])).toEqual([reason]);
    expect(reasonsFrom([{ at: 7, message: null, code: {} }, 3, null])).toEqual([{}, {}, {}]);
  });

  it("reads the errors of Ajv, with the place of the object for a missing member", () => {
    const error = {
      instancePath: "/a",
      schemaPath: "#/required",
      keyword: "required",
      params: { missingProperty: "b" },
    };
    expect(reasonsFrom([{ ...error, message: "must have b" }])).toEqual([
      { at: "/a", site: "#/required", keyword: "required", message: "must have b" },
    ]);
  });

  it("marks a refusal by a function of a library, which JSON Schema does not have", () => {
    const keywords = reasonsFrom([
      { path: [], code: "custom" },
      { path: [], code: "predicate" },
      { path: [], kind: "validation", type: "check" },
      { path: [], code: "too_small" },
      { at: "", code: "custom" },
    ]).map(({ keyword }) => keyword);
    expect(keywords).toEqual(["refinement", "refinement", "refinement", undefined, undefined]);
  });

  it("converts a path to a pointer, and leaves out the library's own code", () => {
    const issue = { path: ["a/b", 0, { key: "~" }], code: "invalid_type", message: "m" };
    expect(reasonsFrom([issue, { path: [], message: "root" }])).toEqual([
      { at: "/a~1b/0/~0", message: "m" },
      { at: "", message: "root" },
    ]);
  });

  it("limits the number and length of reasons", () => {
    const manyReasons = reasonsFrom(Array.from({ length: 10_000 }, () => "x".repeat(10_000)));
    expect(JSON.stringify(manyReasons).length).toBeLessThan(300_000);
    expect(reasonsFrom("no list")).toEqual([]);
  });
});
