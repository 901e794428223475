import type { Scenario } from "../scenario.ts";
import { cancellation } from "./cancel.ts";
import { idempotency } from "./idempotency.ts";
import { lifecycle } from "./lifecycle.ts";
import { versions } from "./versions.ts";

/** The scenarios in the order in which they are played. */
export const ahcpScenarios: readonly Scenario[] = [...versions, ...idempotency, ...lifecycle, ...cancellation];
