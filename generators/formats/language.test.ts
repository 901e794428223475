import { describe, expect, it } from "vitest";
import { automatonOf } from "../regex/automaton.ts";
import { words } from "../regex/words.ts";
import { formatHolds } from "./check.ts";
import { languages } from "./language.ts";
import { formats } from "./table.ts";

describe.each(Object.entries(languages))("the language within %s", (format, source) => {
  const automaton = automatonOf(source as string);

  it("has an automaton with words that every implementation accepts", () => {
    const refused: string[] = [];
    let count = 0;
    for (const word of automaton === undefined ? [] : words(automaton, 0, 60)) {
      count += 1;
      if (count > 300) break;
      if (formatHolds(format, word) !== true) refused.push(word);
    }
    expect([count > 10, refused]).toEqual([true, []]);
  });

  it("contains some of the boundary values", () => {
    const pattern = new RegExp(source as string, "u");
    expect(formats[format]?.valid.some(({ value }) => pattern.test(value))).toBe(true);
  });
});
