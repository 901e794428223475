import type { Json } from "./json.ts";
import type { Protocol } from "./protocol.ts";

/** The id of the rule that a message breaks by an integer beyond 2^53; undefined if it has no such integer, or the protocol no such rule. */
export function inexactIn({ profile }: Pick<Protocol, "profile">, data: Json | undefined): string | undefined {
  const rule = profile.text?.rulings.inexact?.rule;
  return rule !== undefined && data !== undefined && hasInexact(data) ? rule : undefined;
}

function hasInexact(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) > 2 ** 53;
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexact);
}
