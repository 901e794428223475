import { isObject } from "../../../../../schemas/index.ts";
import { correctPostDecisions } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";

/** Hubs that each break one rule about streams of entries. */
export const streaming: readonly PostVariant[] = [
  ...breaks("STR-001", {
    "": ["streams entries without their signatures", { streamedEntry: ({ signature: _, ...entry }) => entry }],
    silent: ["streams nothing", { streamedEntry: () => undefined }],
    title: [
      "streams messages without their titles",
      {
        streamedEntry: ({ message, ...entry }) => {
          if (!isObject(message)) return entry;
          const { title: _, ...payload } = message;
          return { ...entry, message: payload };
        },
      },
    ],
  }),
  ...breaks("STR-002", { "": ["does not hide an entry that it has streamed", { hidesStreamedEntries: false }] }),
  ...breaks("STR-003", {
    "": ["marks a streamed entry as delivered", { deliversByStream: true }],
    once: [
      "delivers an entry only once, by a stream or by a drain",
      { deliversEntry: (isDeliverable, { mail }) => isDeliverable && mail.wasStreamed !== true },
    ],
  }),
  ...breaks("STR-004", {
    "": [
      "refuses to acknowledge an entry that was only streamed",
      { mayAcknowledge: (_isPresented, { mail }) => mail.deliveredAt !== undefined },
    ],
  }),
  ...breaks("STR-005", { "": ["never ends a stream", { streamEnd: () => Number.POSITIVE_INFINITY }] }),
  ...breaks("STR-006", { "": ["holds a stream beyond the lease of its session", { streamEnd: (latest) => latest }] }),
  ...breaks("STR-007", {
    "": [
      "renews a lease while a stream is open",
      { renewsWhileStreaming: true, streamEnd: () => Number.POSITIVE_INFINITY },
    ],
  }),
  ...breaks("STR-008", {
    "": [
      "does not renew a lease when a stream connects",
      { renewsLease: (act) => act !== "stream" && correctPostDecisions.renewsLease(act) },
    ],
  }),
  ...breaks("STR-009", {
    "": ["streams the entries of any session", { mayUseSession: () => true }],
    ended: ["streams the entries of a session that has ended", { revivesSessions: true }],
  }),
];
