import { describe, expect, it } from "vitest";
import { unsaid } from "./ask.ts";
import { assumptions } from "./assumed.ts";

describe("what is assumed of a target that claims nothing", () => {
  it.each(["module", "command", "http"] as const)("%s: neither records nor rules for those who write", (kind) => {
    expect(unsaid({ kind })).toContain("semantic");
    expect(unsaid({ kind })).not.toContain("records");
    expect(unsaid({ kind })).not.toContain("lint");
  });

  it("is everything of the reference", () => {
    expect(unsaid({ kind: "reference" })).toBeUndefined();
  });

  it("is said in a line, and only where something was assumed", () => {
    const target = { kind: "module", name: "mine" };
    expect(assumptions([{ target: { ...target, assumed: ["raw-text", "semantic"] } }])).toMatch(
      /^It says no claims, so this was assumed: raw-text, semantic; --claims says it otherwise\.\n$/,
    );
    expect(assumptions([{ target: { ...target, claims: [] } }])).toBe("");
    expect(assumptions([{ target: { kind: "reference", name: "reference" } }])).toBe("");
  });
});
