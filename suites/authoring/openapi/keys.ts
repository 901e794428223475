import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import type { Operation } from "./operation.ts";
import type { Sources } from "./source.ts";

/** Matches names and texts about idempotency. */
export const idempotencyWord: RegExp = /idempoten/i;
/** Matches descriptions such as "a unique key for this request": a server answers a second request with the key as it answered the first. */
const uniquePerRequest =
  /\bunique(ly)?\b[^.]{0,60}\b(for|to|of|per|in|identif\w+)\b[^.]{0,20}\b(each|every|the|this|a|per)\b[^.]{0,20}\b(request|call)\b/i;

/**
 * Whether a document calls a parameter the idempotency key of a request: by its name, in its description, or in an extension
 * (of the parameter, the operation or the document) that names it.
 */
export function isIdempotencyKey({ root }: Sources, { value: operation }: Operation, value: JsonObject): boolean {
  const { in: where, name, description = "", schema } = value;
  if (where === "path" || where === "cookie") return false;
  const descriptions = `${description} ${isObject(schema) ? (schema.description ?? "") : ""}`;
  // The condition of a conditional request is a value that the server knows.
  if (/^if-/i.test(String(name))) return false;
  if (idempotencyWord.test(String(name)) || extensions(value).length > 0) return true;
  if (/\bidempoten\w+[ -](key|token|id|identifier)\b/i.test(descriptions) || uniquePerRequest.test(descriptions))
    return true;
  if (idempotencyWord.test(descriptions) && /key|token|request-?id/i.test(String(name))) return true;
  const extensionValues = [operation, root.text.value].flatMap((holder) =>
    isObject(holder) ? extensions(holder) : [],
  );
  return extensionValues.some((extension) => containsName(extension, String(name).toLowerCase(), 0));
}

/** The values of extensions about idempotency, except those that deny it. */
function extensions(value: JsonObject): Json[] {
  return Object.entries(value).flatMap(([name, extension]) =>
    name.startsWith("x-") && idempotencyWord.test(name) && extension !== false ? [extension] : [],
  );
}

/** Whether any text in a value equals a name. */
function containsName(value: Json, name: string, depth: number): boolean {
  if (typeof value === "string") return value.toLowerCase() === name;
  if (typeof value !== "object" || value === null || depth > 4) return false;
  return Object.values(value).some((part) => containsName(part, name, depth + 1));
}
