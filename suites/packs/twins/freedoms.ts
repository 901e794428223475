import type { Json } from "../../../schemas/index.ts";
import { NotJson, readJson } from "./json.ts";

/** The value of a JSON text, for protocols that leave parsing to RFC 8259 and RFC 7493, with their freedoms. Throws NotJson. */
export function jsonBy(text: Uint8Array, isStrict: (freedom: string) => boolean): Json {
  const { value, notes } = readJson(text, {
    levels: 10_000,
    mark: !isStrict("json-bom"),
    utf16: !isStrict("json-utf16"),
    badUtf8: !isStrict("json-bad-utf8"),
    huge: !isStrict("json-huge-numbers"),
  });
  const { repeated, surrogates, overflows, large, depth } = notes;
  const refuse = (freedom: string, isThere: boolean, why: string): void => {
    if (isThere && isStrict(freedom)) throw new NotJson(why);
  };
  refuse("json-duplicates", repeated.length > 0, `the name ${repeated[0]?.name} is there twice`);
  refuse("json-lone-surrogates", surrogates.length > 0, "half a surrogate pair");
  refuse("json-depth", depth > 64, "nested too deep");
  refuse("json-huge-numbers", overflows.length > 0, "a number too great");
  refuse("json-unsafe-integers", large.length > 0, "an integer beyond 2^53");
  return value;
}
