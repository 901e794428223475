import { expect, it } from "vitest";
import { misjudgedIf, withoutMistake } from "./misjudgement.ts";

it.each([true, false])("reads the same verdict that it writes at the end of a description (valid: %s)", (valid) => {
  const text = "`to` has 4 items";
  const whole = `${text}${misjudgedIf(valid, "maxItems is 4 instead of 5")}`;
  expect(whole).toBe(`${text}; wrongly ${valid ? "refused" : "accepted"} if maxItems is 4 instead of 5`);
  expect(withoutMistake(whole)).toEqual({ text, namesMistake: true });
  expect(withoutMistake(whole.replace(" if ", " where "))).toEqual({ text, namesMistake: true });
  expect(withoutMistake(text)).toEqual({ text, namesMistake: false });
});
