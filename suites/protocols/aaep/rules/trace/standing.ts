import { compileAjv, instant, type Sent } from "../../../../../generators/index.ts";
import { isObject, type Json, type JsonObject, protocolNamed } from "../../../../../schemas/index.ts";
import type { SubscriberReply, TraceQuestion } from "./question.ts";

/** How a reply must be treated: it counts, it is ignored, or this is unknown. */
export type Weight = "counts" | "ignored" | "unsure";

/** The known facts about a subscription during a recording. */
interface SubscriberStanding {
  /** Whether the recording has a handshake. Without one, every subscriber may answer. */
  isNegotiated: boolean;
  said?: JsonObject;
  honored: JsonObject;
  ids: Set<Json>;
  closedBy?: Sent["from"];
}

const support = { confirmation: "supports_confirmation_reply", clarification: "supports_clarification_reply" };

/** Tracks who may answer questions, message by message. */
export class Audience {
  readonly #standings = new Map<string, SubscriberStanding>();
  readonly #ids = new Set<Json>();
  readonly #isWhole: boolean;
  /** The place at which the last subscriber that could answer was lost. */
  #lost = -1;

  constructor(sent: readonly Sent[], gaps: number) {
    this.#isWhole = gaps === 0;
    for (const { on, message } of sent) {
      const known = this.#standings.get(on) ?? { isNegotiated: false, honored: {}, ids: new Set() };
      known.isNegotiated ||= message.type === "subscription.request" || message.type === "subscription.accepted";
      this.#standings.set(on, known);
    }
  }

  /** Records a change of a subscription. */
  see({ on, from, message, index }: Sent): void {
    const standing = this.#standings.get(on) as SubscriberStanding;
    const { type, capabilities, honored_capabilities: honored, subscription_id: id } = message;
    if (from === "subscriber" && isObject(capabilities)) {
      if (type === "subscription.request") {
        standing.said = capabilities;
        delete standing.closedBy;
      }
      if (type === "subscription.renegotiate") standing.said = { ...standing.said, ...capabilities };
    }
    if (type === "subscription.close") {
      standing.closedBy = from;
      this.#lost = index;
    }
    if (from !== "producer") return;
    if (type === "subscription.rejected") standing.closedBy = from;
    if (type !== "subscription.accepted" || id === undefined) return;
    delete standing.closedBy;
    standing.honored = isObject(honored) ? honored : {};
    standing.ids.add(id);
    this.#ids.add(id);
  }

  /** The weight of a reply, regardless of its question. */
  weigh({ sent, kind, stamp }: SubscriberReply): Weight {
    const { message, on } = sent;
    const { isNegotiated, said, ids, closedBy } = this.#standings.get(on) as SubscriberStanding;
    if (stamp === undefined || !isSound({ sent, kind })) return "ignored";
    if (!isNegotiated) return "counts";
    if (said === undefined) return "unsure";
    const answers = this.#answers(on, kind);
    if (answers === "no" || closedBy === "subscriber") return "ignored";
    const { subscription_id: id } = message;
    const isOwn = ids.size === 0 || (id !== undefined && ids.has(id));
    const isForeign = !isOwn && this.#isWhole && id !== undefined && !this.#ids.has(id);
    if (isForeign) return "ignored";
    return answers === "yes" && isOwn && closedBy === undefined ? "counts" : "unsure";
  }

  /** Whether a subscription was closed after a place of the recording. */
  hasLost(index: number): boolean {
    return this.#lost > index;
  }

  /** Whether no known subscriber can answer a question any more. */
  isGone(kind: TraceQuestion["kind"]): Weight {
    for (const [on, { isNegotiated, said, closedBy }] of this.#standings) {
      const mayAnswer = closedBy === undefined && this.#answers(on, kind) !== "no";
      const isMute = said !== undefined && said[support[kind]] === undefined && this.#answers(on, kind) === "unsaid";
      if (!isNegotiated || said === undefined || (mayAnswer && !isMute)) return "ignored";
    }
    return this.#isWhole ? "counts" : "unsure";
  }

  #answers(on: string, kind: TraceQuestion["kind"]): "yes" | "no" | "unsaid" {
    const { said = {}, honored } = this.#standings.get(on) as SubscriberStanding;
    const [asked, granted] = [said[support[kind]], honored[support[kind]]];
    if (asked === true) return "yes";
    return asked === false && granted !== true ? "no" : "unsaid";
  }
}

const validators = new Map<string, (instance: Json) => boolean>();

/** Whether a reply is valid under its schema, with a valid time. */
export function isSound({ kind, sent: { message } }: Pick<SubscriberReply, "kind" | "sent">): boolean {
  const id = `https://aaep-protocol.org/schemas/v1/handshake/${kind}.reply.schema.json`;
  const known = validators.get(id) ?? compileAjv(protocolNamed("aaep").schemas as JsonObject[], id, "quick");
  validators.set(id, known);
  return instant(message.timestamp) !== undefined && known(message);
}
