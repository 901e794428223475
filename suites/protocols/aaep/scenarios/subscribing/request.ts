import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import type { SubscriptionWishes } from "./line.ts";

/** The suite's capabilities, unless a scenario changes them. */
export const usualRequest: JsonObject = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
  languages: ["en-GB", "en"],
};

/** A request for a subscription. */
export function requestOf(
  context: ScenarioContext,
  { capabilities = usualRequest, request = {}, name = "subscriber" }: SubscriptionWishes,
): JsonObject {
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: context.fresh(name),
    capabilities,
    ...request,
  };
}

/** A subscriber's message that closes its subscription. */
export function closeMessage(id: string): JsonObject {
  return { type: "subscription.close", subscription_id: id, reason_code: "shutdown", reason_message: "That was all." };
}
