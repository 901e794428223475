import { expect, it } from "vitest";
import { closest } from "./nearest.ts";

it.each([
  ["ahpc", 'did you mean "ahcp"? '],
  ["agent-convention", 'did you mean "agent-conventions"? '],
  ["something", ""],
  ["", ""],
])('the name nearest to "%s"', (name, expected) => {
  expect(closest(name, ["ahcp", "agentformat", "agent-conventions"])).toBe(expected);
});

it("is empty without candidates", () => expect(closest("ahcp", [])).toBe(""));
