import { describe, expect, it } from "vitest";
import { result } from "../../results/sample.fixture.ts";
import { unsaid } from "./asker.ts";
import { assumedIn, assumptions } from "./assumptions.ts";

describe("what is assumed of a target that claims nothing", () => {
  it.each(["module", "command", "http"] as const)("%s: neither records nor rules for those who write", (kind) => {
    expect(unsaid({ kind })).toContain("semantic");
    expect(unsaid({ kind })).not.toContain("records");
    expect(unsaid({ kind })).not.toContain("lint");
  });

  it("is everything of the reference", () => {
    expect(unsaid({ kind: "reference" })).toBeUndefined();
  });

  it("is said in a line as far as it mattered, and only where something was assumed", () => {
    const target = { kind: "module", name: "mine", assumed: ["raw-text", "semantic", "yaml-text"] } as const;
    const results = [result({ id: "a" }), result({ id: "b", outcome: "skipped" })];
    const vectors = [
      { id: "a", needs: ["semantic"] },
      { id: "b", needs: ["raw-text"] },
      { id: "c", needs: ["yaml-text"] },
    ];
    const run = { target: { ...target, assumed: [...target.assumed] }, results };
    expect(assumedIn(run, vectors)).toEqual(["semantic"]);
    expect(assumedIn({ target: { kind: "module", name: "mine", claims: [] }, results }, vectors)).toBeUndefined();
    expect(assumptions(["semantic", "semantic"])).toBe(
      "The target names no claims, so this was assumed: semantic; --claims says otherwise.\n",
    );
    expect(assumptions([])).toBe("");
  });
});
