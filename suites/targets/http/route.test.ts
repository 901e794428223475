import { expect, it } from "vitest";
import type { Document, Endpoint } from "../../../schemas/index.ts";
import { misplacedText } from "./route.ts";

const post: Endpoint = { method: "POST", path: "/a" };
const asked = (text: string) => ({ document: {} as Document, text, keep: [], seed: 1 });

it.each<[string, Endpoint, string, boolean, RegExp | undefined]>([
  ["a text", post, "{", false, undefined],
  ["an empty text where a body is required", post, "", false, undefined],
  ["an empty text where none is required", { ...post, optional: true }, "", false, /need not have a body/],
  ["a blank text where none is required", { ...post, optional: true }, " ", false, undefined],
  ["a text for parameters", { ...post, carries: "parameters" }, "{", false, /parameters/],
  ["a text within another document", post, "{", true, /inside another one/],
])("%s", (_, endpoint, text, isWrapped, expected) => {
  const why = misplacedText(endpoint, asked(text), isWrapped);
  if (expected === undefined) expect(why).toBeUndefined();
  else expect(why).toMatch(expected);
});
