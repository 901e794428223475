import type { Scenario } from "../../../../../schemas/index.ts";
import { coping } from "./coping.ts";
import { deciding } from "./deciding.ts";
import { hearing } from "./hearing.ts";
import { leaving } from "./leaving.ts";
import { progress } from "./progress.ts";

/** Scenarios with the suite as a subscriber's producer, in the order of play. */
export const subscribing: readonly Scenario[] = [...hearing, ...progress, ...deciding, ...coping, ...leaving];
