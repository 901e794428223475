import { expect, it } from "vitest";
import { misjudgedIf, withoutMistake } from "./misjudgement.ts";

it.each([true, false])("removes the ending that misjudgedIf adds to a description (valid: %s)", (valid) => {
  const text = "`to` has 4 items";
  const description = `${text}${misjudgedIf(valid, "maxItems is 4 instead of 5")}`;
  expect(description).toBe(`${text}; wrongly ${valid ? "refused" : "accepted"} if maxItems is 4 instead of 5`);
  expect(withoutMistake(description)).toEqual({ text, namesMistake: true });
  expect(withoutMistake(description.replace(" if ", " where "))).toEqual({ text, namesMistake: true });
  expect(withoutMistake(text)).toEqual({ text, namesMistake: false });
});
