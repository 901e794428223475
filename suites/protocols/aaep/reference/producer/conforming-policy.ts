import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerPolicy } from "./model.ts";

/** The decisions that the protocol requires. */
export const conformingPolicy: ProducerPolicy = {
  changeEvent: (event) => event,
  respects: () => true,
  onIgnoredReply: () => {},
  overrules: () => false,
  settlesLatestQuestion: false,
  needsRepliesFromAll: false,
  alsoSettles: () => false,
  answerTo: (objection) =>
    objection === "authentication" ? { status: 401 } : { status: objection === "schema" ? 400 : 204 },
  hasConsent: ({ event }, answer) =>
    answer === undefined
      ? event.default_decision === "accept"
      : answer.decision === "accept" && answer.modified_action === undefined,
  asksForConsent: () => true,
  getsQuestions: ({ terms }) => terms.confirms || terms.clarifies,
  actsEarly: () => false,
  actsDespiteRejection: false,
  rejectedActionDelay: undefined,
  effectsPerAcceptance: 1,
  timeoutOf: (_, milliseconds) => milliseconds,
  appliesDefaultOn: () => true,
  waitsForClarification: true,
  continuesAfter: () => true,
  withdrawsQuestions: () => true,
  announcesDrop: true,
  completesAbortedCall: true,
  sendsAfterQuestion: () => true,

  changeHandshake: (_, answer) => answer,
  mergeCapabilities: (before, change) => ({ ...before, ...change }),
  changeRenegotiation: (answer) => answer,
  appliesNewTerms: true,
  delivers: (_, event, isWanted) => isWanted || isCritical(event),
  isThrottled: (_, event) => !isCritical(event),
  joinsChunks: true,
  rateFor: ({ terms }) => terms.rate,
  burstSize: (rate) => rate,
  streamGrace: 0,
  unlistsAfter: () => true,
  appliesDefaultsOnChange: false,
  survivesConnection: true,
  closesAllSubscriptions: false,
  sendsAfterClose: false,
  chooseLanguage(requestedTags, available) {
    const lowerCase = (tag: string): string => tag.toLowerCase();
    const primarySubtag = (tag: string): string | undefined => lowerCase(tag).split("-")[0];
    for (const tag of requestedTags) {
      const exactMatch = available.find((language) => lowerCase(language) === lowerCase(tag));
      const match = exactMatch ?? available.find((language) => primarySubtag(language) === primarySubtag(tag));
      if (match !== undefined) return match;
    }
    return available[0] ?? "en";
  },

  tailorEvent: (event) => event,
  rejectsFor: () => true,
  rejectionStatus: 400,
  shakesHands: true,
  paths: { subscriptions: "/aaep/v1/subscriptions", events: "/aaep/v1/events", replies: "/aaep/v1/replies" },
  writeServerSentEvent: (data, { event_id: id }) =>
    `event: aaep.event\n${typeof id === "string" ? `id: ${id}\n` : ""}data: ${data}\n\n`,
  whileWaiting: () => [],
  asksBeforeWaiting: false,
  carriesOut: () => true,
  failsAcceptedAction: false,
  changeManifest: (manifest) => manifest,
  manifestPath: "/.well-known/aaep-manifest.json",
  resumesWith: "what was missed",
  maxMessageBytes: 4 * 1024 * 1024,
  mayRead: (principal, { owner }) => principal === owner,
  mayChange: (principal, { owner }) => principal === owner,
  admitsStrangers: false,
  framesOf: (text) => [text],
  changeSocketFrame: (frame) => frame,
  writeLine: (message) => `${JSON.stringify(message)}\n`,
  namesProtocol: true,
  createdResponse: { status: 201, location: true },
  receivesReplies: true,

  actionDuration: 0,
  movesTimer: () => true,
  flushesHeaders: true,
  repeatsEarlierEvents: false,
  sendsInPieces: false,
  idleTimeout: 5000,
};

/** Whether an event must never be delayed. A question is always critical, regardless of its stated urgency. */
function isCritical({ type, urgency }: JsonObject): boolean {
  return urgency === "critical" || String(type).startsWith("aaep:agent.awaiting.");
}
