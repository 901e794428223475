import { type JsonObject, TargetFailure, TargetSkip } from "../../../../../schemas/index.ts";
import type { Inbox } from "./inbox.ts";
import type { Line, SubscriptionWishes } from "./line.ts";

/** A message that answers a request for a subscription. */
export function isAnswer({ type }: JsonObject): boolean {
  return type === "subscription.accepted" || type === "subscription.rejected";
}

/** A line on a connection on which messages go both ways. Skips if the subscription was not granted. */
export function lineOn(given: {
  inbox: Inbox;
  wanted: SubscriptionWishes;
  answer: JsonObject | undefined;
  write(text: string): void;
  cut(): void;
}): Line {
  const { inbox, wanted, answer, write, cut } = given;
  const { name = "subscriber", as = "a" } = wanted;
  if (answer === undefined)
    throw new TargetFailure("timed-out", "subscribe", `the request of ${name} for a subscription is not answered`);
  if (answer.type !== "subscription.accepted")
    throw new TargetSkip(`it does not grant the subscription needed for this: ${answer.reason_code}`);
  return {
    id: String(answer.subscription_id),
    name,
    as,
    accepted: answer,
    inbox,
    async send(message, by = as) {
      if (by !== as) throw new TargetSkip("on this binding a connection identifies its subscriber");
      write(typeof message === "string" ? message : JSON.stringify(message));
      return undefined;
    },
    cut() {
      inbox.expectEnd();
      cut();
    },
  };
}
