import { compileAjv, instant, type Sent } from "../../../../../generators/index.ts";
import { isObject, type Json, type JsonObject, protocolNamed } from "../../../../../schemas/index.ts";
import type { SubscriberReply, TraceQuestion } from "./question.ts";

/** Whether a reply counts or is ignored, if this is known. */
export type ReplyVerdict = "counts" | "ignored" | "unsure";

/** The known facts about a subscription at a point of a recording. */
interface SubscriberFacts {
  /** Whether the recording has a handshake. Without one, every subscriber may answer. */
  isNegotiated: boolean;
  requested?: JsonObject;
  honored: JsonObject;
  ids: Set<Json>;
  closedBy?: Sent["from"];
}

const replyCapability = { confirmation: "supports_confirmation_reply", clarification: "supports_clarification_reply" };

/** Tracks, message by message, the subscribers that may answer questions. */
export class Audience {
  readonly #factsBySubscription = new Map<string, SubscriberFacts>();
  readonly #ids = new Set<Json>();
  readonly #isWhole: boolean;
  /** The index at which a subscription was last closed. */
  #lastCloseIndex = -1;

  constructor(sent: readonly Sent[], gaps: number) {
    this.#isWhole = gaps === 0;
    for (const { on, message } of sent) {
      const facts = this.#factsBySubscription.get(on) ?? { isNegotiated: false, honored: {}, ids: new Set() };
      facts.isNegotiated ||= message.type === "subscription.request" || message.type === "subscription.accepted";
      this.#factsBySubscription.set(on, facts);
    }
  }

  /** Notes a message that changes a subscription. */
  follow({ on, from, message, index }: Sent): void {
    const facts = this.#factsBySubscription.get(on) as SubscriberFacts;
    const { type, capabilities, honored_capabilities: honored, subscription_id: id } = message;
    if (from === "subscriber" && isObject(capabilities)) {
      if (type === "subscription.request") {
        facts.requested = capabilities;
        delete facts.closedBy;
      }
      if (type === "subscription.renegotiate") facts.requested = { ...facts.requested, ...capabilities };
    }
    if (type === "subscription.close") {
      facts.closedBy = from;
      this.#lastCloseIndex = index;
    }
    if (from !== "producer") return;
    if (type === "subscription.rejected") facts.closedBy = from;
    if (type !== "subscription.accepted" || id === undefined) return;
    delete facts.closedBy;
    facts.honored = isObject(honored) ? honored : {};
    facts.ids.add(id);
    this.#ids.add(id);
  }

  /** Whether a reply counts according to its sender and its form, regardless of its question. */
  judgeSender({ sent, kind, stamp }: SubscriberReply): ReplyVerdict {
    const { message, on } = sent;
    const { isNegotiated, requested, ids, closedBy } = this.#factsBySubscription.get(on) as SubscriberFacts;
    if (stamp === undefined || !isValidReply({ sent, kind })) return "ignored";
    if (!isNegotiated) return "counts";
    if (requested === undefined) return "unsure";
    const support = this.#supportOf(on, kind);
    if (support === "no" || closedBy === "subscriber") return "ignored";
    const { subscription_id: id } = message;
    const isOwnId = ids.size === 0 || (id !== undefined && ids.has(id));
    const isUnknownId = !isOwnId && this.#isWhole && id !== undefined && !this.#ids.has(id);
    if (isUnknownId) return "ignored";
    return support === "yes" && isOwnId && closedBy === undefined ? "counts" : "unsure";
  }

  /** Whether a subscription was closed after an index of the recording. */
  hasClosedSince(index: number): boolean {
    return this.#lastCloseIndex > index;
  }

  /** Judges whether no subscriber can answer a question any more: "counts" if so, and "ignored" if a subscriber may still answer. */
  judgeAbsence(kind: TraceQuestion["kind"]): ReplyVerdict {
    for (const [on, { isNegotiated, requested, closedBy }] of this.#factsBySubscription) {
      const mayAnswer = closedBy === undefined && this.#supportOf(on, kind) !== "no";
      const isMute =
        requested !== undefined &&
        requested[replyCapability[kind]] === undefined &&
        this.#supportOf(on, kind) === "unsaid";
      if (!isNegotiated || requested === undefined || (mayAnswer && !isMute)) return "ignored";
    }
    return this.#isWhole ? "counts" : "unsure";
  }

  #supportOf(on: string, kind: TraceQuestion["kind"]): "yes" | "no" | "unsaid" {
    const { requested = {}, honored } = this.#factsBySubscription.get(on) as SubscriberFacts;
    const [requestedSupport, grantedSupport] = [requested[replyCapability[kind]], honored[replyCapability[kind]]];
    if (requestedSupport === true) return "yes";
    return requestedSupport === false && grantedSupport !== true ? "no" : "unsaid";
  }
}

const validators = new Map<string, (instance: Json) => boolean>();

/** Whether a reply is valid under its schema, with a valid time. */
export function isValidReply({ kind, sent: { message } }: Pick<SubscriberReply, "kind" | "sent">): boolean {
  const id = `https://aaep-protocol.org/schemas/v1/handshake/${kind}.reply.schema.json`;
  const validate = validators.get(id) ?? compileAjv(protocolNamed("aaep").schemas as JsonObject[], id, "quick");
  validators.set(id, validate);
  return instant(message.timestamp) !== undefined && validate(message);
}
