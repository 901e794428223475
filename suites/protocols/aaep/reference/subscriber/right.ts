import { isObject } from "../../../../../schemas/index.ts";
import { eventsIn } from "../../scenarios/subscribing/frames.ts";
import type { SubscriberPolicy } from "./model.ts";

const core = "https://aaep-protocol.org/context/v1";

/** The decisions that the protocol requires. */
export const rightPolicy: SubscriberPolicy = {
  decodes() {
    const decoder = new TextDecoder();
    return (bytes) => decoder.decode(bytes, { stream: true });
  },
  reads: eventsIn,
  takes: () => true,
  completes: () => undefined,
  isOurs: (context) => context === core || (Array.isArray(context) && context[0] === core),
  isWhole: ({ type, event_id: id, session_id: session, timestamp, producer }) =>
    typeof id === "string" &&
    /^evt_\w{1,64}$/.test(id) &&
    [type, session, timestamp].every((each) => typeof each === "string") &&
    isObject(producer),
  dropsInvalid: true,
  breaksAt: () => false,
  isDouble: (id, seen) => seen.has(id),
  noticesOrder: () => true,
  noticesSize: true,
  announces: (item) => item,
  utters: (hint) => hint !== "none" && hint !== "word",
  breath: Number.POSITIVE_INFINITY,
  sends: (message) => message,
  answers: () => undefined,
  hesitates: 0,
  forgetsPrompts: true,
  forgetsDropped: true,
  promptsAtOnce: Number.POSITIVE_INFINITY,
  closes: true,
  freesPrompts: true,
  respectsClose: true,
  forgetsAnswered: true,
  falls: undefined,
  survives: true,
  copes: () => true,
  leavesAt: () => false,
  verifies: true,
  isSingle: false,
};
