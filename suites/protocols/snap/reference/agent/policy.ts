import type { AgentDecisions, RefusalCause } from "./agent.ts";

const codes: Readonly<Record<RefusalCause, number>> = {
  "malformed-envelope": 1003,
  "malformed-payload": 1004,
  "broken-identity": 2005,
  "missing-signature": 2002,
  "wrong-signature": 2001,
  "stale-timestamp": 2004,
  "repeated-message": 2006,
  "other-recipient": 2003,
  "not-a-request": 1003,
  "unsupported-version": 5004,
  "unsupported-content": 1005,
  "unknown-method": 1007,
  "unknown-task": 1001,
  "task-not-cancelable": 1002,
  "task-over": 1004,
  "too-large": 1003,
  "rate-limit": 5002,
};

export const methods: readonly string[] = [
  "message/send",
  "message/stream",
  "tasks/get",
  "tasks/cancel",
  "tasks/resubscribe",
];

/** The states of a finished task. */
export const terminal: readonly string[] = ["completed", "failed", "canceled"];

/** The decisions that the protocol requires. */
export const rightAgentDecisions: AgentDecisions = {
  respects: () => true,
  objects: () => undefined,
  reads: (message) => message,
  names: ({ taskId }) => taskId,
  before() {},
  runs: (type) => type === "request",
  speaks: (version) => version === "0.1",
  isFresh: (stamp, now) => Math.abs(now - stamp) <= 60,
  isOwn: (to, { identity }) => to === identity,
  bridges: false,
  sameness: ({ from, id }) => JSON.stringify([from, id]),
  // A message is valid for a minute before and after its timestamp, so two minutes are required.
  remembers: 180_000,
  keeps() {},
  returnsOriginal: false,
  consumes: false,
  largest: 10 * 1024 * 1024,
  code: (cause) => codes[cause],
  data: ({ data }) => data,

  leisure: undefined,
  step: 40,
  movesPings: true,
  replays: false,
  servesCard: true,
  offers: (method) => methods.includes(method),
  takesContent: (mediaType) => ["text/plain", "application/json", "image/png"].includes(mediaType),
  honoursKeys: true,
  reopens: () => undefined,
  isFinal: ({ state }) => terminal.includes(state),
  continues: (task) => task,
  isShown: (task, from) => task.owner === from,
  contextFor: () => undefined,
  unknownTask: () => undefined,
  cancels: ({ state }) => (state === "completed" || state === "failed" ? "task-not-cancelable" : "canceled"),
  looks() {},
  history(history, length) {
    if (length === undefined) return [...history];
    return length === 0 ? undefined : history.slice(-length);
  },
  reportTask: (task) => task,
  card: (card) => card,
  servedCard: (served) => served,

  editMessage: (message) => message,
  signs: (message, sign) => sign(message),
  sends: (message) => [message],
  endsAfter: () => true,
  resumes: true,
  frame: (text) => `data: ${text}\n\n`,
  streamType: "text/event-stream",
  streams: () => true,
  hangs: () => false,
  http: (answer) => answer,
  socketFrame: (text) => text,
  pingsEvery: 30_000,
  kinds: [21339, 4339],
  kind: 21339,
  envelops: (content, encrypt) => encrypt(content),
  recipientTag: (internal) => ["p", internal],
  trusts: (_pubkey, from, address) => from === address,
  cardTags: (tags) => tags,
  publishesTo: (relays) => relays,
};
