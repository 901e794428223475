import { type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import type { SubscriptionWishes } from "../subscribing/line.ts";
import { usualRequest } from "../subscribing/request.ts";
import { requestSubscription } from "../subscribing/sse.ts";

/** Invalid requests. Any answer will do, but one is required. */
export const mistakenWishes: readonly [what: string, wanted: SubscriptionWishes][] = [
  ["without languages to choose from", { capabilities: { ...usualRequest, languages: [] } }],
  ["for no events at all", { capabilities: { ...usualRequest, max_events_per_second: 0 } }],
  ["with capabilities that are not an object", { request: { capabilities: "all" } }],
  ["with a number as its version", { request: { aaep_version: 1 } }],
  ["of a subscriber without a name", { request: { subscriber_id: "" } }],
  ["with an unknown level", { capabilities: { ...usualRequest, supported_conformance_levels: [9] } }],
];

/** Whether any answer comes, even a mere status. Rethrows failures other than silence. */
export async function isAnsweredAtAll(context: ScenarioContext, wanted: SubscriptionWishes): Promise<boolean> {
  try {
    await requestSubscription(context, wanted);
    return true;
  } catch (error) {
    if (error instanceof TargetFailure && error.outcome === "timed-out") return false;
    throw error;
  }
}
