import type { Scenario } from "../../../../schemas/index.ts";
import { access } from "./access.ts";
import { cancelling } from "./cancelling.ts";
import { cards } from "./card.ts";
import { clientScenarios } from "./client/index.ts";
import { equivalence } from "./equivalence.ts";
import { restScenarios } from "./http-json.ts";
import { rpcScenarios } from "./json-rpc.ts";
import { lives } from "./life.ts";
import { listing } from "./listing.ts";
import { hostileTexts, messages } from "./messages.ts";
import { pushes } from "./pushes.ts";
import { reading } from "./reading.ts";
import { receiverScenarios } from "./receiver/calls.ts";
import { refusing } from "./refusals.ts";
import { sending } from "./sending.ts";
import { streams } from "./streams.ts";
import { subscriptions } from "./subscriptions.ts";
import { versions } from "./versions.ts";
import { webhooks } from "./webhooks.ts";

export { bounds } from "./bounds.ts";

/** All scenarios, in the order in which they are played. */
export const scenarios: readonly Scenario[] = [
  ...cards,
  ...versions,
  ...rpcScenarios,
  ...restScenarios,
  ...refusing,
  ...messages,
  ...sending,
  ...lives,
  ...reading,
  ...listing,
  ...cancelling,
  ...streams,
  ...subscriptions,
  ...pushes,
  ...webhooks,
  ...access,
  ...equivalence,
  ...hostileTexts,
  ...clientScenarios,
  ...receiverScenarios,
];
