import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { renegotiate } from "./handshake.ts";
import type { IsWhole, Producer, Subscription } from "./model.ts";
import { applyDefaults, takeReply } from "./questions.ts";

/** Handles a message from a subscriber. */
export function receiveMessage(
  producer: Producer,
  isWhole: IsWhole,
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
  const objection = takeReply(producer, message, principal, isWhole);
  return objection === undefined ? { status: 204 } : producer.policy.answerTo(objection);
}

function changeTerms(producer: Producer, subscription: Subscription, capabilities: Json): void {
  const answer = renegotiate(producer, subscription, capabilities);
  if (producer.policy.defaultsOnChange)
    for (const question of producer.questions.values()) if (question.isOpen) question.settle(undefined);
  if (answer !== undefined) subscription.outlet?.send(answer);
}

function closeSubscription(producer: Producer, subscription: Subscription): void {
  const { frees, sendsOn } = producer.policy;
  const { outlet } = subscription;
  delete subscription.outlet;
  delete subscription.isExpected;
  if (!frees("close")) subscription.isKept = true;
  else if (!sendsOn) producer.subscriptions.delete(subscription.id);
  if (producer.policy.closesAll) for (const other of producer.subscriptions.values()) other.outlet?.end();
  if (sendsOn && outlet !== undefined) subscription.leftOpen = outlet;
  else outlet?.end();
  applyDefaults(producer, "close");
}

/** Removes everything that belongs to a subscription with a lost connection. */
export function loseSubscription(producer: Producer, subscription: Subscription): void {
  subscription.draining?.();
  delete subscription.draining;
  delete subscription.outlet;
  subscription.held.length = 0;
  applyDefaults(producer, "loss");
  const { frees, outlives } = producer.policy;
  subscription.isKept = !frees("loss");
  if (!outlives && frees("loss")) producer.subscriptions.delete(subscription.id);
}
