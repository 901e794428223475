import { type Breach, type Checker, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { replyOf } from "./question.ts";
import { onRecording, type Recording } from "./recording.ts";

/** The subscriber's earlier requests and grants, compared with its messages. */
export const subscribedCheckers: readonly Checker[] = [
  onRecording("AAEP-HS-015", findUnrequested),
  onRecording("AAEP-HS-016", findSharedIds),
  onRecording("AAEP-HS-022", checkAfterEnd),
  onRecording("AAEP-RPL-024", findDisowned),
  onRecording("AAEP-RPL-026", findForeignIds),
];

/** A handshake comes before all other messages. */
function* findUnrequested({ streams }: Recording): Generator<Breach> {
  for (const { sent, eraAt } of streams) {
    const isNegotiated = sent.some(
      ({ message: { type } }) => type === "subscription.request" || type === "subscription.accepted",
    );
    const first = sent.find(({ from }) => from === "subscriber");
    if (!isNegotiated || first === undefined || eraAt(first) > 0) continue;
    const { type, capabilities } = first.message;
    if (type !== "subscription.request") yield { at: first.at, why: "comes before a request" };
    else if (!isObject(capabilities)) yield { at: first.at, why: "is a request without capabilities" };
  }
}

/** An id belongs to one subscription at a time. */
function* findSharedIds({ sent, all }: Recording): Generator<Breach> {
  const owners = new Map<string, { on: string; era: number }>();
  const ids = new Map<string, { id: string; era: number }>();
  for (const each of sent) {
    const { on, at, message, from } = each;
    const { type, subscription_id: id } = message;
    const isEnd = type === "subscription.close" || type === "subscription.rejected" || type === "subscription.request";
    if (isEnd) {
      owners.delete(ids.get(on)?.id ?? "");
      ids.delete(on);
    }
    if (from !== "producer" || type !== "subscription.accepted" || typeof id !== "string") continue;
    const era = all.eraAt(each);
    const [owner, own] = [owners.get(id), ids.get(on)];
    if (owner !== undefined && owner.on !== on && owner.era === era)
      yield { at: `${at}/subscription_id`, why: `is ${id}, which another live subscription has` };
    if (own !== undefined && own.id !== id && own.era === era)
      yield { at: `${at}/subscription_id`, why: `is ${id}, and was ${own.id}` };
    owners.set(id, { on, era });
    ids.set(on, { id, era });
  }
}

/** Finds events that a producer sends on a subscription that it has closed itself. After a subscriber's close, events may be in transit. */
function* checkAfterEnd({ streams }: Recording): Generator<Breach> {
  for (const { sent, events } of streams) {
    const own = new Set(events.map(({ index }) => index));
    let isClosed = false;
    for (const { from, at, index, message } of sent) {
      if (from === "producer" && message.type === "subscription.close") isClosed = true;
      else if (message.type === "subscription.request" || message.type === "subscription.accepted") isClosed = false;
      else if (isClosed && own.has(index)) yield { at, why: "comes on a subscription that its producer had closed" };
    }
  }
}

const support = { confirmation: "supports_confirmation_reply", clarification: "supports_clarification_reply" };

/** Finds replies of a subscription that declared to send none. */
function* findDisowned({ streams }: Recording): Generator<Breach> {
  for (const { sent } of streams) {
    let said: JsonObject | undefined;
    for (const each of sent) {
      const { type, capabilities } = each.message;
      if (each.from !== "subscriber") continue;
      if (type === "subscription.request" && isObject(capabilities)) said = capabilities;
      if (type === "subscription.renegotiate" && isObject(capabilities)) said = { ...said, ...capabilities };
      const reply = replyOf(each);
      if (reply === undefined || said === undefined) continue;
      const name = support[reply.kind];
      if (said[name] === false) yield { at: each.at, why: `comes from a subscriber that said no to ${name}` };
      else if (said[name] === undefined)
        yield { at: each.at, why: `comes from a subscriber that did not say ${name}`, level: "SHOULD" };
    }
  }
}

/** Finds replies with an id that their subscription never got, if nothing is missing. If another subscription may have the id, this is wrong only if senders are authenticated. */
function* findForeignIds({ sent, streams, all }: Recording): Generator<Breach> {
  const idIn = ({ message }: (typeof sent)[number]): unknown =>
    message.type === "subscription.accepted" ? message.subscription_id : undefined;
  const anywhere = new Set(sent.map(idIn));
  for (const { sent: own, eraAt } of streams) {
    let granted: { id: unknown; era: number }[] = [];
    for (const each of own) {
      const era = eraAt(each);
      granted = granted.filter((grant) => grant.era === era);
      const id = idIn(each);
      if (id !== undefined) granted.push({ id, era });
      const { subscription_id: said } = each.message;
      if (replyOf(each) === undefined || granted.length === 0 || typeof said !== "string") continue;
      if (granted.some((grant) => grant.id === said)) continue;
      const isElsewhere = anywhere.has(said) || all.eraAt(each) > 0;
      const at = `${each.at}/subscription_id`;
      yield { at, why: `is ${said}, not the id of its subscription`, ...(isElsewhere ? { level: "SHOULD" } : {}) };
    }
  }
}
