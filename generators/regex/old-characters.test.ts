import { expect, it } from "vitest";
import { hasNewCharacter, isOld, oldAt, oldBefore } from "./old-characters.ts";

it.each([..."aZ0 ~é\u0377Ж漢가\u{1f600}\u{1f9d1}\u{e000}"])("%s is old", (character) => {
  expect(isOld(character.codePointAt(0) as number)).toBe(true);
});

// New in Unicode 11 to 17, or not assigned.
it.each([0x295, 0x560, 0x1e900 + 0x400, 0xa7ba, 0x8be, 0x1df00, 0x13442, 0x10d4a, 0x11db0, 0x378, 0xd800, 0x10ffff])(
  "%i is not old",
  (code) => expect(isOld(code)).toBe(false),
);

it("Georgian letters are not old, because Unicode 11 made them lower case", () => {
  expect(isOld(0x10d0)).toBe(false);
});

it("old characters are the 274,223 that Unicode 10.0 assigns, except 56 that have a different category today", () => {
  const old = Array.from({ length: 0x110000 }, (_, code) => code).filter(isOld);
  expect(old).toHaveLength(274_223 - 56);
  expect(oldBefore(0x110000)).toBe(old.length);
  expect(old.filter((code) => /\p{Cn}/u.test(String.fromCodePoint(code)))).toEqual([]);
});

it("oldAt is the inverse of oldBefore", () => {
  for (const code of [0, 0x41, 0x377, 0x37a, 0x4e00, 0x1f600, 0x10fffd]) expect(oldAt(oldBefore(code))).toBe(code);
  // 0378 and 0379 are not assigned.
  expect(oldBefore(0x37a)).toBe(oldBefore(0x377) + 1);
});

it("finds a new character anywhere in a text", () => {
  expect(hasNewCharacter("Dé漢\u{1f600}")).toBe(false);
  expect(hasNewCharacter("D\u{13442}")).toBe(true);
});
