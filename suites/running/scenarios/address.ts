import type { Pool } from "undici";
import { addressMissing } from "./needs.ts";

/** How requests reach a party. */
export interface PartyRoute {
  pool: Pool;
  /** The base address. */
  url: string;
  /** The path, without a final slash. */
  prefix: string;
}

/** The route to a party; throws the skip of a scenario if the party has no address. */
export function wayTo(way: PartyRoute | undefined): PartyRoute {
  if (way !== undefined) return way;
  throw addressMissing();
}
