import type { Cause, Policy } from "./agent.ts";

const codes: Readonly<Record<Cause, number>> = {
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
  ...["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe"],
];

export const terminal: readonly string[] = ["completed", "failed", "canceled"];

/** Decides everything as the protocol says. */
export const right: Policy = {
  respects: () => true,
  objects: () => undefined,
  before() {},
  runs: (type) => type === "request",
  speaks: (version) => version === "0.1",
  isFresh: (stamp, now) => Math.abs(now - stamp) <= 60,
  isOwn: (to, { identity }) => to === identity,
  bridges: false,
  sameness: ({ from, id }) => JSON.stringify([from, id]),
  remembers: 180_000,
  keeps() {},
  returnsOriginal: false,
  consumes: false,
  largest: 10 * 1024 * 1024,
  code: (cause) => codes[cause],
  data: ({ data }) => data,

  isLeisurely: false,
  replays: false,
  servesCard: true,
  offers: (method) => methods.includes(method),
  takesContent: (mediaType) => ["text/plain", "application/json", "image/png"].includes(mediaType),
  honoursKeys: true,
  reopens: () => undefined,
  continues: (task) => task,
  isShown: (task, from) => task.owner === from,
  contextFor: () => undefined,
  unknownTask: () => undefined,
  cancels: ({ state }) => (state === "completed" || state === "failed" ? "task-not-cancelable" : "canceled"),
  looks() {},
  history: (history, length) =>
    length === undefined ? [...history] : length === 0 ? undefined : history.slice(-length),
  told: (task) => task,
  card: (card) => card,
  servedCard: (served) => served,

  says: (message) => message,
  signs: (message, sign) => sign(message),
  sends: (message) => [message],
  ends: () => true,
  resumes: true,
  frame: (text) => `data: ${text}\n\n`,
  streamType: "text/event-stream",
  streams: () => true,
  http: (answer) => answer,
  pingsEvery: 30_000,
  kinds: [21339, 4339],
  kind: 21339,
  envelops: (content, encrypt) => encrypt(content),
  recipientTag: (internal) => ["p", internal],
  trusts: (_pubkey, from, address) => from === address,
  cardTags: (tags) => tags,
  publishesTo: (relays) => relays,
};
