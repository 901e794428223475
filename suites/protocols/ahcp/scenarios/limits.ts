import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { type As, isInboxFull, messagesLeftOpen } from "./inbox-room.ts";
import { ask, fromAgent, notify } from "./messages.ts";
import { readPublished } from "./published.ts";
import { cancel, codeOf, endLeftovers, idOf, inShort, isAccepted, isClientError, postLarge, read } from "./steps.ts";

/** The maximum requests of a burst, and the number of simultaneous ones. */
const [longestBurst, atOnce] = [3000, 32];

/** The milliseconds after which earlier requests no longer count for the rate. */
const overMinute = 61_000;

/** A number that the hub publishes. Throws a TargetSkip if it does not. */
function publishedNumber(document: JsonObject, name: string): number {
  const value = document[name];
  if (typeof value === "number") return value;
  throw new TargetSkip(`the hub does not publish its ${name}`);
}

function rate(document: JsonObject, name: string): number {
  return publishedNumber(isObject(document.rate_limit) ? document.rate_limit : {}, name);
}

/** Sends messages, some at a time; ends early after enough refusals. */
async function sendBurst(
  context: ScenarioContext,
  count: number,
  { make, denied: onRefusal = () => {}, as = "a" }: { make: () => JsonObject; denied?: (why: string) => void; as?: As },
): Promise<HttpReply[]> {
  const replies: HttpReply[] = [];
  let remaining = count;
  let refusals = 0;
  const worker = async (): Promise<void> => {
    while (remaining > 0 && refusals < 20) {
      remaining -= 1;
      const request = { method: "POST", path: "/v1/messages", body: make(), as, isHurried: true };
      const reply = await context.send(request).catch((error: unknown) => {
        if (!(error instanceof TargetFailure) || error.stage !== "access") throw error;
        onRefusal(error.message);
        remaining = 0;
      });
      if (reply === undefined) continue;
      replies.push(reply);
      if (!isAccepted(reply)) refusals += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return replies;
}

/** The answer to an ask of the other agent, which is cancelled at once. */
async function postAsOther(context: ScenarioContext): Promise<HttpReply> {
  const body = fromAgent(context.agents.b as string, ask(context));
  const reply = await context.send({ method: "POST", path: "/v1/messages", body, as: "b", isHurried: true });
  const id = idOf(reply);
  if (id !== undefined) await cancel(context, id, "b");
  return reply;
}

/** A refusal because of rate or number must say so, and name the time to wait. A hub may also refuse nothing. */
function checkRetryAfter(context: ScenarioContext, rule: string, replies: readonly HttpReply[]): void {
  const failedReply = replies.find(({ status }) => status >= 500);
  const whyBroken = `a burst is answered with ${failedReply === undefined ? "" : inShort(failedReply)}`;
  context.expect(rule, failedReply === undefined, whyBroken, failedReply);
  const acceptedCount = replies.filter(isAccepted).length;
  const otherRefusal = replies.find((reply) => isClientError(reply) && reply.status !== 429);
  // A message that would be refused alone as well shows nothing about a burst.
  const why = `after ${acceptedCount} messages like it one is refused with another status than 429: ${otherRefusal === undefined ? "" : inShort(otherRefusal)}`;
  context.expect(rule, otherRefusal === undefined || acceptedCount === 0, why, otherRefusal);
  for (const reply of replies.filter(({ status }) => status === 429)) {
    const after = reply.headers["retry-after"] ?? "";
    const isTime = /^\d+$/.test(after) || Number.isFinite(Date.parse(after));
    context.expect(rule, codeOf(reply) === "rate_limited", `429 is not rate_limited: ${inShort(reply)}`, reply);
    context.expect(rule, isTime, `429 does not name the time to wait: Retry-After is "${after}"`, reply);
  }
}

/** Cancels asks, some at a time, and returns how many it cancelled. */
async function cancelAll(context: ScenarioContext, replies: readonly HttpReply[], as: As = "a"): Promise<number> {
  const ids = replies.map(idOf).filter((id) => id !== undefined);
  let count = 0;
  for (let at = 0; at < ids.length; at += atOnce) {
    const cancellations = await Promise.all(ids.slice(at, at + atOnce).map((id) => cancel(context, id, as)));
    count += cancellations.filter(isAccepted).length;
  }
  return count;
}

/** The maximum number of messages that an agent has open after these were accepted, as far as scenarios know. */
function openOf(context: ScenarioContext, replies: readonly HttpReply[], agent: As): number {
  return replies.filter(isAccepted).length + messagesLeftOpen(context).filter(({ as }) => as === agent).length;
}

/**
 * Why an inbox is full before its published depth, given the known messages of the first agent: those accepted now, and those that may still
 * be open. Undefined if it may contain others of that agent, such as the vectors of a run. It is not chance if two agents have the same number of
 * other messages, and more than the suite's own.
 */
async function explainShallowInbox(
  context: ScenarioContext,
  depth: number,
  { taken: acceptedCount, open }: { taken: number; open: number },
): Promise<string | undefined> {
  const isSimilar = (left: number, otherRefusal: number): boolean => Math.abs(left - otherRefusal) <= depth / 10;
  if (!context.has("second-credential") || 2 * open > depth) return undefined;
  const make = (): JsonObject => fromAgent(context.agents.b as string, ask(context));
  const replies = await sendBurst(context, depth + 20, { make, as: "b" });
  const isFull = replies.some(({ status }) => status === 429);
  const [openOfA, openOfB] = [replies.filter(isAccepted).length, openOf(context, replies, "b")];
  await cancelAll(context, replies, "b");
  if (!isFull || 2 * openOfB > depth || !(isSimilar(acceptedCount, openOfA) || isSimilar(open, openOfB)))
    return undefined;
  return `its inbox_depth is ${depth}, and it accepts no more from two agents once at most ${open} and ${openOfB} messages are open`;
}

/** A text with this many bytes, most of them in characters of two. */
function textOf(bytes: number): string {
  return "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2);
}

/** A refusal because of size must be 422. */
function checkSizeRefusal(context: ScenarioContext, rule: string, description: string, reply: HttpReply): void {
  context.expect(
    rule,
    isAccepted(reply) || reply.status === 422,
    `${description} is not refused with 422: ${inShort(reply)}`,
  );
}

/** At least as many submits of a burst must be accepted as are published for a minute, apart from a few other results. */
async function checkPace(context: ScenarioContext, pace: number, first: readonly HttpReply[]): Promise<void> {
  const isEarly = (replies: readonly HttpReply[]): boolean =>
    replies.some(({ status }) => status === 429) && replies.filter(isAccepted).length < 0.9 * pace;
  if (!isEarly(first)) return context.expect("AHCP-LIM-005", true, "");
  if (!context.has("clock"))
    return context.skip(
      "AHCP-LIM-005",
      'earlier requests count for the rate as well, and no hook "clock" lets time pass',
    );
  // A limiter may follow its own clock.
  await context.wait(overMinute);
  const laterReplies = await sendBurst(context, pace, { make: () => notify(context) });
  await context.pass(overMinute);
  const why = `its requests_per_minute is ${pace}, and it accepts ${laterReplies.filter(isAccepted).length} of a burst`;
  const refusals = laterReplies.find(({ status }) => status === 429);
  context.expect("AHCP-LIM-005", !isEarly(laterReplies), why, "SHOULD", refusals);
}

export const limits: readonly Scenario[] = [
  {
    name: "limits-size",
    says: "messages within the published sizes are accepted, and larger ones refused with 422",
    rules: ["AHCP-LIM-003", "AHCP-LIM-005"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const document = await readPublished(context);
      const maxBytes = publishedNumber(document, "max_body_bytes");
      const part = publishedNumber(document, "max_part_bytes");
      if (Math.max(maxBytes, part) > 16 * 1024 * 1024)
        throw new TargetSkip("the published sizes are larger than the suite sends");
      const around = Buffer.byteLength(JSON.stringify(notify(context))) + 64;
      if (around < maxBytes) {
        const within = await postLarge(context, notify(context, { body: textOf(maxBytes - around) }));
        const why = `a message of fewer than the ${maxBytes} bytes of max_body_bytes is refused: ${inShort(within)}`;
        context.expect("AHCP-LIM-003", isAccepted(within), why);
        context.expect("AHCP-LIM-005", isAccepted(within), why);
        const state = { text: textOf(maxBytes - around) };
        const replyToState = await postLarge(context, notify(context, { state }));
        const unsaid = `a state is refused in a message of fewer than the ${maxBytes} bytes of max_body_bytes: ${inShort(replyToState)}`;
        context.expect("AHCP-LIM-005", isAccepted(replyToState) || !isAccepted(within), unsaid, "SHOULD");
      } else
        context.skip(
          "AHCP-LIM-005",
          `even the smallest message may exceed the hub's published max_body_bytes: ${maxBytes}`,
        );
      const large = await postLarge(context, notify(context, { body: textOf(maxBytes + 1) }));
      checkSizeRefusal(context, "AHCP-LIM-003", `a body of one byte more than ${maxBytes}`, large);
      const parts = [{ kind: "text", text: textOf(part + 1) }];
      checkSizeRefusal(
        context,
        "AHCP-LIM-003",
        `a part of more than ${part} bytes`,
        await postLarge(context, notify(context, { context: parts })),
      );
      // The limit counts bytes of UTF-8, for all kinds of characters.
      for (const [description, size, makeMembers] of [
        ["a body", maxBytes, (text: string) => ({ body: text })],
        ["a part", part, (text: string) => ({ context: [{ kind: "text", text }] })],
      ] as const) {
        const asciiReply = await postLarge(context, notify(context, makeMembers("x".repeat(size + 1))));
        if (isAccepted(asciiReply)) continue;
        const twoByteReply = await postLarge(context, notify(context, makeMembers(textOf(size + 1))));
        const why = `${description} of one byte more than ${size} is refused in ASCII, but accepted in characters of two bytes`;
        context.expect("AHCP-LIM-003", !isAccepted(twoByteReply), why, twoByteReply);
      }
    },
  },
  {
    name: "limits-parts",
    says: "the published number of parts is accepted, and more are refused with 422",
    rules: ["AHCP-LIM-005", "AHCP-LIM-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const document = await readPublished(context);
      const maxBytes = publishedNumber(document, "max_context_parts");
      if (maxBytes > 10_000) throw new TargetSkip(`${maxBytes} parts are more than the suite sends`);
      const parts = (count: number): JsonObject => ({ context: Array(count).fill({ kind: "text", text: "t" }) });
      const message = notify(context, parts(maxBytes));
      const within = await postLarge(context, message);
      const why = `${maxBytes} parts, as published, are refused: ${inShort(within)}`;
      // Some hubs apply the limit of a body to the whole message.
      const { max_body_bytes: size = 0 } = document;
      const isSmall = Buffer.byteLength(JSON.stringify(message)) <= Number(size);
      if (isSmall) context.expect("AHCP-LIM-005", isAccepted(within), why);
      else context.skip("AHCP-LIM-005", `a message of ${maxBytes} parts may be larger than the hub accepts`);
      if (isSmall || isAccepted(within)) context.expect("AHCP-LIM-004", isAccepted(within), why);
      checkSizeRefusal(
        context,
        "AHCP-LIM-004",
        `${maxBytes + 1} parts`,
        await postLarge(context, notify(context, parts(maxBytes + 1))),
      );
    },
  },
  {
    name: "limits-depth",
    slow: true,
    says: "when too many messages are open, the refusal names the time to wait",
    rules: ["AHCP-LIM-002", "AHCP-LIM-005"],
    needs: ["credential"],
    withinMs: 180_000,
    async play(context) {
      const document = await readPublished(context);
      const depth = rate(document, "inbox_depth");
      // An unpublished rate may be unlimited.
      const pace = isObject(document.rate_limit) ? document.rate_limit.requests_per_minute : undefined;
      if (depth + 20 > Math.min(longestBurst, typeof pace === "number" ? pace : longestBurst))
        throw new TargetSkip(`filling an inbox of ${depth} within a minute needs more messages than the suite sends`);
      // Messages left open by others would fill an inbox with less room than published.
      await endLeftovers(context);
      // Earlier requests count for the rate as well.
      if (context.has("clock")) await context.pass(overMinute);
      const hasOther = context.has("second-credential") && (await postAsOther(context)).status !== 429;
      const replies = await sendBurst(context, depth + 20, { make: () => ask(context) });
      checkRetryAfter(context, "AHCP-LIM-002", replies);
      const isFull = replies.some(({ status }) => status === 429);
      // The depth may be each agent's or the whole hub's.
      const isShared = isFull && hasOther && (await postAsOther(context)).status === 429;
      const open = openOf(context, replies, "a");
      const request = { method: "POST", path: "/v1/messages", body: ask(context) };
      const isEarly = isFull && open < depth && !isShared && (await isInboxFull(context, request));
      const cancelledCount = await cancelAll(context, replies);
      if (!isFull || cancelledCount === 0)
        return context.skip("AHCP-LIM-005", "the inbox was not filled, or not emptied again");
      const acceptedCount = replies.filter(isAccepted).length;
      const whyShallow = isEarly
        ? await explainShallowInbox(context, depth, { taken: acceptedCount, open })
        : undefined;
      context.expect("AHCP-LIM-005", whyShallow === undefined, whyShallow ?? "");
      const next = await context.send({ method: "POST", path: "/v1/messages", body: ask(context) });
      const why = `of the inbox_depth of ${depth} messages ${cancelledCount} were cancelled, but one more is refused: ${inShort(next)}`;
      context.expect("AHCP-LIM-005", next.status !== 429, why);
      const id = idOf(next);
      if (id !== undefined) await cancel(context, id);
    },
  },
  {
    name: "limits-pace",
    slow: true,
    reachesLimit: 60_000,
    says: "the refusal of too many submits names the time to wait, and affects no other agent",
    rules: ["AHCP-LIM-001", "AHCP-LIM-005"],
    needs: ["second-credential"],
    withinMs: 300_000,
    async play(context) {
      const pace = rate(await readPublished(context), "requests_per_minute");
      if (2 * pace > longestBurst)
        throw new TargetSkip(
          `its limit needs ${2 * pace} submits at once, and the suite sends at most ${longestBurst}: publish a lower one to have it tested`,
        );
      // Earlier requests count for the rate as well.
      if (context.has("clock")) await context.pass(overMinute);
      let denial: string | undefined;
      const replies = await sendBurst(context, 2 * pace, {
        make: () => notify(context),
        denied: (why) => {
          denial = why;
        },
      });
      checkRetryAfter(context, "AHCP-LIM-001", replies);
      const id = replies.map(idOf).find((each) => each !== undefined);
      // A sender whose credential still reads the accepted message was not locked out because of it.
      const isPace = denial !== undefined && id !== undefined && (await read(context, id)).status === 200;
      if (isPace) return context.expect("AHCP-LIM-001", false, `a burst is not answered with 429: ${denial}`);
      const message = fromAgent(context.agents.b as string, notify(context));
      const otherRefusal = await context.send({
        method: "POST",
        path: "/v1/messages",
        body: message,
        as: "b",
        isHurried: true,
      });
      context.expect("AHCP-LIM-001", otherRefusal.status !== 429, "one agent's rate counts for another");
      // If the time to wait is not named, nothing more is sent: without an answer the observations would be lost.
      if (replies.some(({ status, headers }) => status === 429 && headers["retry-after"] === undefined))
        return context.skip("AHCP-LIM-005", "its refusals do not name the time to wait");
      if (context.has("clock")) await context.pass(overMinute);
      await checkPace(context, pace, replies);
      // Waits until the agent may continue, if the refusals have named the time.
      await context.send({ method: "POST", path: "/v1/messages", body: notify(context) });
    },
  },
];
