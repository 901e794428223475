import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerPolicy } from "./model.ts";

/** The decisions that the protocol requires. */
export const rightPolicy: ProducerPolicy = {
  event: (event) => event,
  respects: () => true,
  ignored: () => {},
  overrules: () => false,
  isLatest: false,
  isDeaf: false,
  spreads: () => false,
  answerTo: (objection) =>
    objection === "authentication" ? { status: 401 } : { status: objection === "schema" ? 400 : 204 },
  consents: ({ event }, answer) =>
    answer === undefined
      ? event.default_decision === "accept"
      : answer.decision === "accept" && answer.modified_action === undefined,
  asks: () => true,
  isAsked: ({ terms }) => terms.confirms || terms.clarifies,
  early: () => false,
  defies: false,
  defiesAfter: undefined,
  repeats: 1,
  patience: (_, milliseconds) => milliseconds,
  defaultsOn: () => true,
  waits: true,
  goesOn: () => true,
  voids: () => true,
  announcesDrop: true,
  closesTool: true,
  tells: () => true,

  handshake: (_, answer) => answer,
  renegotiated: (before, change) => ({ ...before, ...change }),
  renegotiation: (answer) => answer,
  obeysChange: true,
  passes: (_, event, isWanted) => isWanted || isCritical(event),
  isThrottled: (_, event) => !isCritical(event),
  joins: true,
  rate: ({ terms }) => terms.rate,
  burst: (rate) => rate,
  waitsFor: 0,
  frees: () => true,
  defaultsOnChange: false,
  outlives: true,
  closesAll: false,
  sendsOn: false,
  language(wanted, available) {
    const low = (tag: string): string => tag.toLowerCase();
    const base = (tag: string): string | undefined => low(tag).split("-")[0];
    for (const tag of wanted) {
      const exact = available.find((each) => low(each) === low(tag));
      const near = exact ?? available.find((each) => base(each) === base(tag));
      if (near !== undefined) return near;
    }
    return available[0] ?? "en";
  },

  tailors: (event) => event,
  objects: () => true,
  rejects: 400,
  shakesHands: true,
  paths: { subscriptions: "/aaep/v1/subscriptions", events: "/aaep/v1/events", replies: "/aaep/v1/replies" },
  spells: (data, { event_id: id }) =>
    `event: aaep.event\n${typeof id === "string" ? `id: ${id}\n` : ""}data: ${data}\n\n`,
  whileWaiting: () => [],
  asksFirst: false,
  acts: () => true,
  fails: false,
  manifest: (manifest) => manifest,
  manifestAt: "/.well-known/aaep-manifest.json",
  resumes: "what was missed",
  largest: 4 * 1024 * 1024,
  mayRead: (principal, { owner }) => principal === owner,
  mayChange: (principal, { owner }) => principal === owner,
  letsIn: false,
  frames: (text) => [text],
  inSocket: (frame) => frame,
  inLines: (message) => `${JSON.stringify(message)}\n`,
  namesProtocol: true,
  created: { status: 201, location: true },
  replies: true,

  takes: 0,
  moves: () => true,
  flushes: true,
  retells: false,
  inPieces: false,
  idle: 5000,
};

/** Whether an event must never be delayed. A question is critical even if its urgency does not say so. */
function isCritical({ type, urgency }: JsonObject): boolean {
  return urgency === "critical" || String(type).startsWith("aaep:agent.awaiting.");
}
