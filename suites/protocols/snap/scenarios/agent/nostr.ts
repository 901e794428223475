import {
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { kinds, type NostrEvent, signEvent, tagValues } from "../../nostr/event.ts";
import { conversationKey, decrypt, encrypt } from "../../nostr/nip44.ts";
import { keyA, keyC, type TestKey } from "../../rules/keys.ts";
import {
  contentOf,
  countHandled,
  freshId,
  judgeInstances,
  messageOf,
  nowInSeconds,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
} from "../parties.ts";
import { type Relay, startRelay } from "../relay.ts";
import { messageIn } from "./connect.ts";

/** The agent as a party on Nostr: its relay, key and card. */
interface NostrAgent {
  peer: Peer;
  relay: Relay;
  /** The internal key in hexadecimal. */
  internal: string;
  card: NostrEvent;
}

function isCard({ kind }: NostrEvent): boolean {
  return kind === kinds.card;
}

/** Makes the agent use a relay of the suite, and waits until it has published its card and listens. */
async function connectAgent(context: ScenarioContext, moreRelays: readonly string[] = []): Promise<NostrAgent> {
  const peer = await peerOf(context);
  const relay = await startRelay(context);
  await context.hook("relays", { relays: [relay.url, ...moreRelays] });
  const isListening = await relay.until(() => relay.events.some(isCard) && relay.filters().length > 0);
  const card = relay.events.find(isCard);
  if (!isListening || card === undefined)
    throw new TargetFailure(
      "timed-out",
      "hook",
      "after the hook `relays` the agent neither subscribes at the relay nor publishes its card there",
    );
  return { peer, relay, internal: card.pubkey, card };
}

/** Sends a message in an event. */
async function sendEvent(
  context: ScenarioContext,
  { relay, internal }: NostrAgent,
  { message, kind, by = keyA }: { message: JsonObject; kind: number; by?: TestKey },
): Promise<void> {
  const content = encrypt(JSON.stringify(message), conversationKey(by.secret, internal));
  relay.publish(signEvent(by, { created_at: await nowInSeconds(context), kind, tags: [["p", internal]], content }));
}

/** Finds the agent's events other than its card. */
function answersOf({ relay, internal }: NostrAgent): NostrEvent[] {
  return relay.events.filter((event) => event.pubkey === internal && !isCard(event));
}

/** Waits for the agent's next answer after this many, and decrypts it with the key `by`. */
async function readAnswer(
  post: NostrAgent,
  answerCount: number,
  by: TestKey = keyA,
): Promise<{ event?: NostrEvent; answer: PartyAnswer }> {
  await post.relay.until(() => answersOf(post).length > answerCount);
  const event = answersOf(post)[answerCount];
  if (event === undefined) return { answer: contentOf(undefined) };
  const text = decrypt(event.content, conversationKey(by.secret, post.internal));
  return { event, answer: contentOf(text === undefined ? undefined : messageIn(text)) };
}

export const nostr: readonly Scenario[] = [
  {
    name: "nostr-kinds",
    says: "an agent listens for both kinds of events, and answers with the kind that relays do not store",
    rules: ["SNAP-NOSTR-001"],
    needs: ["url", "relays"],
    withinMs: 60_000,
    async play(context) {
      const post = await connectAgent(context);
      for (const kind of [kinds.ephemeral, kinds.stored]) {
        const countBefore = answersOf(post).length;
        // A refusal arrives soon, even if the agent is busy.
        const message = await request(context, post.peer, "tasks/get", { taskId: freshId(context, "none") });
        await sendEvent(context, post, { message, kind });
        const { event } = await readAnswer(post, countBefore);
        context.expect("SNAP-NOSTR-001", event !== undefined, `a message in an event of kind ${kind} is not answered`);
        if (event === undefined) continue;
        const allowedKinds = kind === kinds.ephemeral ? [kinds.ephemeral] : [kinds.ephemeral, kinds.stored];
        const isAllowed = (allowedKinds as number[]).includes(event.kind);
        context.expect(
          "SNAP-NOSTR-001",
          isAllowed,
          `a message in an event of kind ${kind} is answered with kind ${event.kind}`,
        );
      }
    },
  },
  {
    name: "nostr-content",
    says: "an answer over Nostr is one event, encrypted for the requester",
    rules: ["SNAP-NOSTR-002"],
    needs: ["url", "relays"],
    withinMs: 60_000,
    async play(context) {
      const post = await connectAgent(context);
      const quotedIdentity = JSON.stringify(post.peer.identity);
      await sendEvent(context, post, {
        message: await request(context, post.peer, "message/stream", messageOf(context)),
        kind: kinds.ephemeral,
      });
      const { event, answer: streamAnswer } = await readAnswer(post, 0);
      if (event === undefined) return context.skip("SNAP-NOSTR-002", "a message in an event is not answered");
      const isPlainText = event.content.includes(quotedIdentity);
      const why = isPlainText
        ? "the content of an answer is not encrypted"
        : `the content of an answer cannot be decrypted by NIP-44 with the requester's key: ${event.content.slice(0, 80)}`;
      context.expect("SNAP-NOSTR-002", streamAnswer.message !== undefined, why);
      const tags = tagValues(event, "p");
      context.expect(
        "SNAP-NOSTR-002",
        tags.includes(keyA.internal),
        `the p tag of an answer is ${JSON.stringify(tags)}, not the internal key of the requester`,
      );
      if (streamAnswer.message === undefined) return;
      // The next answer would follow the remaining items of a stream.
      await sendEvent(context, post, {
        message: await request(context, post.peer, "tasks/get", { taskId: "touchstone-none" }),
        kind: kinds.ephemeral,
      });
      const nextAnswer = await readAnswer(post, 1);
      const isStream = streamAnswer.message.type === "event" || nextAnswer.answer.message?.method === "message/stream";
      context.expect("SNAP-NOSTR-002", !isStream, "message/stream over Nostr is answered with a stream");
    },
  },
  {
    name: "nostr-sender",
    says: "a message counts only in an event of its own sender",
    rules: ["SNAP-NOSTR-003"],
    needs: ["url", "relays"],
    withinMs: 60_000,
    async play(context) {
      const post = await connectAgent(context);
      const handledBefore = await countHandled(context);
      // Sends a signed message in an event of another party, as if that party had intercepted it.
      await sendEvent(context, post, {
        message: await request(context, post.peer, "message/send", messageOf(context)),
        kind: kinds.ephemeral,
        by: keyC,
      });
      await sendEvent(context, post, {
        message: await request(context, post.peer, "tasks/get", { taskId: "touchstone-none" }),
        kind: kinds.ephemeral,
      });
      const isForRequester = (event: NostrEvent): boolean => tagValues(event, "p").includes(keyA.internal);
      await post.relay.until(() => answersOf(post).some(isForRequester));
      const handledAfter = await countHandled(context);
      const contents = answersOf(post).map(({ content, tags }) => {
        const key = tags.some(([, value]) => value === keyC.internal) ? keyC : keyA;
        return contentOf(messageIn(decrypt(content, conversationKey(key.secret, post.internal)) ?? ""));
      });
      const isCarriedOut =
        contents.some(({ task, message }) => task !== undefined && message?.method !== "tasks/get") ||
        (handledBefore !== undefined && handledAfter !== undefined && handledAfter - handledBefore > 1);
      context.expect(
        "SNAP-NOSTR-003",
        !isCarriedOut,
        "a message in an event of a party other than its sender is carried out",
      );
    },
  },
  {
    name: "nostr-card",
    says: "the card is published in an event of the agent, at more than one relay",
    rules: ["SNAP-NOSTR-004", "SNAP-NOSTR-003", "SNAP-DISC-004"],
    needs: ["url", "relays"],
    withinMs: 60_000,
    async play(context) {
      const secondRelay = await startRelay(context);
      const { card: event, peer } = await connectAgent(context, [secondRelay.url]);
      const card = messageIn(event.content);
      context.expect("SNAP-NOSTR-004", card !== undefined, "the content of the card's event is not a card");
      if (card !== undefined) {
        const record = { kind: event.kind, pubkey: event.pubkey, tags: event.tags as Json, card };
        await judgeInstances(context, "nostr-event", {
          instance: record,
          rules: ["SNAP-NOSTR-004", "SNAP-NOSTR-003"],
          what: "the event of the card: ",
        });
        context.expect(
          "SNAP-NOSTR-004",
          card.identity === peer.identity,
          `the published card belongs to ${JSON.stringify(card.identity ?? null)}`,
        );
      }
      const isListening = await secondRelay.until(() => secondRelay.events.some(isCard));
      context.expect("SNAP-DISC-004", isListening, "the card is published only at the first of two relays");
    },
  },
];
