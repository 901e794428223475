import { describe, expect, it } from "vitest";
import { everydayPatterns } from "./everyday-patterns.ts";
import { measure } from "./measure.ts";

describe("for an everyday pattern", () => {
  it.each(everydayPatterns)(
    "the solver decides every question, and the pattern refuses every near miss: %s",
    async (_, pattern, text) => {
      const regexp = new RegExp(pattern, "u");
      expect(regexp.test(text)).toBe(true);
      const { questions, nearMisses } = await measure(pattern);
      expect(questions).toMatchObject({ matching: "found", other: "found" });
      const isDecided = expect.stringMatching(/^(found|none)$/);
      expect(questions).toMatchObject({ long: isDecided, short: isDecided });
      if ([...text].length >= 20) expect(questions.long).toBe("found");
      if ([...text].length <= 3) expect(questions.short).toBe("found");
      expect(nearMisses.length).toBeGreaterThan(0);
      expect(nearMisses.filter((text) => regexp.test(text))).toEqual([]);
    },
  );

  it("there are a hundred distinct patterns", () => {
    expect(new Set(everydayPatterns.map(([, pattern]) => pattern)).size).toBe(100);
  });
});
