import type { Question, Signer } from "../../../schemas/index.ts";
import { dress } from "./dress.ts";
import { type Fitting, freshIn, type Occasion } from "./fresh.ts";
import { freshenText } from "./fresh-text.ts";

/** What travels for a question. In a text nothing changes but what has to be fresh; one that would be signed, or has a carrier, goes out as it is. */
export function bodyOf(
  { document, data, text, bytes, keep, sign: isSigned, seed }: Question,
  isWrapped: boolean,
  { now, sign, fitting }: { now: number; sign: Signer["sign"] | undefined; fitting: Fitting | undefined },
): string | Uint8Array {
  const occasion: Occasion = { keep, seed, now, fitting };
  if (data === undefined) {
    const { own } = freshIn(document);
    const isLeft = own.length === 0 || sign !== undefined || (isWrapped && document.wrap !== undefined);
    if (text !== undefined) return isLeft ? text : freshenText(text, own, occasion);
    // Of bytes that are no UTF-8 each stands for itself.
    const written = Buffer.from(bytes as Uint8Array);
    return isLeft ? written : Buffer.from(freshenText(written.toString("latin1"), own, occasion), "latin1");
  }
  const dressing = { ...occasion, sign: isSigned === true };
  return JSON.stringify(dress(data, document, { wrapped: isWrapped, dressing, sign }));
}
