import canonicalize from "canonicalize";
import type { Json } from "./json.ts";

/** Canonical JSON text (RFC 8785). Throws on a lone surrogate, which has no canonical form. */
export function canonical(value: Json): string {
  return canonicalize(value) as string;
}
