import type { Json } from "../../../schemas/index.ts";
import { NotJson, readJson } from "./json.ts";

/** Reads a JSON text, for protocols that leave parsing to RFC 8259 and RFC 7493, with the freedoms that these allow. Throws NotJson. */
export function readJsonWithFreedoms(text: Uint8Array, isStrict: (freedom: string) => boolean): Json {
  const { value, notes } = readJson(text, {
    maxDepth: 10_000,
    ignoresMark: !isStrict("json-bom"),
    readsUtf16: !isStrict("json-utf16"),
    replacesBadUtf8: !isStrict("json-bad-utf8"),
    clampsHugeNumbers: !isStrict("json-huge-numbers"),
  });
  const { repeated, surrogates, overflows, large, depth } = notes;
  const refuse = (freedom: string, isPresent: boolean, why: string): void => {
    if (isPresent && isStrict(freedom)) throw new NotJson(why);
  };
  refuse("json-duplicates", repeated.length > 0, `the name ${repeated[0]?.name} is repeated`);
  refuse("json-lone-surrogates", surrogates.length > 0, "an unpaired surrogate");
  refuse("json-depth", depth > 64, "nested too deeply");
  refuse("json-huge-numbers", overflows.length > 0, "a number that is too large");
  refuse("json-unsafe-integers", large.length > 0, "an integer beyond 2^53");
  return value;
}
