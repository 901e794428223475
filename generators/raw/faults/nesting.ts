import type { RawFamily } from "../raw.ts";

/** Nested arrays: few enough for every reader, but more than some accept. */
export const nestingFamily: RawFamily = {
  name: "nesting",
  *propose({ spot, levels: modest, first }) {
    const place = spot(["", [], [[[]]]]);
    if (place === undefined) return;
    const { parent, at, before, after } = place;
    const many = [100, 1000, 10_000, ...(first ? [100_000] : [])].filter((levels) => levels > (modest ?? 0));
    for (const levels of modest === undefined ? many : [modest, ...many]) {
      yield {
        parent,
        detail: String(levels),
        text: `${before}${"[".repeat(levels)}${"]".repeat(levels)}${after}`,
        says: `has ${levels} arrays within each other`,
        issue: levels === modest ? "rewritten" : "deep",
        at,
        tags: ["depth"],
      };
    }
  },
};
