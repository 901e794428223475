import { isObject, type Json, type JsonObject, readJson } from "../../../../../schemas/index.ts";
import { connectRelay, type RelayClient } from "../../nostr/client.ts";
import { addressOf, kinds, type NostrEvent, signEvent, tagValues } from "../../nostr/event.ts";
import { conversationKey, decrypt, encrypt } from "../../nostr/nip44.ts";
import { networkOf } from "../../rules/address.ts";
import { tagsFor } from "../../rules/nostr.ts";
import { nowMs, type RunningAgent } from "./agent.ts";
import { cardOf } from "./card.ts";
import { receive } from "./receive.ts";

/** Makes an agent listen at these relays and no others, and publish its card there. */
export async function useRelays(agent: RunningAgent, urls: readonly string[]): Promise<void> {
  for (const client of agent.relays.splice(0)) client.close();
  const seenIds = new Set<string>();
  const { policy, key } = agent;
  const clients: RelayClient[] = urls.map((url) =>
    connectRelay(url, {
      event(event) {
        if (seenIds.has(event.id)) return;
        seenIds.add(event.id);
        void answerEvent(agent, event);
      },
    }),
  );
  agent.relays.push(...clients);
  const publishedUrls = policy.publishedRelays(urls);
  for (const [index, client] of clients.entries()) {
    client.subscribe("snap", { kinds: [...policy.kinds], "#p": [key.internal] });
    if (publishedUrls.includes(urls[index] as string)) client.publish(cardEvent(agent));
  }
  await Promise.all(clients.map(({ opened }) => opened));
}

function cardEvent(agent: RunningAgent): NostrEvent {
  const card = cardOf(agent);
  const tags = agent.policy.cardTags(tagsFor(card)).map((tag) => tag.map(String));
  return signEvent(agent.key, {
    created_at: nowInSeconds(agent),
    kind: kinds.card,
    tags,
    content: JSON.stringify(card),
  });
}

/** Reads the message in an event, and answers its sender. */
async function answerEvent(agent: RunningAgent, event: NostrEvent): Promise<void> {
  const { key, policy, relays } = agent;
  if (!policy.kinds.includes(event.kind) || !tagValues(event, "p").includes(key.internal)) return;
  const conversation = conversationKey(key.secret, event.pubkey);
  const text = decrypt(event.content, conversation);
  const message = text === undefined ? undefined : messageIn(text);
  if (message === undefined || text === undefined) return;
  const { from } = message;
  const address = typeof from === "string" ? addressOf(event.pubkey, networkOf(from)) : undefined;
  if (!policy.trustsSender(event.pubkey, from, address ?? "")) return;
  const answers: JsonObject[] = [];
  for await (const answer of receive(agent, { value: message, bytes: Buffer.from(text) }, "nostr").answers)
    answers.push(answer);
  for (const answer of answers) {
    const content = policy.encryptContent(JSON.stringify(answer), (plain) => encrypt(plain, conversation));
    const tags = [policy.recipientTag(event.pubkey)];
    const reply = signEvent(key, { created_at: nowInSeconds(agent), kind: policy.kind, tags, content });
    for (const relay of relays) relay.publish(reply);
  }
}

function messageIn(text: string): JsonObject | undefined {
  try {
    const value: Json = readJson(text, "event").value;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function nowInSeconds(agent: RunningAgent): number {
  return Math.floor(nowMs(agent) / 1000);
}
