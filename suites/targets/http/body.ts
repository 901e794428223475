import type { Question, Signer } from "../../../schemas/index.ts";
import { completeMessage } from "./complete-message.ts";
import { refreshText } from "./fresh-text.ts";
import { type Fitting, freshIn, type Occasion } from "./fresh-values.ts";

/** Creates the body of a question. In raw text, only fresh members change. Raw text that would need a signature, or has a carrier, is sent unchanged. */
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
    // Latin-1 preserves bytes that are not UTF-8.
    const bytesWritten = Buffer.from(bytes as Uint8Array);
    return isUnchanged
      ? bytesWritten
      : Buffer.from(refreshText(bytesWritten.toString("latin1"), own, occasion), "latin1");
  }
  const dressing = { ...occasion, sign: isSigned === true };
  return JSON.stringify(completeMessage(data, document, { wrapped: isWrapped, dressing, sign }));
}
