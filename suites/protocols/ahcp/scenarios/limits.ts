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

/** The maximum number of requests in a burst, and of simultaneous requests. */
const [longestBurst, atOnce] = [3000, 32];

/** The milliseconds after which earlier requests no longer count for the rate. */
const overMinute = 61_000;

/** A number that the hub publishes. Throws a TargetSkip if it does not. */
function publishedNumber(document: JsonObject, name: string): number {
  const value = document[name];
  if (typeof value === "number") return value;
  throw new TargetSkip(`the hub does not publish its ${name}`);
}

function publishedRate(document: JsonObject, name: string): number {
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

/** Posts an ask as the other agent, cancels it, and returns the first answer. */
async function postAsOther(context: ScenarioContext): Promise<HttpReply> {
  const body = fromAgent(context.agents.b as string, ask(context));
  const reply = await context.send({ method: "POST", path: "/v1/messages", body, as: "b", isHurried: true });
  const id = idOf(reply);
  if (id !== undefined) await cancel(context, id, "b");
  return reply;
}

/** Checks that each refusal of a burst is 429 rate_limited, and names the time to wait. A hub may also refuse nothing. */
function checkRetryAfter(context: ScenarioContext, rule: string, replies: readonly HttpReply[]): void {
  const failedReply = replies.find(({ status }) => status >= 500);
  const whyBroken = `a burst is answered with ${failedReply === undefined ? "" : inShort(failedReply)}`;
  context.expect(rule, failedReply === undefined, whyBroken, failedReply);
  const acceptedCount = replies.filter(isAccepted).length;
  const otherRefusal = replies.find((reply) => isClientError(reply) && reply.status !== 429);
  // If the hub accepts no such message at all, its refusal shows nothing about a burst.
  const why = `after ${acceptedCount} messages like it one is refused with another status than 429: ${otherRefusal === undefined ? "" : inShort(otherRefusal)}`;
  context.expect(rule, otherRefusal === undefined || acceptedCount === 0, why, otherRefusal);
  for (const reply of replies.filter(({ status }) => status === 429)) {
    const retryAfter = reply.headers["retry-after"] ?? "";
    const isTime = /^\d+$/.test(retryAfter) || Number.isFinite(Date.parse(retryAfter));
    context.expect(rule, codeOf(reply) === "rate_limited", `429 is not rate_limited: ${inShort(reply)}`, reply);
    context.expect(rule, isTime, `429 does not name the time to wait: Retry-After is "${retryAfter}"`, reply);
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

/** The maximum number of open messages of an agent: the messages accepted now, and the messages that scenarios left open. */
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
  { taken: acceptedCount, open: openCount }: { taken: number; open: number },
): Promise<string | undefined> {
  const isSimilar = (left: number, right: number): boolean => Math.abs(left - right) <= depth / 10;
  if (!context.has("second-credential") || 2 * openCount > depth) return undefined;
  const make = (): JsonObject => fromAgent(context.agents.b as string, ask(context));
  const replies = await sendBurst(context, depth + 20, { make, as: "b" });
  const isFull = replies.some(({ status }) => status === 429);
  const [otherAcceptedCount, otherOpenCount] = [replies.filter(isAccepted).length, openOf(context, replies, "b")];
  await cancelAll(context, replies, "b");
  if (
    !isFull ||
    2 * otherOpenCount > depth ||
    !(isSimilar(acceptedCount, otherAcceptedCount) || isSimilar(openCount, otherOpenCount))
  )
    return undefined;
  return `its inbox_depth is ${depth}, and it accepts no more from two agents once at most ${openCount} and ${otherOpenCount} messages are open`;
}

/** A text with this many bytes, most of them in characters of two. */
function textOf(bytes: number): string {
  return "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2);
}

/** Checks that a refusal because of size is 422. */
function checkSizeRefusal(context: ScenarioContext, rule: string, description: string, reply: HttpReply): void {
  context.expect(
    rule,
    isAccepted(reply) || reply.status === 422,
    `${description} is not refused with 422: ${inShort(reply)}`,
  );
}

/** Checks that the hub accepts at least 90 % of the submits that it publishes for a minute. */
async function checkPace(context: ScenarioContext, pace: number, firstReplies: readonly HttpReply[]): Promise<void> {
  const isEarly = (replies: readonly HttpReply[]): boolean =>
    replies.some(({ status }) => status === 429) && replies.filter(isAccepted).length < 0.9 * pace;
  if (!isEarly(firstReplies)) return context.expect("AHCP-LIM-005", true, "");
  if (!context.has("clock"))
    return context.skip(
      "AHCP-LIM-005",
      'earlier requests count for the rate as well, and no hook "clock" lets time pass',
    );
  // A rate limiter may not follow the clock that the hook moves.
  await context.wait(overMinute);
  const laterReplies = await sendBurst(context, pace, { make: () => notify(context) });
  await context.pass(overMinute);
  const why = `its requests_per_minute is ${pace}, and it accepts ${laterReplies.filter(isAccepted).length} of a burst`;
  const refusal = laterReplies.find(({ status }) => status === 429);
  context.expect("AHCP-LIM-005", !isEarly(laterReplies), why, "SHOULD", refusal);
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
      const maxPartBytes = publishedNumber(document, "max_part_bytes");
      if (Math.max(maxBytes, maxPartBytes) > 16 * 1024 * 1024)
        throw new TargetSkip("the published sizes are larger than the suite sends");
      const otherBytes = Buffer.byteLength(JSON.stringify(notify(context))) + 64;
      if (otherBytes < maxBytes) {
        const fittingReply = await postLarge(context, notify(context, { body: textOf(maxBytes - otherBytes) }));
        const why = `a message of fewer than the ${maxBytes} bytes of max_body_bytes is refused: ${inShort(fittingReply)}`;
        context.expect("AHCP-LIM-003", isAccepted(fittingReply), why);
        context.expect("AHCP-LIM-005", isAccepted(fittingReply), why);
        const state = { text: textOf(maxBytes - otherBytes) };
        const replyToState = await postLarge(context, notify(context, { state }));
        const whyStateRefused = `a state is refused in a message of fewer than the ${maxBytes} bytes of max_body_bytes: ${inShort(replyToState)}`;
        context.expect(
          "AHCP-LIM-005",
          isAccepted(replyToState) || !isAccepted(fittingReply),
          whyStateRefused,
          "SHOULD",
        );
      } else
        context.skip(
          "AHCP-LIM-005",
          `even the smallest message may exceed the hub's published max_body_bytes: ${maxBytes}`,
        );
      const large = await postLarge(context, notify(context, { body: textOf(maxBytes + 1) }));
      checkSizeRefusal(context, "AHCP-LIM-003", `a body of one byte more than ${maxBytes}`, large);
      const parts = [{ kind: "text", text: textOf(maxPartBytes + 1) }];
      checkSizeRefusal(
        context,
        "AHCP-LIM-003",
        `a part of more than ${maxPartBytes} bytes`,
        await postLarge(context, notify(context, { context: parts })),
      );
      // The limit counts bytes of UTF-8, for all kinds of characters.
      for (const [description, size, makeMembers] of [
        ["a body", maxBytes, (text: string) => ({ body: text })],
        ["a part", maxPartBytes, (text: string) => ({ context: [{ kind: "text", text }] })],
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
      const maxParts = publishedNumber(document, "max_context_parts");
      if (maxParts > 10_000) throw new TargetSkip(`${maxParts} parts are more than the suite sends`);
      const makeParts = (count: number): JsonObject => ({ context: Array(count).fill({ kind: "text", text: "t" }) });
      const message = notify(context, makeParts(maxParts));
      const fittingReply = await postLarge(context, message);
      const why = `${maxParts} parts, as published, are refused: ${inShort(fittingReply)}`;
      // Some hubs apply the limit of a body to the whole message.
      const { max_body_bytes: size = 0 } = document;
      const isSmall = Buffer.byteLength(JSON.stringify(message)) <= Number(size);
      if (isSmall) context.expect("AHCP-LIM-005", isAccepted(fittingReply), why);
      else context.skip("AHCP-LIM-005", `a message of ${maxParts} parts may be larger than the hub accepts`);
      if (isSmall || isAccepted(fittingReply)) context.expect("AHCP-LIM-004", isAccepted(fittingReply), why);
      checkSizeRefusal(
        context,
        "AHCP-LIM-004",
        `${maxParts + 1} parts`,
        await postLarge(context, notify(context, makeParts(maxParts + 1))),
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
      const depth = publishedRate(document, "inbox_depth");
      // An unpublished rate may be unlimited.
      const pace = isObject(document.rate_limit) ? document.rate_limit.requests_per_minute : undefined;
      if (depth + 20 > Math.min(longestBurst, typeof pace === "number" ? pace : longestBurst))
        throw new TargetSkip(`filling an inbox of ${depth} within a minute needs more messages than the suite sends`);
      // Messages that other scenarios left open would fill the inbox early.
      await endLeftovers(context);
      // Earlier requests count towards the rate, too.
      if (context.has("clock")) await context.pass(overMinute);
      const hasOther = context.has("second-credential") && (await postAsOther(context)).status !== 429;
      const replies = await sendBurst(context, depth + 20, { make: () => ask(context) });
      checkRetryAfter(context, "AHCP-LIM-002", replies);
      const isFull = replies.some(({ status }) => status === 429);
      // The depth may apply to each agent, or to the whole hub.
      const isShared = isFull && hasOther && (await postAsOther(context)).status === 429;
      const openCount = openOf(context, replies, "a");
      const request = { method: "POST", path: "/v1/messages", body: ask(context) };
      const isEarly = isFull && openCount < depth && !isShared && (await isInboxFull(context, request));
      const cancelledCount = await cancelAll(context, replies);
      if (!isFull || cancelledCount === 0)
        return context.skip("AHCP-LIM-005", "the inbox was not filled, or not emptied again");
      const acceptedCount = replies.filter(isAccepted).length;
      const whyShallow = isEarly
        ? await explainShallowInbox(context, depth, { taken: acceptedCount, open: openCount })
        : undefined;
      context.expect("AHCP-LIM-005", whyShallow === undefined, whyShallow ?? "");
      const nextReply = await context.send({ method: "POST", path: "/v1/messages", body: ask(context) });
      const why = `of the inbox_depth of ${depth} messages ${cancelledCount} were cancelled, but one more is refused: ${inShort(nextReply)}`;
      context.expect("AHCP-LIM-005", nextReply.status !== 429, why);
      const id = idOf(nextReply);
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
      const pace = publishedRate(await readPublished(context), "requests_per_minute");
      if (2 * pace > longestBurst)
        throw new TargetSkip(
          `its limit needs ${2 * pace} submits at once, and the suite sends at most ${longestBurst}: publish a lower one to have it tested`,
        );
      // Earlier requests count towards the rate, too.
      if (context.has("clock")) await context.pass(overMinute);
      let denial: string | undefined;
      const replies = await sendBurst(context, 2 * pace, {
        make: () => notify(context),
        denied: (why) => {
          denial = why;
        },
      });
      checkRetryAfter(context, "AHCP-LIM-001", replies);
      const id = replies.map(idOf).find((replyId) => replyId !== undefined);
      // If its credential still works for a read, the sender was not locked out.
      const isBurstDenied = denial !== undefined && id !== undefined && (await read(context, id)).status === 200;
      if (isBurstDenied) return context.expect("AHCP-LIM-001", false, `a burst is not answered with 429: ${denial}`);
      const message = fromAgent(context.agents.b as string, notify(context));
      const otherReply = await context.send({
        method: "POST",
        path: "/v1/messages",
        body: message,
        as: "b",
        isHurried: true,
      });
      context.expect("AHCP-LIM-001", otherReply.status !== 429, "one agent's rate counts for another");
      // If the time to wait is not named, nothing more is sent: an unanswered request would lose the observations.
      if (replies.some(({ status, headers }) => status === 429 && headers["retry-after"] === undefined))
        return context.skip("AHCP-LIM-005", "its refusals do not name the time to wait");
      if (context.has("clock")) await context.pass(overMinute);
      await checkPace(context, pace, replies);
      // Not hurried: it waits for as long as the refusals demand.
      await context.send({ method: "POST", path: "/v1/messages", body: notify(context) });
    },
  },
];
