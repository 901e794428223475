import { isObject } from "../../../../../schemas/index.ts";
import { splitServerSentEvents } from "../../scenarios/subscribing/frames.ts";
import type { SubscriberPolicy } from "./model.ts";

const coreContext = "https://aaep-protocol.org/context/v1";

/** The decisions that the protocol requires. */
export const conformingPolicy: SubscriberPolicy = {
  createDecoder() {
    const decoder = new TextDecoder();
    return (bytes) => decoder.decode(bytes, { stream: true });
  },
  splitEvents: splitServerSentEvents,
  acceptsFrame: () => true,
  repairFrame: () => undefined,
  isKnownContext: (context) => context === coreContext || (Array.isArray(context) && context[0] === coreContext),
  hasValidEnvelope: ({ type, event_id: id, session_id: session, timestamp, producer }) =>
    typeof id === "string" &&
    /^evt_\w{1,64}$/.test(id) &&
    [type, session, timestamp].every((member) => typeof member === "string") &&
    isObject(producer),
  dropsInvalid: true,
  crashesAt: () => false,
  isDuplicate: (id, seen) => seen.has(id),
  noticesOrder: () => true,
  noticesSize: true,
  changeAnnouncement: (item) => item,
  announcesAt: (hint) => hint !== "none" && hint !== "word",
  maxEventsPerSecond: Number.POSITIVE_INFINITY,
  changeMessage: (message) => message,
  answerAutomatically: () => undefined,
  answerDelay: 0,
  closesPromptsAtEnd: true,
  closesDroppedPrompt: true,
  maxOpenPrompts: Number.POSITIVE_INFINITY,
  sendsClose: true,
  closesPromptsOnLoss: true,
  respectsClose: true,
  closesAnsweredPrompt: true,
  maxCrashes: undefined,
  survivesLoss: true,
  survivesEvent: () => true,
  disconnectsAt: () => false,
  verifiesSignatures: true,
  usesOneProducer: false,
};
