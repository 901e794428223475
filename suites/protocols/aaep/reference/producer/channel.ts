import { isObject, jsonOf } from "../../../../../schemas/index.ts";
import { subscribe } from "./handshake.ts";
import type { EventOutlet, IsValidDocument, Producer, Subscription } from "./model.ts";
import { loseSubscription, receiveMessage } from "./receive.ts";
import { repeatEarlierEvents } from "./resume.ts";

/** A connection that carries messages in both directions. */
export interface SubscriberChannel {
  /** Handles a message. */
  handle(text: string): void;
  /** Called when the connection is closed or lost. */
  onDisconnect(): void;
}

/** Serves a subscriber on its own connection: the first message requests the subscription. */
export function channelOf(
  producer: Producer,
  isValid: IsValidDocument,
  principal: string | undefined,
  outlet: EventOutlet,
): SubscriberChannel {
  let subscription: Subscription | undefined;
  return {
    handle(text) {
      const message = jsonOf(text);
      if (!isObject(message) || message.type !== "subscription.request") {
        receiveMessage(producer, isValid, text, principal);
        return;
      }
      const handshake = subscribe(producer, message, principal, isValid);
      if (handshake.answer !== undefined) outlet.send(handshake.answer);
      if (handshake.subscription === undefined) {
        outlet.end();
        return;
      }
      subscription = handshake.subscription;
      subscription.outlet = outlet;
      producer.subscriptions.set(subscription.id, subscription);
      repeatEarlierEvents(producer, subscription);
    },
    onDisconnect() {
      if (subscription?.outlet === outlet) loseSubscription(producer, subscription);
    },
  };
}
