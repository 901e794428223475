import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { renegotiate } from "./handshake.ts";
import type { IsValidDocument, Producer, Subscription } from "./model.ts";
import { applyDefaults, handleReply } from "./questions.ts";

/** Handles a message from a subscriber. */
export function receiveMessage(
  producer: Producer,
  isValid: IsValidDocument,
  body: string,
  principal: string | undefined,
): { status: number; body?: JsonObject } {
  const message = jsonOf(body);
  if (!isObject(message)) return producer.policy.answerTo("schema");
  const subscription = producer.subscriptions.get(String(message.subscription_id));
  if (message.type === "subscription.close" || message.type === "subscription.renegotiate") {
    if (subscription === undefined || !producer.policy.mayChange(principal, subscription))
      return producer.policy.answerTo("entitlement");
    if (message.type === "subscription.close") closeSubscription(producer, subscription);
    else changeTerms(producer, subscription, message.capabilities ?? null);
    return { status: 204 };
  }
  const objection = handleReply(producer, message, principal, isValid);
  return objection === undefined ? { status: 204 } : producer.policy.answerTo(objection);
}

function changeTerms(producer: Producer, subscription: Subscription, capabilities: Json): void {
  const answer = renegotiate(producer, subscription, capabilities);
  if (producer.policy.appliesDefaultsOnChange)
    for (const question of producer.questions.values()) if (question.isOpen) question.settle(undefined);
  if (answer !== undefined) subscription.outlet?.send(answer);
}

function closeSubscription(producer: Producer, subscription: Subscription): void {
  const { unlistsAfter, sendsAfterClose } = producer.policy;
  const { outlet } = subscription;
  delete subscription.outlet;
  delete subscription.isExpected;
  if (!unlistsAfter("close")) subscription.isStillListed = true;
  else if (!sendsAfterClose) producer.subscriptions.delete(subscription.id);
  if (producer.policy.closesAllSubscriptions)
    for (const otherSubscription of producer.subscriptions.values()) otherSubscription.outlet?.end();
  if (sendsAfterClose && outlet !== undefined) subscription.leftOpen = outlet;
  else outlet?.end();
  applyDefaults(producer, "close");
}

/** Clears the state of a subscription after its connection is lost. */
export function loseSubscription(producer: Producer, subscription: Subscription): void {
  subscription.stopDraining?.();
  delete subscription.stopDraining;
  delete subscription.outlet;
  subscription.heldEvents.length = 0;
  applyDefaults(producer, "loss");
  const { unlistsAfter, survivesConnection } = producer.policy;
  subscription.isStillListed = !unlistsAfter("loss");
  if (!survivesConnection && unlistsAfter("loss")) producer.subscriptions.delete(subscription.id);
}
