import { hexToBytes } from "@noble/curves/utils.js";
import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { addressFor, hasForm, networkOf } from "./address.ts";
import { outputKey } from "./keys.ts";
import { objectsIn } from "./places.ts";

/** Lists the tags that the event of a card must have. */
export function tagsFor(card: JsonObject): Json[][] {
  const cardSpot = { value: card, at: "" };
  const relays = Array.isArray(card.nostrRelays) ? card.nostrRelays : [];
  return [
    ["d", card.identity ?? ""],
    ["name", card.name ?? ""],
    ["version", card.version ?? ""],
    ...objectsIn(cardSpot, "skills").map(({ value }) => ["skill", value.id ?? "", value.name ?? ""]),
    ...objectsIn(cardSpot, "endpoints").map(({ value }) => ["endpoint", value.protocol ?? "", value.url ?? ""]),
    ...relays.map((relay) => ["relay", relay]),
  ];
}

/** The kind of an event that contains a card. */
const cardKind = 31337;

const cardTagNames: readonly Json[] = ["d", "name", "version", "skill", "endpoint", "relay"];

export const nostrCheckers: readonly Checker[] = [
  {
    rule: "SNAP-NOSTR-003",
    documents: ["nostr-event"],
    *check(instance) {
      if (!isObject(instance)) return;
      const { pubkey, message, card } = instance;
      const [address, at] = isObject(message)
        ? [message.from, "/message/from"]
        : [isObject(card) ? card.identity : undefined, "/card/identity"];
      if (typeof pubkey !== "string" || !/^[0-9a-f]{64}$/.test(pubkey) || !hasForm(address)) return;
      if (address !== addressOf(pubkey, address))
        yield { at, why: "is not the address of the key that signed the event" };
    },
  },
  {
    rule: "SNAP-NOSTR-004",
    documents: ["nostr-event"],
    *check(instance): Iterable<Breach> {
      if (!isObject(instance)) return;
      const { kind, tags, card } = instance;
      if (kind !== cardKind || !Array.isArray(tags) || !isObject(card)) return;
      const toText = (tag: Json): string => JSON.stringify(tag);
      const expectedTags = new Set(tagsFor(card).map(toText));
      const presentTags = new Map(tags.map((tag, index) => [toText(tag), index]));
      for (const tag of expectedTags) if (!presentTags.has(tag)) yield { at: "/tags", why: `lack ${tag}` };
      for (const [tag, index] of presentTags) {
        const tagValue = tags[index];
        const name = Array.isArray(tagValue) ? tagValue[0] : undefined;
        if (!expectedTags.has(tag) && name !== undefined && cardTagNames.includes(name))
          yield { at: `/tags/${index}`, why: `is ${tag}, which the card does not mention` };
      }
    },
  },
];

/** Returns the address for an internal key, on the network of another address. Undefined for an invalid key. */
function addressOf(internal: string, sampleAddress: string): string | undefined {
  try {
    return addressFor(outputKey(hexToBytes(internal)), networkOf(sampleAddress));
  } catch {
    return undefined;
  }
}
