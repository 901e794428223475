import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { notify } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { codeOf, idOf, inShort, isAccepted } from "../../ahcp/scenarios/steps.ts";
import { acknowledgeEntries, addressOf, drain, messageTo, publishedInbox, register } from "./talk.ts";

/** The maximum number of messages in a burst. */
const maxBurst = 400;

/** The time after which earlier messages no longer count. */
const rateWindowMs = 61_000;

/** How many messages are sent beyond the published depth of a mailbox. */
const excessCount = 20;

/** How many refusals end a burst. */
const maxRefusals = 3;

async function readLimit(context: ScenarioContext, name: string): Promise<number> {
  await publishedInbox(context);
  const { rate_limit: limits } = await readPublished(context);
  const value = isObject(limits) ? limits[name] : undefined;
  if (typeof value !== "number") throw new TargetSkip(`the hub does not publish its ${name}`);
  return value;
}

function postWithoutWaiting(context: ScenarioContext, body: JsonObject): Promise<HttpReply> {
  return context.send({ method: "POST", path: "/v1/messages", body, as: "a", isHurried: true });
}

/** Sends mail to a session of b until a few messages are refused. */
async function sendBurst(context: ScenarioContext, count: number, session: string): Promise<HttpReply[]> {
  const replies: HttpReply[] = [];
  let refusalCount = 0;
  while (replies.length < count && refusalCount < maxRefusals) {
    const reply = await postWithoutWaiting(context, messageTo(context, "notify", addressOf(context, "b", session)));
    if (!isAccepted(reply)) refusalCount += 1;
    replies.push(reply);
  }
  return replies;
}

/** Judges the refusals in a burst. Similar messages were accepted, so only the rate or the depth may be the reason. */
function judgeRefusals(context: ScenarioContext, rule: string, replies: readonly HttpReply[]): void {
  const acceptedCount = replies.filter(isAccepted).length;
  for (const reply of replies.filter((candidate) => !isAccepted(candidate))) {
    const isLimit = reply.status === 429 && codeOf(reply) === "rate_limited";
    context.expect(
      rule,
      isLimit || acceptedCount === 0,
      `after ${acceptedCount} similar messages, mail is answered with ${inShort(reply)}`,
      reply,
    );
  }
}

const mailboxDepth: Scenario = {
  name: "mailbox-depth",
  slow: true,
  says: "all accepted entries of a full mailbox can be drained, and further mail is refused with 429",
  rules: ["MA2H-LIM-008"],
  needs: ["second-credential"],
  withinMs: 120_000,
  async play(context) {
    const depth = await readLimit(context, "inbox_depth");
    if (depth + excessCount > maxBurst)
      throw new TargetSkip(`a mailbox of ${depth} needs more mail than the suite sends`);
    if (context.has("clock")) await context.pass(rateWindowMs);
    const { id: session } = await register(context, "b");
    const replies = await sendBurst(context, depth + excessCount, session);
    judgeRefusals(context, "MA2H-LIM-008", replies);
    const missingIds = new Set(replies.filter(isAccepted).flatMap((reply) => idOf(reply) ?? []));
    const count = missingIds.size;
    for (let drains = 0; drains < count; drains++) {
      const keys = (await drain(context, "b", session)).map(({ key }) => key);
      if (keys.length === 0) break;
      for (const key of keys) missingIds.delete(key);
      await acknowledgeEntries(context, "b", keys, session);
    }
    const why = `${missingIds.size} of ${count} accepted messages are never returned by a drain`;
    context.expect("MA2H-LIM-008", missingIds.size === 0, why);
  },
};

const mailRate: Scenario = {
  name: "mail-pace",
  slow: true,
  reachesLimit: 60_000,
  says: "a published rate of addressed submits is counted separately from other submits, and a refusal names the time to wait",
  rules: ["MA2H-LIM-007"],
  needs: ["second-credential", "clock"],
  withinMs: 300_000,
  async play(context) {
    const rate = await readLimit(context, "inter_agent_requests_per_minute");
    if (2 * rate > maxBurst) throw new TargetSkip(`its rate needs ${2 * rate} rapid submits`);
    await context.pass(rateWindowMs);
    const { id: session } = await register(context, "b");
    const replies = await sendBurst(context, 2 * rate, session);
    judgeRefusals(context, "MA2H-LIM-007", replies);
    for (const reply of replies.filter(({ status }) => status === 429)) {
      const retryAfter = reply.headers["retry-after"] ?? "";
      const isTime = /^\d+$/.test(retryAfter) || Number.isFinite(Date.parse(retryAfter));
      context.expect(
        "MA2H-LIM-007",
        isTime,
        `429 does not name the time to wait: Retry-After is "${retryAfter}"`,
        reply,
      );
    }
    const plainReply = await postWithoutWaiting(context, notify(context));
    const why = `after ${replies.length} addressed submits, one without an address is answered with ${inShort(plainReply)}`;
    context.expect("MA2H-LIM-007", plainReply.status !== 429, why, plainReply);
    await context.pass(rateWindowMs);
  },
};

/** Scenarios about the limits on mail between agents. */
export const mailLimits: readonly Scenario[] = [mailboxDepth, mailRate];
