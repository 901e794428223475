import type { AgentVariant } from "./variant.ts";

/** What goes over Nostr. */
export const nostrVariants: readonly AgentVariant[] = [
  { rule: "SNAP-NOSTR-001", says: "does not listen for events that are stored", policy: { kinds: [21339] } },
  { rule: "SNAP-NOSTR-001", name: "stores", says: "has relays keep every answer", policy: { kind: 4339 } },
  {
    rule: "SNAP-NOSTR-002",
    says: "sends its answers for everybody to read",
    policy: { envelops: (content) => content },
  },
  {
    rule: "SNAP-NOSTR-002",
    name: "tag",
    says: "tags its answers with a key that nobody has",
    policy: { recipientTag: (internal) => ["p", internal.replace(/^../, "00")] },
  },
  { rule: "SNAP-NOSTR-003", says: "takes messages in anybody's events", policy: { trusts: () => true } },
  {
    rule: "SNAP-NOSTR-004",
    says: "publishes its card without its skills in the tags",
    policy: { cardTags: (tags) => tags.filter(([name]) => name !== "skill") },
  },
  {
    rule: "SNAP-DISC-004",
    says: "publishes its card at one relay only",
    policy: { publishesTo: (relays) => relays.slice(0, 1) },
  },
];
