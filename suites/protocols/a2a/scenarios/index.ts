import type { Scenario } from "../../../../schemas/index.ts";
import { accessScenarios } from "./access.ts";
import { cancelScenarios } from "./cancelling.ts";
import { cardScenarios } from "./card.ts";
import { clientScenarios } from "./client/index.ts";
import { equivalenceScenarios } from "./equivalence.ts";
import { restScenarios } from "./http-json.ts";
import { rpcScenarios } from "./json-rpc.ts";
import { lifeScenarios } from "./life.ts";
import { listScenarios } from "./listing.ts";
import { hostileScenarios, messageScenarios } from "./messages.ts";
import { pushScenarios } from "./pushes.ts";
import { readingScenarios } from "./reading.ts";
import { receiverScenarios } from "./receiver/calls.ts";
import { refusalScenarios } from "./refusals.ts";
import { sendScenarios } from "./sending.ts";
import { streamScenarios } from "./streams.ts";
import { subscriptionScenarios } from "./subscriptions.ts";
import { versionScenarios } from "./versions.ts";
import { webhookScenarios } from "./webhooks.ts";

export { bounds } from "./bounds.ts";

/** All scenarios, in the order in which they are played. */
export const scenarios: readonly Scenario[] = [
  ...cardScenarios,
  ...versionScenarios,
  ...rpcScenarios,
  ...restScenarios,
  ...refusalScenarios,
  ...messageScenarios,
  ...sendScenarios,
  ...lifeScenarios,
  ...readingScenarios,
  ...listScenarios,
  ...cancelScenarios,
  ...streamScenarios,
  ...subscriptionScenarios,
  ...pushScenarios,
  ...webhookScenarios,
  ...accessScenarios,
  ...equivalenceScenarios,
  ...hostileScenarios,
  ...clientScenarios,
  ...receiverScenarios,
];
