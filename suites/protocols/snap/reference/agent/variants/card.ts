import type { JsonObject } from "../../../../../../schemas/index.ts";
import { methods } from "../policy.ts";
import { type BrokenAgent, breaks } from "./variant.ts";

/** Agents that break a rule about cards and discovery. */
export const cardVariants: readonly BrokenAgent[] = [
  ...breaks("SNAP-CARD-001", {
    "": [
      "publishes no card",
      {
        card({ description: _, ...card }) {
          return card;
        },
      },
    ],
  }),
  ...breaks("SNAP-CARD-004", {
    "": [
      "names an identity with a wrong checksum",
      { card: (card) => ({ ...card, identity: `${String(card.identity).slice(0, -1)}p` }) },
    ],
  }),
  ...breaks("SNAP-CARD-009", {
    "": [
      "has two skills with one id",
      { card: (card) => ({ ...card, skills: [card.skills, card.skills].flat() as JsonObject[] }) },
    ],
  }),
  ...breaks("SNAP-CARD-016", {
    "": [
      "promises streams, and has none",
      { offers: (method) => methods.includes(method) && method !== "message/stream" },
    ],
  }),
  ...breaks("SNAP-DISC-001", {
    "": [
      "serves its card without the key",
      {
        servedCard({ publicKey: _, ...served }) {
          return served;
        },
      },
    ],
  }),
  ...breaks("SNAP-DISC-002", {
    "": [
      "serves its card with a different time than it signed",
      { servedCard: (served) => ({ ...served, timestamp: Number(served.timestamp) + 1 }) },
    ],
  }),
  ...breaks("SNAP-DISC-004", {
    "": ["publishes its card at one relay only", { publishedRelays: (relays) => relays.slice(0, 1) }],
  }),
];
