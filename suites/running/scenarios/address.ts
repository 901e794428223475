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

/** Returns the route to a party, or skips the scenario by throwing if the party has no address. */
export function routeTo(route: PartyRoute | undefined): PartyRoute {
  if (route !== undefined) return route;
  throw addressMissing();
}
