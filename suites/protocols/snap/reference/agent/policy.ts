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
  refusalFor: () => undefined,
  readMessage: (message) => message,
  taskIdOf: ({ taskId }) => taskId,
  beforeChecks() {},
  runsMethod: (type) => type === "request",
  supportsVersion: (version) => version === "0.1",
  isFresh: (stamp, now) => Math.abs(now - stamp) <= 60,
  isOwn: (to, { identity }) => to === identity,
  acceptsOtherNetwork: false,
  messageKey: ({ from, id }) => JSON.stringify([from, id]),
  // A message is valid for a minute before and after its timestamp, so two minutes are required.
  idMemoryMs: 180_000,
  pruneMemory() {},
  returnsOriginal: false,
  refusedConsumesId: false,
  maxBytes: 10 * 1024 * 1024,
  code: (cause) => codes[cause],
  data: ({ data }) => data,

  workMs: undefined,
  stepMs: 40,
  movesPings: true,
  replays: false,
  servesCard: true,
  offers: (method) => methods.includes(method),
  acceptsContent: (mediaType) => ["text/plain", "application/json", "image/png"].includes(mediaType),
  honoursKeys: true,
  taskToReopen: () => undefined,
  isFinal: ({ state }) => terminal.includes(state),
  taskToContinue: (task) => task,
  isShown: (task, from) => task.owner === from,
  contextFor: () => undefined,
  unknownTask: () => undefined,
  stateAfterCancel: ({ state }) => (state === "completed" || state === "failed" ? "task-not-cancelable" : "canceled"),
  onRead() {},
  history(history, length) {
    if (length === undefined) return [...history];
    return length === 0 ? undefined : history.slice(-length);
  },
  reportTask: (task) => task,
  card: (card) => card,
  servedCard: (served) => served,

  editMessage: (message) => message,
  signs: (message, sign) => sign(message),
  messagesToSend: (message) => [message],
  endsAfter: () => true,
  resumes: true,
  frame: (text) => `data: ${text}\n\n`,
  streamType: "text/event-stream",
  streams: () => true,
  shouldHang: () => false,
  http: (answer) => answer,
  socketFrame: (text) => text,
  pingIntervalMs: 30_000,
  kinds: [21339, 4339],
  kind: 21339,
  encryptContent: (content, encrypt) => encrypt(content),
  recipientTag: (internal) => ["p", internal],
  trustsSender: (_pubkey, from, address) => from === address,
  cardTags: (tags) => tags,
  publishedRelays: (relays) => relays,
};
