import { type JsonObject, TargetFailure, TargetSkip } from "../../../../../schemas/index.ts";
import type { Inbox } from "./inbox.ts";
import type { OpenSubscription, SubscriptionOptions } from "./open-subscription.ts";

/** Whether a message answers a request for a subscription. */
export function isAnswer({ type }: JsonObject): boolean {
  return type === "subscription.accepted" || type === "subscription.rejected";
}

/** Makes the subscription on a connection that carries messages in both directions. Skips if it was not granted. */
export function subscriptionOn(connection: {
  inbox: Inbox;
  options: SubscriptionOptions;
  answer: JsonObject | undefined;
  write(text: string): void;
  cut(): void;
}): OpenSubscription {
  const { inbox, options, answer, write, cut } = connection;
  const { name = "subscriber", caller = "a" } = options;
  if (answer === undefined)
    throw new TargetFailure("timed-out", "subscribe", `the request of ${name} for a subscription is not answered`);
  if (answer.type !== "subscription.accepted")
    throw new TargetSkip(`it does not grant the subscription needed for this: ${answer.reason_code}`);
  return {
    id: String(answer.subscription_id),
    name,
    caller,
    accepted: answer,
    inbox,
    async send(message, sender = caller) {
      if (sender !== caller) throw new TargetSkip("on this binding a connection identifies its subscriber");
      write(typeof message === "string" ? message : JSON.stringify(message));
      return undefined;
    },
    cut() {
      inbox.expectEnd();
      cut();
    },
  };
}
