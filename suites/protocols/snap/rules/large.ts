import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { isShallow } from "./size.ts";

/** Characters beyond which nothing is built: more than any limit of the protocol asks for. */
const maxBytes = 20_000_000;

/**
 * A document that a record describes because it is too large to be printed: one text in it is repeated. Returns the document and its
 * name. Another document is returned unchanged, and a value that describes none as null.
 */
export function growDocument(instance: Json, document: string): [instance: Json, document: string] {
  if (document !== "large") return [instance, document];
  if (!isObject(instance) || typeof instance.document !== "string") return [null, document];
  const { start, fill } = instance;
  if (start === undefined || !isObject(fill)) return [null, document];
  const { at, text, times } = fill;
  if (typeof at !== "string" || !/^\//.test(at) || typeof text !== "string" || typeof times !== "number")
    return [null, document];
  if (!Number.isInteger(times) || times < 0 || text.length * times > maxBytes) return [null, document];
  if (!isShallow(start) || typeof pointer.at(at, start) !== "string") return [null, document];
  const whole = structuredClone(start);
  const { parent, last } = pointer.split(at);
  (pointer.at(parent, whole) as JsonObject)[last] = text.repeat(times);
  return [whole, instance.document];
}
