import type { Question, Signer } from "../../../schemas/index.ts";
import { completeMessage } from "./complete-message.ts";
import { refreshText } from "./fresh-text.ts";
import { type Fitting, freshIn, type Occasion } from "./fresh-values.ts";

/** The body of a question. In a text only fresh members change; a text that would need a signature, or has a carrier, is sent unchanged. */
export function bodyOf(
  { document, data, text, bytes, keep, sign: isSigned, seed }: Question,
  isWrapped: boolean,
  { now, sign, fitting }: { now: number; sign: Signer["sign"] | undefined; fitting: Fitting | undefined },
): string | Uint8Array {
  const occasion: Occasion = { keep, seed, now, fitting };
  if (data === undefined) {
    const { own } = freshIn(document);
    const isUnchanged = own.length === 0 || sign !== undefined || (isWrapped && document.wrap !== undefined);
    if (text !== undefined) return isUnchanged ? text : refreshText(text, own, occasion);
    // Bytes that are not UTF-8 are kept one by one.
    const bytesWritten = Buffer.from(bytes as Uint8Array);
    return isUnchanged
      ? bytesWritten
      : Buffer.from(refreshText(bytesWritten.toString("latin1"), own, occasion), "latin1");
  }
  const dressing = { ...occasion, sign: isSigned === true };
  return JSON.stringify(completeMessage(data, document, { wrapped: isWrapped, dressing, sign }));
}
