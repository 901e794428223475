import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import type { SubscriptionOptions } from "./open-subscription.ts";

/** The capabilities that the suite requests unless a scenario changes them. */
export const usualCapabilities: JsonObject = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
  languages: ["en-GB", "en"],
};

/** Makes a request for a subscription. */
export function requestOf(
  context: ScenarioContext,
  { capabilities = usualCapabilities, request = {}, name = "subscriber" }: SubscriptionOptions,
): JsonObject {
  return {
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: context.fresh(name),
    capabilities,
    ...request,
  };
}

/** Makes the message with which a subscriber closes its subscription. */
export function closeMessage(id: string): JsonObject {
  return { type: "subscription.close", subscription_id: id, reason_code: "shutdown", reason_message: "That was all." };
}
