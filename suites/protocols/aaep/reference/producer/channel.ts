import { isObject, jsonOf } from "../../../../../schemas/index.ts";
import { subscribe } from "./handshake.ts";
import type { EventOutlet, IsWhole, Producer, Subscription } from "./model.ts";
import { loseSubscription, receiveMessage } from "./receive.ts";
import { retell } from "./resume.ts";

/** A connection that carries messages in both directions. */
export interface SubscriberChannel {
  /** Handles a message. */
  take(text: string): void;
  /** Is called when the connection is closed or lost. */
  gone(): void;
}

/** Serves a subscriber on its own connection: the first message requests the subscription. */
export function channelOf(
  producer: Producer,
  isWhole: IsWhole,
  principal: string | undefined,
  outlet: EventOutlet,
): SubscriberChannel {
  let subscription: Subscription | undefined;
  return {
    take(text) {
      const message = jsonOf(text);
      if (!isObject(message) || message.type !== "subscription.request") {
        receiveMessage(producer, isWhole, text, principal);
        return;
      }
      const said = subscribe(producer, message, principal, isWhole);
      if (said.answer !== undefined) outlet.send(said.answer);
      if (said.subscription === undefined) {
        outlet.end();
        return;
      }
      subscription = said.subscription;
      subscription.outlet = outlet;
      producer.subscriptions.set(subscription.id, subscription);
      retell(producer, subscription);
    },
    gone() {
      if (subscription?.outlet === outlet) loseSubscription(producer, subscription);
    },
  };
}
