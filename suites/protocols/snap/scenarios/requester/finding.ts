import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { kinds, type NostrEvent, signEvent, tagValues } from "../../nostr/event.ts";
import { conversationKey, decrypt, encrypt } from "../../nostr/nip44.ts";
import { keyA, keyB, keyC, type TestKey } from "../../rules/keys.ts";
import { tagsFor } from "../../rules/nostr.ts";
import { digestOf, sign } from "../../rules/signature.ts";
import { cardText } from "../../rules/signed-card.ts";
import { numbers } from "../agent/contents.ts";
import { boundOf } from "../bounds.ts";
import { drawFor } from "../draw.ts";
import { messageOf, nowInSeconds } from "../parties.ts";
import { type Relay, startRelay } from "../relay.ts";
import { askRequester } from "./asking.ts";
import { answerTo, cardFor, doneTask, stubAgent } from "./stub.ts";

const side = "requester";

const unusedEndpoint = { protocol: "http", url: "http://127.0.0.1:9/snap" };

function signedCard(card: JsonObject, timestamp: number, key: TestKey = keyB): JsonObject {
  const signedText = cardText(card, timestamp) ?? "";
  const sig = sign(digestOf(new TextEncoder().encode(signedText)), key.tweaked);
  return { card, sig, publicKey: key.output, timestamp };
}

/** Makes a correctly served card, and cards with one fault each. */
async function servedCards(
  context: ScenarioContext,
): Promise<[description: string, served: JsonObject, isRight: boolean][]> {
  const now = await nowInSeconds(context);
  const card = cardFor([unusedEndpoint]);
  const servedCard = signedCard(card, now);
  const brokenIdentity = String(card.identity).replace(/.$/, (last) => (last === "q" ? "p" : "q"));
  const signedByOther = signedCard(card, now, keyC);
  const signedText = new TextEncoder().encode(cardText(card, now));
  return [
    ["without a fault", servedCard, true],
    ["that was changed after it was signed", { ...servedCard, card: { ...card, name: "Somebody else" } }, false],
    ["with a signature of zeros", { ...servedCard, sig: "0".repeat(128) }, false],
    ["with a different time than signed", { ...servedCard, timestamp: now + 1 }, false],
    ["with a wrong checksum in its identity", signedCard({ ...card, identity: brokenIdentity }, now), false],
    ["signed with the key of another agent, which is included", signedByOther, false],
    ["with another agent's key", { ...servedCard, publicKey: keyC.output }, false],
    [
      "signed with the internal key",
      { ...servedCard, sig: sign(digestOf(signedText), keyB.secret), publicKey: keyB.internal },
      false,
    ],
  ];
}

/** Members of a card that JSON serializers write differently. */
const trickyCard: JsonObject = {
  description: "2 < 3 & 5 > 4 e\u0301",
  "x-telling": { "\u{1f309}": "bridge", "\uff5e": "tilde", spans: [], open: null },
};

function cardEvent(card: JsonObject, by: TestKey, created_at: number): NostrEvent {
  const tags = tagsFor(card).map((tag) => tag.map(String));
  return signEvent(by, { created_at, kind: kinds.card, tags, content: JSON.stringify(card) });
}

function cardOf(key: TestKey, name: string): JsonObject {
  return cardFor([unusedEndpoint], { identity: key.address.main, name });
}

/** Finds the events at a relay that parties other than the owner of the key sent, except cards. */
function mailFor({ events }: Relay, key: TestKey): NostrEvent[] {
  return events.filter((event) => event.kind !== kinds.card && event.pubkey !== key.internal);
}

/** Answers the first request that reaches a relay, in the name of B. Resolves to false if none arrives in time. */
function answerMail(context: ScenarioContext, relay: Relay): Promise<boolean> {
  return relay
    .until(() => mailFor(relay, keyB).some((event) => decryptEvent(event) !== undefined), 2 * boundOf(context, "relay"))
    .then(async (hasMail) => {
      const event = mailFor(relay, keyB).find((nostrEvent) => decryptEvent(nostrEvent) !== undefined);
      const message = event === undefined ? undefined : decryptEvent(event);
      if (event === undefined || message === undefined) return hasMail;
      const answer = await answerTo(context, { message }, { payload: await doneTask(context) });
      const content = encrypt(JSON.stringify(answer), conversationKey(keyB.secret, event.pubkey));
      const tags = [["p", event.pubkey]];
      relay.publish(signEvent(keyB, { created_at: await nowInSeconds(context), kind: event.kind, tags, content }));
      return true;
    });
}

function decryptEvent(event: NostrEvent): JsonObject | undefined {
  const text = decrypt(event.content, conversationKey(keyB.secret, event.pubkey));
  try {
    const value = text === undefined ? undefined : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const finding: readonly Scenario[] = [
  {
    name: "finding-served",
    side,
    needs: ["discover"],
    withinMs: 60_000,
    says: "a served card is accepted only if its signature and its key are right",
    rules: ["SNAP-DISC-003", "SNAP-DISC-002"],
    async play(context) {
      for (const [description, served, isRight] of await servedCards(context)) {
        const stub = await stubAgent(context, () => ({ body: served }));
        const { result, summary } = await askRequester(context, "discover", "card", { url: stub.url });
        if (isRight && !isObject(result?.card))
          throw new TargetFailure("errored", "hook", `a served card ${description} is not accepted: ${summary}`);
        if (!isRight)
          context.expect("SNAP-DISC-003", result === undefined, `a served card ${description} is accepted: ${summary}`);
      }
      const drawnNumbers = drawFor(context).some(numbers, 12).map(Number);
      const trickyCardWithNumbers = { ...trickyCard, "x-numbers": [1e-7, 1e21, ...drawnNumbers] };
      const body = signedCard(cardFor([unusedEndpoint], trickyCardWithNumbers), await nowInSeconds(context));
      const { url } = await stubAgent(context, () => ({ body }));
      const { result, summary } = await askRequester(context, "discover", "card", { url });
      const why = `a served card with strings, names, lists and numbers that JSON serializers write differently is not accepted: ${summary}`;
      context.expect("SNAP-DISC-002", result !== undefined, why);
    },
  },
  {
    name: "finding-relays",
    side,
    needs: ["find"],
    withinMs: 60_000,
    says: "more than one relay is asked, the results are merged, and a card counts only in an event of its own agent",
    rules: ["SNAP-DISC-004", "SNAP-NOSTR-003"],
    async play(context) {
      const now = await nowInSeconds(context);
      const cardAtBoth = cardEvent(cardOf(keyB, "Both"), keyB, now - 20);
      const first = await startRelay(context, [cardAtBoth, cardEvent(cardOf(keyC, "First"), keyC, now - 10)]);
      const impostorEvent = cardEvent(cardOf(keyA, "Posed"), keyC, now - 5);
      const second = await startRelay(context, [
        cardAtBoth,
        cardEvent(cardOf(keyA, "Second"), keyA, now - 10),
        impostorEvent,
      ]);
      const { result: parameters, summary } = await askRequester(context, "find", "cards", {
        relays: [first.url, second.url],
      });
      const cards = Array.isArray(parameters?.cards) ? parameters.cards.filter(isObject) : [];
      const names = cards.map(({ name }) => String(name));
      const isFound = (name: string): boolean => names.includes(name);
      if (!["First", "Second", "Both"].some(isFound))
        throw new TargetFailure("errored", "hook", `no card is found at two relays that both have one: ${summary}`);
      context.expect(
        "SNAP-DISC-004",
        isFound("First") && isFound("Second"),
        `of two relays with a card each, these are found: ${names.join(", ")}`,
      );
      const foundCount = names.filter((name) => name === "Both").length;
      context.expect("SNAP-DISC-004", foundCount <= 1, `a card that two relays have is found ${foundCount} times`);
      context.expect(
        "SNAP-NOSTR-003",
        !isFound("Posed"),
        "a card in an event of a party other than its agent is accepted",
      );
    },
  },
  {
    name: "finding-mail",
    side,
    needs: ["mail"],
    withinMs: 60_000,
    says: "a request over Nostr is encrypted for its recipient, and not stored by relays unless requested",
    rules: ["SNAP-NOSTR-001", "SNAP-NOSTR-002"],
    async play(context) {
      for (const isStored of [false, true]) {
        const relay = await startRelay(context, [cardEvent(cardOf(keyB, "Stub"), keyB, await nowInSeconds(context))]);
        const answering = answerMail(context, relay);
        const parameters = {
          relays: [relay.url],
          to: keyB.address.main,
          pubkey: keyB.internal,
          method: "message/send",
        };
        const outcome = askRequester(context, "mail", "response", {
          ...parameters,
          payload: messageOf(context),
          isStored,
        });
        // Either promise may fail before it is awaited.
        for (const promise of [answering, outcome]) promise.catch(() => {});
        await Promise.race([relay.until(() => mailFor(relay, keyB).length > 0), outcome]);
        const [event] = mailFor(relay, keyB);
        if (event === undefined)
          throw new TargetFailure("errored", "hook", `no event is published at the relay: ${(await outcome).summary}`);
        const kind = isStored ? kinds.stored : kinds.ephemeral;
        const why = `a request that is ${isStored ? "" : "not "}to be stored is sent in an event of kind ${event.kind}`;
        context.expect("SNAP-NOSTR-001", event.kind === kind, why);
        const isPlainText = event.content.includes("message/send");
        const problem = isPlainText
          ? "is not encrypted"
          : "cannot be decrypted by NIP-44 with the key of its recipient";
        context.expect(
          "SNAP-NOSTR-002",
          decryptEvent(event) !== undefined,
          `the content of a request ${problem}: ${event.content.slice(0, 80)}`,
        );
        const tags = tagValues(event, "p");
        context.expect(
          "SNAP-NOSTR-002",
          tags.includes(keyB.internal),
          `the p tag of a request is ${JSON.stringify(tags)}, not the internal key of its recipient`,
        );
        if (decryptEvent(event) !== undefined && event.kind === kind) await Promise.all([answering, outcome]);
      }
    },
  },
  {
    name: "finding-no-recipient",
    side,
    needs: ["mail"],
    withinMs: 60_000,
    says: "sending a message without a recipient over Nostr is an error",
    rules: ["SNAP-A2S-007"],
    async play(context) {
      const relay = await startRelay(context, [cardEvent(cardOf(keyB, "Stub"), keyB, await nowInSeconds(context))]);
      const result = { relays: [relay.url], method: "service/call", payload: { name: "touchstone" } };
      const { error, summary } = await askRequester(context, "mail", "response", result);
      context.expect(
        "SNAP-A2S-007",
        error !== undefined,
        `a message without a recipient is sent over Nostr: ${summary}`,
      );
      context.expect(
        "SNAP-A2S-007",
        mailFor(relay, keyB).length === 0,
        "an event is published for a message without a recipient",
      );
    },
  },
];
