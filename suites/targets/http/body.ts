import type { Question, Signer } from "../../../schemas/index.ts";
import { dress } from "./dress.ts";
import type { Fitting } from "./fresh.ts";

/** Raw text goes out as it is: freshness would have to parse what may be malformed. */
export function bodyOf(
  { document, data, text, bytes, keep, sign: isSigned, seed }: Question,
  isWrapped: boolean,
  now: number,
  sign: Signer["sign"] | undefined,
  fitting: Fitting | undefined,
): string | Uint8Array {
  if (data === undefined) return text ?? (bytes as Uint8Array);
  const dressing = { keep, sign: isSigned === true, seed, now, fitting };
  return JSON.stringify(dress(data, document, isWrapped, dressing, sign));
}
