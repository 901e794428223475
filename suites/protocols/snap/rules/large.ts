import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { isShallow } from "./size.ts";

/** The maximum size of a built document, in characters: more than any limit of the protocol needs. */
const maxCharacters = 20_000_000;

/**
 * Builds a document that is too large for a vector file, by repeating a string of the document in a record. Returns the document and its
 * name. Any other document is returned unchanged, and an invalid record becomes null.
 */
export function growDocument(instance: Json, document: string): [instance: Json, document: string] {
  if (document !== "large") return [instance, document];
  if (!isObject(instance) || typeof instance.document !== "string") return [null, document];
  const { start, fill } = instance;
  if (start === undefined || !isObject(fill)) return [null, document];
  const { at, text, times } = fill;
  if (typeof at !== "string" || !/^\//.test(at) || typeof text !== "string" || typeof times !== "number")
    return [null, document];
  if (!Number.isInteger(times) || times < 0 || text.length * times > maxCharacters) return [null, document];
  if (!isShallow(start) || typeof pointer.at(at, start) !== "string") return [null, document];
  const grown = structuredClone(start);
  const { parent, last } = pointer.split(at);
  (pointer.at(parent, grown) as JsonObject)[last] = text.repeat(times);
  return [grown, instance.document];
}
