import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { request as call } from "undici";
import { isObject, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { connectRelay } from "../../nostr/client.ts";
import { addressOf, kinds, type NostrEvent } from "../../nostr/event.ts";
import { decodeAddress, hasForm, networkOf } from "../../rules/address.ts";
import { digestOf, isSignature, verify } from "../../rules/signature.ts";
import { cardText } from "../../rules/signed-card.ts";
import { type Requester, SnapFailure } from "./requester.ts";

/** Reads the card at an address, and verifies its signature. Throws a SnapFailure for an untrusted card. */
export async function discover({ policy, ending }: Requester, url: string): Promise<JsonObject> {
  const cardUrl = new URL("/.well-known/snap-agent.json", url);
  const answer = await call(cardUrl, { signal: ending.signal }).catch((error: Error) => {
    throw new SnapFailure(4003, `no connection to ${url}: ${error.message}`);
  });
  const served = jsonOf(await answer.body.text());
  if (answer.statusCode !== 200 || !isObject(served) || !isObject(served.card))
    throw new SnapFailure(3001, `no card is served at ${cardUrl}`);
  const { card, sig, publicKey, timestamp } = served;
  const address = hasForm(card.identity) ? decodeAddress(card.identity) : undefined;
  const key = address !== undefined && "key" in address ? bytesToHex(address.key) : undefined;
  const text = typeof timestamp === "number" ? cardText(card, timestamp) : undefined;
  const hasKey = typeof publicKey === "string" && /^[0-9a-f]{64}$/.test(publicKey);
  const isSignatureValid =
    text !== undefined &&
    isSignature(sig) &&
    hasKey &&
    verifies(sig, digestOf(new TextEncoder().encode(text)), hexToBytes(publicKey));
  const faults = [
    ...(isSignatureValid ? [] : ["signature" as const]),
    ...(key !== undefined && key === publicKey ? [] : ["key" as const]),
  ];
  if (!policy.trustsCard(faults, card))
    throw new SnapFailure(3002, `the served card cannot be trusted: ${faults.join(", ")}`);
  return card;
}

function verifies(sig: string, digest: Uint8Array, key: Uint8Array): boolean {
  try {
    return verify(sig, digest, key);
  } catch {
    return false;
  }
}

/** A card, and the event that contains it. */
export interface FoundCard {
  card: JsonObject;
  event: NostrEvent;
}

/** How long to wait for the stored events of a relay. */
const patienceMs = 5000;

/** Searches relays for cards. A card only counts in an event of the agent that it describes. */
export async function find(
  requester: Requester,
  urls: readonly string[],
  filter: JsonObject = {},
): Promise<FoundCard[]> {
  const { policy } = requester;
  const events = await Promise.all(
    policy.relays(urls).map((url) => fetchEvents(url, { kinds: [kinds.card], ...filter })),
  );
  return events.flat().flatMap((event) => {
    const card = jsonOf(event.content);
    if (!isObject(card) || !hasForm(card.identity)) return [];
    const address = addressOf(event.pubkey, networkOf(card.identity)) ?? "";
    return policy.trustsEvent(event, card, address) ? [{ card, event }] : [];
  });
}

function fetchEvents(url: string, filter: JsonObject): Promise<NostrEvent[]> {
  return new Promise((resolve) => {
    const events: NostrEvent[] = [];
    const finishSearch = (): void => {
      clearTimeout(timer);
      client.close();
      resolve(events);
    };
    const client = connectRelay(url, { event: (event) => void events.push(event), end: finishSearch });
    const timer = setTimeout(finishSearch, patienceMs);
    client.subscribe("cards", filter);
    void client.opened.then((isOpen) => {
      if (!isOpen) finishSearch();
    });
  });
}
