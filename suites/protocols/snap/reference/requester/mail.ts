import { isObject, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { connectRelay, type RelayClient } from "../../nostr/client.ts";
import { kinds, type NostrEvent, signEvent } from "../../nostr/event.ts";
import { conversationKey, decrypt, encrypt } from "../../nostr/nip44.ts";
import { find } from "./discover.ts";
import { checkAnswer, requestTo } from "./message.ts";
import { type Requester, SnapFailure } from "./requester.ts";

/** How long to wait for an answer. */
const patienceMs = 10_000;

/** Sends a request in a Nostr event, and waits for the event with the answer. Throws a SnapFailure if none arrives. */
export async function mail(requester: Requester, input: JsonObject): Promise<JsonObject> {
  const { policy, key } = requester;
  const { relays, to, method = "message/send", payload, isStored } = input;
  const urls = Array.isArray(relays) ? relays.map(String) : [];
  const address = typeof to === "string" ? to : undefined;
  if (address === undefined && policy.needsRecipient)
    throw new SnapFailure(1003, "a message over Nostr needs a recipient");
  const [recipient] =
    address === undefined ? await find(requester, urls) : await find(requester, urls, { "#d": [address] });
  if (recipient === undefined) throw new SnapFailure(3001, `there is no card of ${to} at the relays`);
  const request = requestTo(requester, address, String(method), isObject(payload) ? payload : {});
  const conversation = conversationKey(key.secret, recipient.event.pubkey);
  const content = policy.encryptContent(policy.serialize(request), (text) => encrypt(text, conversation));
  const requestEvent = signEvent(key, {
    created_at: Math.floor(Date.now() / 1000),
    kind: policy.kind(isStored === true),
    tags: [policy.recipientTag(recipient.event.pubkey)],
    content,
  });
  return publishAndWait(requester, urls, {
    request,
    requestEvent,
    decryptEvent: (event) => decrypt(event.content, conversation),
  });
}

/** Publishes a request at all relays, and waits for its answer. */
function publishAndWait(
  requester: Requester,
  urls: readonly string[],
  {
    request,
    requestEvent,
    decryptEvent,
  }: { request: JsonObject; requestEvent: NostrEvent; decryptEvent: (event: NostrEvent) => string | undefined },
): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const clients: RelayClient[] = [];
    const finishWait = (): void => {
      clearTimeout(timer);
      for (const client of clients) client.close();
    };
    const timer = setTimeout(() => {
      finishWait();
      reject(new SnapFailure(4006, "no answer arrived over Nostr"));
    }, patienceMs);
    for (const url of urls)
      clients.push(
        connectRelay(url, {
          event(event) {
            const text = decryptEvent(event);
            if (text === undefined) return;
            finishWait();
            try {
              resolve(checkAnswer(requester, request, jsonOf(text)));
            } catch (error) {
              reject(error);
            }
          },
        }),
      );
    for (const client of clients) {
      client.subscribe("answers", { kinds: [kinds.ephemeral, kinds.stored], "#p": [requester.key.internal] });
      client.publish(requestEvent);
    }
  });
}
