import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import type { SubscriptionOptions } from "../subscribing/open-subscription.ts";
import { usualCapabilities } from "../subscribing/request.ts";
import { requestSubscription } from "../subscribing/sse.ts";

/** Invalid requests, which need an answer of any kind. */
export const mistakenRequests: readonly [mistake: string, request: SubscriptionOptions][] = [
  ["without languages to choose from", { capabilities: { ...usualCapabilities, languages: [] } }],
  ["for no events at all", { capabilities: { ...usualCapabilities, max_events_per_second: 0 } }],
  ["with capabilities that are not an object", { request: { capabilities: "all" } }],
  ["with a number as its version", { request: { aaep_version: 1 } }],
  ["of a subscriber without a name", { request: { subscriber_id: "" } }],
  ["with an unknown level", { capabilities: { ...usualCapabilities, supported_conformance_levels: [9] } }],
];

/** Whether a request is answered at all, even by a mere status. Rethrows failures other than a timeout. */
export async function isAnsweredAtAll(context: ScenarioContext, options: SubscriptionOptions): Promise<boolean> {
  try {
    await requestSubscription(context, options);
    return true;
  } catch (error) {
    if (error instanceof TargetFailure && error.outcome === "timed-out") return false;
    throw error;
  }
}
