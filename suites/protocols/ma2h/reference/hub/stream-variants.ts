import { isObject } from "../../../../../schemas/index.ts";
import { rightPost } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";

/** Hubs that break one rule on streams of entries each. */
export const streaming: readonly PostVariant[] = [
  ...breaks("STR-001", {
    "": ["streams entries without their signatures", { streams: ({ signature: _, ...entry }) => entry }],
    silent: ["streams nothing", { streams: () => undefined }],
    title: [
      "streams messages without their titles",
      {
        streams: ({ message, ...entry }) => {
          if (!isObject(message)) return entry;
          const { title: _, ...payload } = message;
          return { ...entry, message: payload };
        },
      },
    ],
  }),
  ...breaks("STR-002", { "": ["hides no entry that it has streamed", { hidesStreamed: false }] }),
  ...breaks("STR-003", {
    "": ["calls an entry delivered that it has streamed", { provesByStream: true }],
    once: [
      "brings an entry once, by a stream or by a drain",
      { brings: (isFor, { mail }) => isFor && mail.wasStreamed !== true },
    ],
  }),
  ...breaks("STR-004", {
    "": [
      "lets no entry be acknowledged that was streamed alone",
      { takes: (_isPresented, { mail }) => mail.deliveredAt !== undefined },
    ],
  }),
  ...breaks("STR-005", { "": ["never ends a stream", { holdsUntil: () => Number.POSITIVE_INFINITY }] }),
  ...breaks("STR-006", { "": ["holds a stream beyond the lease of its session", { holdsUntil: (latest) => latest }] }),
  ...breaks("STR-007", {
    "": [
      "renews a lease while a stream is open",
      { renewsStreaming: true, holdsUntil: () => Number.POSITIVE_INFINITY },
    ],
  }),
  ...breaks("STR-008", {
    "": ["renews no lease at a connection", { renews: (act) => act !== "stream" && rightPost.renews(act) }],
  }),
  ...breaks("STR-009", {
    "": ["streams the entries of any session", { owns: () => true }],
    ended: ["streams the entries of a session that has ended", { revives: true }],
  }),
];
