import { isObject, jsonOf } from "../../../../../schemas/index.ts";
import { subscribe } from "./handshake.ts";
import type { EventOutlet, IsWhole, Producer, Subscription } from "./model.ts";
import { loseSubscription, receiveMessage } from "./receive.ts";
import { retell } from "./resume.ts";

/** One connection on which messages go both ways. */
export interface SubscriberChannel {
  /** Handles a message. */
  take(text: string): void;
  /** The connection is gone. */
  gone(): void;
}

/** Serves a subscriber on a connection of its own: its first message asks for the subscription. */
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
