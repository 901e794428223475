import { type BrokenAgent, breaks } from "./variant.ts";

/** Agents that break a rule about Nostr. */
export const nostrVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-NOSTR-001", {
    "": ["does not listen for events that are stored", { kinds: [21339] }],
    stores: ["makes relays store every answer", { kind: 4339 }],
  }),
  ...breaks("SNAP-NOSTR-002", {
    "": ["sends its answers unencrypted", { encryptContent: (content) => content }],
    tag: ["tags its answers with an unknown key", { recipientTag: (internal) => ["p", internal.replace(/^../, "00")] }],
  }),
  ...breaks("SNAP-NOSTR-003", {
    "": ["accepts messages in any party's events", { trustsSender: () => true }],
  }),
  ...breaks("SNAP-NOSTR-004", {
    "": [
      "publishes its card without its skills in the tags",
      { cardTags: (tags) => tags.filter(([name]) => name !== "skill") },
    ],
  }),
];
