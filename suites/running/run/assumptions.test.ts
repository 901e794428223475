import { describe, expect, it } from "vitest";
import { result } from "../../results/sample.fixture.ts";
import { assumedClaims } from "./asker.ts";
import { assumedCapabilities, describeAssumptions } from "./assumptions.ts";

describe("assumed claims of a target that claims nothing", () => {
  it.each(["module", "command", "http"] as const)("%s: exclude records and rules for writers", (kind) => {
    expect(assumedClaims({ kind })).toContain("semantic");
    expect(assumedClaims({ kind })).not.toContain("records");
    expect(assumedClaims({ kind })).not.toContain("lint");
  });

  it("include everything for the reference", () => {
    expect(assumedClaims({ kind: "reference" })).toBeUndefined();
  });

  it("are printed on one line if they mattered, and not at all if nothing was assumed", () => {
    const target = { kind: "module", name: "mine", assumed: ["raw-text", "semantic", "yaml-text"] } as const;
    const results = [result({ id: "a" }), result({ id: "b", outcome: "skipped" })];
    const vectors = [
      { id: "a", needs: ["semantic"] },
      { id: "b", needs: ["raw-text"] },
      { id: "c", needs: ["yaml-text"] },
    ];
    const run = { target: { ...target, assumed: [...target.assumed] }, results };
    expect(assumedCapabilities(run, vectors)).toEqual(["semantic"]);
    expect(
      assumedCapabilities({ target: { kind: "module", name: "mine", claims: [] }, results }, vectors),
    ).toBeUndefined();
    expect(describeAssumptions(["semantic", "semantic"])).toBe(
      "The target names no claims, so this was assumed: semantic; --claims says otherwise.\n",
    );
    expect(describeAssumptions([])).toBe("");
  });
});
