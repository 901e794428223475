import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { type CallerName, isInboxFull, messagesLeftOpen } from "./inbox-room.ts";
import { ask, fromAgent, notify } from "./messages.ts";
import { readPublished } from "./published.ts";
import { cancel, codeOf, endLeftovers, idOf, inShort, isAccepted, isClientError, postLarge, read } from "./steps.ts";

/** The maximum number of requests in a burst. */
const maxBurst = 3000;
/** The maximum number of simultaneous requests. */
const maxConcurrency = 32;

/** After this many milliseconds, earlier requests no longer count toward the rate. */
const overMinuteMs = 61_000;

/** A number in the capability document. Throws a TargetSkip if the hub does not publish it. */
function publishedNumber(document: JsonObject, name: string): number {
  const value = document[name];
  if (typeof value === "number") return value;
  throw new TargetSkip(`the hub does not publish its ${name}`);
}

function publishedRate(document: JsonObject, name: string): number {
  return publishedNumber(isObject(document.rate_limit) ? document.rate_limit : {}, name);
}

/** Sends a burst of messages. Ends early after 20 refusals. */
async function sendBurst(
  context: ScenarioContext,
  count: number,
  {
    createMessage,
    onDenied = () => {},
    as = "a",
  }: { createMessage: () => JsonObject; onDenied?: (why: string) => void; as?: CallerName },
): Promise<HttpReply[]> {
  const replies: HttpReply[] = [];
  let remaining = count;
  let refusals = 0;
  const worker = async (): Promise<void> => {
    while (remaining > 0 && refusals < 20) {
      remaining -= 1;
      const request = { method: "POST", path: "/v1/messages", body: createMessage(), as, isHurried: true };
      const reply = await context.send(request).catch((error: unknown) => {
        if (!(error instanceof TargetFailure) || error.stage !== "access") throw error;
        onDenied(error.message);
        remaining = 0;
      });
      if (reply === undefined) continue;
      replies.push(reply);
      if (!isAccepted(reply)) refusals += 1;
    }
  };
  await Promise.all(Array.from({ length: maxConcurrency }, worker));
  return replies;
}

/** Submits an ask as the second agent and cancels it. Returns the answer to the submit. */
async function postAsOther(context: ScenarioContext): Promise<HttpReply> {
  const body = fromAgent(context.agents.b as string, ask(context));
  const reply = await context.send({ method: "POST", path: "/v1/messages", body, as: "b", isHurried: true });
  const id = idOf(reply);
  if (id !== undefined) await cancel(context, id, "b");
  return reply;
}

/** Checks that all refusals of a burst are 429 rate_limited with Retry-After. The hub may also accept all messages. */
function checkRetryAfter(context: ScenarioContext, rule: string, replies: readonly HttpReply[]): void {
  const failedReply = replies.find(({ status }) => status >= 500);
  const whyBroken = `a burst is answered with ${failedReply === undefined ? "" : inShort(failedReply)}`;
  context.expect(rule, failedReply === undefined, whyBroken, failedReply);
  const acceptedCount = replies.filter(isAccepted).length;
  const otherRefusal = replies.find((reply) => isClientError(reply) && reply.status !== 429);
  // If the hub accepted no message at all, the refusal is not due to the burst.
  const why = `after ${acceptedCount} similar messages one is refused with a status other than 429: ${otherRefusal === undefined ? "" : inShort(otherRefusal)}`;
  context.expect(rule, otherRefusal === undefined || acceptedCount === 0, why, otherRefusal);
  for (const reply of replies.filter(({ status }) => status === 429)) {
    const retryAfter = reply.headers["retry-after"] ?? "";
    const isTime = /^\d+$/.test(retryAfter) || Number.isFinite(Date.parse(retryAfter));
    context.expect(rule, codeOf(reply) === "rate_limited", `429 is not rate_limited: ${inShort(reply)}`, reply);
    context.expect(rule, isTime, `429 does not state the time to wait: Retry-After is "${retryAfter}"`, reply);
  }
}

/** Cancels the accepted asks in batches. Returns how many it cancelled. */
async function cancelAll(
  context: ScenarioContext,
  replies: readonly HttpReply[],
  as: CallerName = "a",
): Promise<number> {
  const ids = replies.map(idOf).filter((id) => id !== undefined);
  let count = 0;
  for (let start = 0; start < ids.length; start += maxConcurrency) {
    const cancellations = await Promise.all(
      ids.slice(start, start + maxConcurrency).map((id) => cancel(context, id, as)),
    );
    count += cancellations.filter(isAccepted).length;
  }
  return count;
}

/** How many messages of an agent may be open: those accepted now, and those that scenarios have left open. */
function maxOpenCount(context: ScenarioContext, replies: readonly HttpReply[], agent: CallerName): number {
  return replies.filter(isAccepted).length + messagesLeftOpen(context).filter(({ as }) => as === agent).length;
}

/**
 * The reason to report an inbox that is full before its published depth. Undefined if it may contain other messages, such as
 * the vectors of a run. To find out, this fills the inbox of the second agent too. If both inboxes are full at about the same
 * number, the hub's limit is lower than published.
 */
async function explainShallowInbox(
  context: ScenarioContext,
  depth: number,
  { acceptedCount, openCount }: { acceptedCount: number; openCount: number },
): Promise<string | undefined> {
  const isSimilar = (left: number, right: number): boolean => Math.abs(left - right) <= depth / 10;
  if (!context.has("second-credential") || 2 * openCount > depth) return undefined;
  const createAsk = (): JsonObject => fromAgent(context.agents.b as string, ask(context));
  const replies = await sendBurst(context, depth + 20, { createMessage: createAsk, as: "b" });
  const isFull = replies.some(({ status }) => status === 429);
  const [otherAcceptedCount, otherOpenCount] = [replies.filter(isAccepted).length, maxOpenCount(context, replies, "b")];
  await cancelAll(context, replies, "b");
  if (
    !isFull ||
    2 * otherOpenCount > depth ||
    !(isSimilar(acceptedCount, otherAcceptedCount) || isSimilar(openCount, otherOpenCount))
  )
    return undefined;
  return `its inbox_depth is ${depth}, and it accepts no more from two agents when at most ${openCount} and ${otherOpenCount} messages are open`;
}

/** A string of this many bytes in UTF-8, with two-byte characters. */
function twoByteText(bytes: number): string {
  return "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2);
}

/** Checks that the message is accepted or refused with 422. */
function checkSizeRefusal(context: ScenarioContext, rule: string, description: string, reply: HttpReply): void {
  context.expect(
    rule,
    isAccepted(reply) || reply.status === 422,
    `${description} is not refused with 422: ${inShort(reply)}`,
  );
}

/** Checks that the hub accepts at least 90 % of the published submits per minute. */
async function checkPace(context: ScenarioContext, pace: number, firstReplies: readonly HttpReply[]): Promise<void> {
  const isEarly = (replies: readonly HttpReply[]): boolean =>
    replies.some(({ status }) => status === 429) && replies.filter(isAccepted).length < 0.9 * pace;
  if (!isEarly(firstReplies)) return context.expect("AHCP-LIM-005", true, "");
  if (!context.has("clock"))
    return context.skip(
      "AHCP-LIM-005",
      'earlier requests count toward the rate too, and there is no hook "clock" to let time pass',
    );
  // Wait in real time, because a rate limiter may not follow the hub's clock.
  await context.wait(overMinuteMs);
  const laterReplies = await sendBurst(context, pace, { createMessage: () => notify(context) });
  await context.pass(overMinuteMs);
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
        const fittingReply = await postLarge(context, notify(context, { body: twoByteText(maxBytes - otherBytes) }));
        const why = `a message smaller than max_body_bytes (${maxBytes}) is refused: ${inShort(fittingReply)}`;
        context.expect("AHCP-LIM-003", isAccepted(fittingReply), why);
        context.expect("AHCP-LIM-005", isAccepted(fittingReply), why);
        const state = { text: twoByteText(maxBytes - otherBytes) };
        const replyToState = await postLarge(context, notify(context, { state }));
        const whyStateRefused = `a state in a message smaller than max_body_bytes (${maxBytes}) is refused: ${inShort(replyToState)}`;
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
      const largeReply = await postLarge(context, notify(context, { body: twoByteText(maxBytes + 1) }));
      checkSizeRefusal(context, "AHCP-LIM-003", `a body of one byte more than ${maxBytes}`, largeReply);
      const parts = [{ kind: "text", text: twoByteText(maxPartBytes + 1) }];
      checkSizeRefusal(
        context,
        "AHCP-LIM-003",
        `a part of more than ${maxPartBytes} bytes`,
        await postLarge(context, notify(context, { context: parts })),
      );
      // The limit counts bytes in UTF-8, not characters.
      for (const [description, size, makeMembers] of [
        ["a body", maxBytes, (text: string) => ({ body: text })],
        ["a part", maxPartBytes, (text: string) => ({ context: [{ kind: "text", text }] })],
      ] as const) {
        const asciiReply = await postLarge(context, notify(context, makeMembers("x".repeat(size + 1))));
        if (isAccepted(asciiReply)) continue;
        const twoByteReply = await postLarge(context, notify(context, makeMembers(twoByteText(size + 1))));
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
      // Some hubs apply max_body_bytes to the whole message.
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
    says: "when too many messages are open, the refusal states the time to wait",
    rules: ["AHCP-LIM-002", "AHCP-LIM-005"],
    needs: ["credential"],
    withinMs: 180_000,
    async play(context) {
      const document = await readPublished(context);
      const depth = publishedRate(document, "inbox_depth");
      // If the rate is not published, it may be unlimited.
      const pace = isObject(document.rate_limit) ? document.rate_limit.requests_per_minute : undefined;
      if (depth + 20 > Math.min(maxBurst, typeof pace === "number" ? pace : maxBurst))
        throw new TargetSkip(`filling an inbox of ${depth} within a minute needs more messages than the suite sends`);
      // Messages left open by other scenarios would fill the inbox early.
      await endLeftovers(context);
      // Earlier requests count toward the rate too.
      if (context.has("clock")) await context.pass(overMinuteMs);
      const hasSecondAgent = context.has("second-credential") && (await postAsOther(context)).status !== 429;
      const replies = await sendBurst(context, depth + 20, { createMessage: () => ask(context) });
      checkRetryAfter(context, "AHCP-LIM-002", replies);
      const isFull = replies.some(({ status }) => status === 429);
      // The depth may apply to each agent or to the whole hub.
      const isShared = isFull && hasSecondAgent && (await postAsOther(context)).status === 429;
      const openCount = maxOpenCount(context, replies, "a");
      const request = { method: "POST", path: "/v1/messages", body: ask(context) };
      const isEarly = isFull && openCount < depth && !isShared && (await isInboxFull(context, request));
      const cancelledCount = await cancelAll(context, replies);
      if (!isFull || cancelledCount === 0)
        return context.skip("AHCP-LIM-005", "the inbox was not filled, or not emptied again");
      const acceptedCount = replies.filter(isAccepted).length;
      const whyShallow = isEarly ? await explainShallowInbox(context, depth, { acceptedCount, openCount }) : undefined;
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
    says: "the refusal of too many submits states the time to wait, and does not affect other agents",
    rules: ["AHCP-LIM-001", "AHCP-LIM-005"],
    needs: ["second-credential"],
    withinMs: 300_000,
    async play(context) {
      const pace = publishedRate(await readPublished(context), "requests_per_minute");
      if (2 * pace > maxBurst)
        throw new TargetSkip(
          `its limit needs ${2 * pace} submits at once, and the suite sends at most ${maxBurst}: publish a lower limit to have it tested`,
        );
      // Earlier requests count toward the rate too.
      if (context.has("clock")) await context.pass(overMinuteMs);
      let denial: string | undefined;
      const replies = await sendBurst(context, 2 * pace, {
        createMessage: () => notify(context),
        onDenied: (why) => {
          denial = why;
        },
      });
      checkRetryAfter(context, "AHCP-LIM-001", replies);
      const id = replies.map(idOf).find((replyId) => replyId !== undefined);
      // If the credential still works for a read, the burst was not denied for other reasons.
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
      // Without Retry-After, send nothing more: a request that gets no answer would lose the findings.
      if (replies.some(({ status, headers }) => status === 429 && headers["retry-after"] === undefined))
        return context.skip("AHCP-LIM-005", "its refusals do not state the time to wait");
      if (context.has("clock")) await context.pass(overMinuteMs);
      await checkPace(context, pace, replies);
      // This request is not hurried, so it waits for as long as the refusals demand.
      await context.send({ method: "POST", path: "/v1/messages", body: notify(context) });
    },
  },
];
