import { type Breach, type Checker, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { replyOf } from "./question.ts";
import { onRecording, type Recording } from "./recording.ts";

/** Checks that the messages on a subscription fit its requests and acceptances. */
export const subscriptionCheckers: readonly Checker[] = [
  onRecording("AAEP-HS-015", findUnrequested),
  onRecording("AAEP-HS-016", findSharedIds),
  onRecording("AAEP-HS-022", findEventsAfterClose),
  onRecording("AAEP-RPL-024", findUnannouncedReplies),
  onRecording("AAEP-RPL-026", findForeignIds),
];

/** Finds messages of a subscriber before its handshake. */
function* findUnrequested({ streams }: Recording): Generator<Breach> {
  for (const { sent, eraAt } of streams) {
    const isNegotiated = sent.some(
      ({ message: { type } }) => type === "subscription.request" || type === "subscription.accepted",
    );
    const firstMessage = sent.find(({ from }) => from === "subscriber");
    if (!isNegotiated || firstMessage === undefined || eraAt(firstMessage) > 0) continue;
    const { type, capabilities } = firstMessage.message;
    if (type !== "subscription.request") yield { at: firstMessage.at, why: "precedes a request" };
    else if (!isObject(capabilities)) yield { at: firstMessage.at, why: "is a request without capabilities" };
  }
}

/** Finds ids that several subscriptions have at the same time. */
function* findSharedIds({ sent, merged }: Recording): Generator<Breach> {
  const ownersById = new Map<string, { on: string; era: number }>();
  const idsBySubscription = new Map<string, { id: string; era: number }>();
  for (const sentMessage of sent) {
    const { on, at, message, from } = sentMessage;
    const { type, subscription_id: id } = message;
    const isEnd = type === "subscription.close" || type === "subscription.rejected" || type === "subscription.request";
    if (isEnd) {
      ownersById.delete(idsBySubscription.get(on)?.id ?? "");
      idsBySubscription.delete(on);
    }
    if (from !== "producer" || type !== "subscription.accepted" || typeof id !== "string") continue;
    const era = merged.eraAt(sentMessage);
    const [owner, currentId] = [ownersById.get(id), idsBySubscription.get(on)];
    if (owner !== undefined && owner.on !== on && owner.era === era)
      yield { at: `${at}/subscription_id`, why: `is ${id}, which another live subscription has` };
    if (currentId !== undefined && currentId.id !== id && currentId.era === era)
      yield { at: `${at}/subscription_id`, why: `is ${id}, but was ${currentId.id}` };
    ownersById.set(id, { on, era });
    idsBySubscription.set(on, { id, era });
  }
}

/** Finds events that a producer sends on a subscription after closing it. After a subscriber's close, events may be in transit. */
function* findEventsAfterClose({ streams }: Recording): Generator<Breach> {
  for (const { sent, events } of streams) {
    const eventIndexes = new Set(events.map(({ index }) => index));
    let isClosed = false;
    for (const { from, at, index, message } of sent) {
      if (from === "producer" && message.type === "subscription.close") isClosed = true;
      else if (message.type === "subscription.request" || message.type === "subscription.accepted") isClosed = false;
      else if (isClosed && eventIndexes.has(index))
        yield { at, why: "is sent on a subscription that its producer has closed" };
    }
  }
}

const replyCapability = { confirmation: "supports_confirmation_reply", clarification: "supports_clarification_reply" };

/** Finds replies of a subscription that has not announced them. */
function* findUnannouncedReplies({ streams }: Recording): Generator<Breach> {
  for (const { sent } of streams) {
    let requested: JsonObject | undefined;
    for (const sentMessage of sent) {
      const { type, capabilities } = sentMessage.message;
      if (sentMessage.from !== "subscriber") continue;
      if (type === "subscription.request" && isObject(capabilities)) requested = capabilities;
      if (type === "subscription.renegotiate" && isObject(capabilities)) requested = { ...requested, ...capabilities };
      const reply = replyOf(sentMessage);
      if (reply === undefined || requested === undefined) continue;
      const capability = replyCapability[reply.kind];
      if (requested[capability] === false)
        yield { at: sentMessage.at, why: `was sent by a subscriber that has set ${capability} to false` };
      else if (requested[capability] === undefined)
        yield { at: sentMessage.at, why: `was sent by a subscriber that has not set ${capability}`, level: "SHOULD" };
    }
  }
}

/** Finds replies with an id that was not granted to their subscription. If another subscription may have the id, this only breaks the rule if senders are authenticated. */
function* findForeignIds({ sent, streams, merged }: Recording): Generator<Breach> {
  const acceptedIdIn = ({ message }: (typeof sent)[number]): unknown =>
    message.type === "subscription.accepted" ? message.subscription_id : undefined;
  const acceptedIds = new Set(sent.map(acceptedIdIn));
  for (const { sent: sentOnStream, eraAt } of streams) {
    let grantedIds: { id: unknown; era: number }[] = [];
    for (const sentMessage of sentOnStream) {
      const era = eraAt(sentMessage);
      grantedIds = grantedIds.filter((grant) => grant.era === era);
      const id = acceptedIdIn(sentMessage);
      if (id !== undefined) grantedIds.push({ id, era });
      const { subscription_id: namedId } = sentMessage.message;
      if (replyOf(sentMessage) === undefined || grantedIds.length === 0 || typeof namedId !== "string") continue;
      if (grantedIds.some((grant) => grant.id === namedId)) continue;
      const isElsewhere = acceptedIds.has(namedId) || merged.eraAt(sentMessage) > 0;
      const at = `${sentMessage.at}/subscription_id`;
      yield {
        at,
        why: `is ${namedId}, which is not the id of its subscription`,
        ...(isElsewhere ? { level: "SHOULD" } : {}),
      };
    }
  }
}
