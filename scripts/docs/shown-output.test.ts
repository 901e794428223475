import { describe, expect, it } from "vitest";
import { isAsShown, rewriteShown } from "./shown-output.ts";

describe("the output shown on a page", () => {
  it("matches a text with `…` for omitted lines, or for text within a line", () => {
    expect(isAsShown("a\nb\nc\n", "a\n…\nc")).toBe(true);
    expect(isAsShown("a\nc\n", "a\n  …\nc")).toBe(true);
    expect(isAsShown("took 3 s\n", "took … s")).toBe(true);
    expect(isAsShown("a\nb\n", "a")).toBe(false);
    expect(isAsShown("a\nb\n", "a\n…\nc")).toBe(false);
    expect(isAsShown("took\n3 s\n", "took … s")).toBe(false);
  });

  it("is rewritten with the same lines if they still exist, and `…` for the rest", () => {
    const text = [
      "result: 4 of 9 conform",
      "",
      ...Array.from({ length: 30 }, (_, index) => `row ${index}`),
      "",
      "took 5 s",
    ];
    expect(rewriteShown(text.join("\n"), "result: 3 of 8 conform\n\n…\ntook … s")).toBe(
      "result: 4 of 9 conform\n…\ntook … s",
    );
    expect(rewriteShown("x\ny\n", "z")).toBe("x\ny");
  });

  it("is rewritten as the beginning and the end if none of its lines exist", () => {
    const text = Array.from({ length: 40 }, (_, index) => `row ${index}`).join("\n");
    const shown = rewriteShown(text, "something else\n…\nquite other");
    expect(shown.split("\n")).toHaveLength(16);
    expect(isAsShown(text, shown)).toBe(true);
  });
});
