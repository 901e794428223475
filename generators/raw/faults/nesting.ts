import type { RawFamily } from "../raw.ts";

/** Nested arrays: as many as every reader must accept, and numbers that some readers refuse. */
export const nestingFamily: RawFamily = {
  name: "nesting",
  *propose({ spot, requiredLevels, isFirstDocument }) {
    const place = spot(["", [], [[[]]]]);
    if (place === undefined) return;
    const { parent, at, before, after } = place;
    const deepLevels = [100, 1000, 10_000, ...(isFirstDocument ? [100_000] : [])].filter(
      (levels) => levels > (requiredLevels ?? 0),
    );
    for (const levels of requiredLevels === undefined ? deepLevels : [requiredLevels, ...deepLevels]) {
      yield {
        parent,
        detail: String(levels),
        text: `${before}${"[".repeat(levels)}${"]".repeat(levels)}${after}`,
        says: `has ${levels} arrays within each other`,
        issue: levels === requiredLevels ? "rewritten" : "deep",
        at,
        tags: ["depth"],
      };
    }
  },
};
