import { expect, it } from "vitest";
import { closestBeside, nearestName } from "./nearest-name.ts";

it.each([
  ["ahpc", 'did you mean "ahcp"? '],
  ["aeap", 'did you mean "aaep"? '],
  ["agent-convention", 'did you mean "agent-conventions"? '],
  ["something", ""],
  ["", ""],
])('suggests the nearest name for "%s", if any is near', (name, expected) => {
  expect(nearestName(name, ["ahcp", "aaep", "agentformat", "agent-conventions"])).toBe(expected);
});

it("suggests nothing without candidates", () => expect(nearestName("ahcp", [])).toBe(""));

it("handles more names than a call can have arguments", () => {
  const names = Array.from({ length: 300_000 }, (_, number) => `vector/${number}`);
  expect(nearestName("vector/299999x", names)).toBe('did you mean "vector/299999"? ');
});

it("suggests a neighbouring file together with the given folder", () => {
  expect(closestBeside("../roooms", ["rooms", "halls"])).toBe('did you mean "../rooms"? ');
  expect(closestBeside("a/room.yml/", ["room.yaml"])).toBe('did you mean "a/room.yaml"? ');
  expect(closestBeside("..\\roooms", ["rooms"])).toBe('did you mean "..\\rooms"? ');
  expect(closestBeside("roooms", ["rooms"])).toBe('did you mean "rooms"? ');
  expect(closestBeside("../roooms", ["else"])).toBe("");
});
