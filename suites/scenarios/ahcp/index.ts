import type { Scenario } from "../scenario.ts";
import { access } from "./access.ts";
import { cancellation } from "./cancel.ts";
import { discovery } from "./discovery.ts";
import { expiry } from "./expiry.ts";
import { idempotency } from "./idempotency.ts";
import { lifecycle } from "./lifecycle.ts";
import { limits } from "./limits.ts";
import { reading } from "./reading.ts";
import { resolvers } from "./resolvers.ts";
import { versions } from "./versions.ts";

/** The scenarios in the order in which they are played. */
export const ahcpScenarios: readonly Scenario[] = [
  ...versions,
  ...idempotency,
  ...lifecycle,
  ...cancellation,
  ...reading,
  ...access,
  ...expiry,
  ...resolvers,
  ...discovery,
  // Last: a burst is held against whatever comes after.
  ...limits,
];
