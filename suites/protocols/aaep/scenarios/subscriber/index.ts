import type { Scenario } from "../../../../../schemas/index.ts";
import { coping } from "./coping.ts";
import { deciding } from "./deciding.ts";
import { hearing } from "./hearing.ts";
import { leaving } from "./leaving.ts";
import { progress } from "./progress.ts";

/** Stories in which the suite is the producer of a subscriber, in the order in which they are played. */
export const subscribing: readonly Scenario[] = [...hearing, ...progress, ...deciding, ...coping, ...leaving];
