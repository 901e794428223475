import canonicalize from "canonicalize";
import { TouchstoneError } from "./error.ts";
import type { Json } from "./json.ts";

/** Canonical JSON text (RFC 8785). Throws on a lone surrogate, which has no canonical form, and a usage error on what is too deep. */
export function canonical(value: Json): string {
  try {
    return canonicalize(value) as string;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new TouchstoneError("usage", "it is nested too deeply", { hint: "nest it less deeply", cause });
  }
}
