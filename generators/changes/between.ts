import { createPatch } from "rfc6902";
import type { Change, Json } from "../../schemas/index.ts";

/** The JSON Patch (RFC 6902) from one value to another, as small as the library finds it. */
export function changeBetween(from: Json, to: Json): Change[] {
  return createPatch(from, to);
}
