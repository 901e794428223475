import { expect, it } from "vitest";
import type { Result } from "../../schemas/index.ts";
import { facts } from "./words.ts";

it("shows a message that was drawn, cut where it is long, and none that stands in a file", () => {
  const told = (id: string, data: string): string | undefined => {
    const vector = { data: { title: data } };
    const result = { id, kind: "vector", verdict: "valid", outcome: "violates", vector } as unknown as Result;
    return Object.fromEntries(facts(result)).message;
  };
  expect(told("p/1/note/valid/fuzz/7/90:0", "a")).toBe('{"title":"a"}');
  expect(told("p/1/note/valid/fuzz/7/90:0", "a".repeat(5000))?.length).toBeLessThan(1100);
  expect(told("p/1/note/valid/title", "a")).toBe(undefined);
});
