import { expect, it } from "vitest";
import { besideContrary, contraryTo } from "./contrary.ts";

it.each([
  ["a refusal of what is valid", contraryTo("valid"), undefined],
  ["one that says why", contraryTo("valid", "too long: at /title"), "too long: at /title"],
  ["an acceptance of what is invalid", contraryTo("invalid"), undefined],
  ["a longer saying", `${contraryTo("invalid")} for some`, `${contraryTo("invalid")} for some`],
  ["any other", "refused for another cause: x", "refused for another cause: x"],
])("of %s what is beside the verdict remains", (_, reason, beside) => expect(besideContrary(reason)).toBe(beside));
