import type { Document, Json } from "../../../schemas/index.ts";
import { freshen, type Occasion } from "./fresh.ts";
import { replace } from "./replace.ts";

/** The value that travels: the document made fresh, inside its carrier where it has one, which is made fresh too. */
export function dress(instance: Json, { fresh = [], wrap }: Document, wrapped: boolean, occasion: Occasion): Json {
  const own = freshen(
    instance,
    fresh.filter((entry) => entry.in !== "carrier"),
    occasion,
  );
  if (wrap === undefined || !wrapped) return own;
  // What a vector keeps are places in the document, not in its carrier.
  const carrier = freshen(
    wrap.in,
    fresh.filter((entry) => entry.in === "carrier"),
    { ...occasion, keep: [] },
  );
  return replace(carrier, wrap.at, () => own);
}
