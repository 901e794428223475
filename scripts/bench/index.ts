import type { Bench } from "./bench.ts";
import { generate } from "./generate.ts";

/** In the order in which they are listed. */
export const benches: readonly Bench[] = [generate];
