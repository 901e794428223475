import { type Document, equal, type Freshness, type Json, pointer, type Sign } from "../../../schemas/index.ts";
import { replaceValueAt } from "../../base/http/replacement.ts";
import { freshIn, type Occasion, refreshValues } from "./fresh-values.ts";

export interface Dressing extends Occasion {
  /** Whether a wrong signature is corrected. A valid signature is renewed in any case. */
  sign: boolean;
}

/** Refreshes a message, or the only message in a list, because a receiver that unpacks the list would have seen it before. */
function freshenEntries(instance: Json, entries: readonly Freshness[], dressing: Dressing): Json {
  const [onlyItem, ...otherItems] = Array.isArray(instance) ? instance : [];
  if (onlyItem === undefined || otherItems.length > 0) return refreshValues(instance, entries, dressing);
  return [refreshValues(onlyItem, entries, { ...dressing, keep: [] })];
}

/** Creates the value to send: the refreshed document, inside its refreshed carrier if it has one. It is signed last if the protocol signs its messages. */
export function completeMessage(
  instance: Json,
  document: Document,
  { wrapped, dressing, sign }: { wrapped: boolean; dressing: Dressing; sign?: Sign | undefined },
): Json {
  const { wrap } = document;
  const parts = freshIn(document);
  const freshDocument = freshenEntries(instance, parts.own, dressing);
  if (wrap === undefined || !wrapped) {
    const signatureEntry = parts.own.find(({ make }) => make === "signature");
    if (sign === undefined || signatureEntry === undefined) return freshDocument;
    const isKept = dressing.keep.some((keptPlace) => pointer.areRelated(keptPlace, signatureEntry.at));
    // A vector about the signature itself depends on exactly these bytes.
    if (isKept && !dressing.sign) return instance;
    return !isKept && (dressing.sign || equal(sign(instance), instance)) ? sign(freshDocument) : freshDocument;
  }
  // The kept places of a vector are in the document, not in its carrier.
  const carrier = refreshValues(wrap.in, parts.carrier, { ...dressing, keep: [], fitting: undefined });
  const wholeCarrier = replaceValueAt(carrier, wrap.at, () => freshDocument);
  return sign !== undefined && parts.carrier.some(({ make }) => make === "signature")
    ? sign(wholeCarrier)
    : wholeCarrier;
}
