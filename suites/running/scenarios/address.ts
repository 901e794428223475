import type { Pool } from "undici";
import { addressMissing } from "./needs.ts";

/** How requests get to a party. */
export interface PartyRoute {
  pool: Pool;
  /** Base address. */
  url: string;
  /** Its path, without a final slash. */
  prefix: string;
}

/** The way to a party; throws the skip of a scenario if its party has no address. */
export function wayTo(way: PartyRoute | undefined): PartyRoute {
  if (way !== undefined) return way;
  throw addressMissing();
}
