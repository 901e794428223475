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
import { addressOf, drain, messageTo, publishedInbox, register, take } from "./talk.ts";

/** The maximum number of messages in a burst, and the milliseconds after which earlier messages no longer count. */
const [longestBurst, overMinute] = [400, 61_000];

async function readLimit(context: ScenarioContext, name: string): Promise<number> {
  await publishedInbox(context);
  const { rate_limit: limits } = await readPublished(context);
  const value = isObject(limits) ? limits[name] : undefined;
  if (typeof value !== "number") throw new TargetSkip(`the hub does not publish its ${name}`);
  return value;
}

function postHurried(context: ScenarioContext, body: JsonObject): Promise<HttpReply> {
  return context.send({ method: "POST", path: "/v1/messages", body, as: "a", isHurried: true });
}

/** Sends mail to a session of b until a few messages are refused. */
async function sendBurst(context: ScenarioContext, count: number, session: string): Promise<HttpReply[]> {
  const replies: HttpReply[] = [];
  let refused = 0;
  while (replies.length < count && refused < 3) {
    const reply = await postHurried(context, messageTo(context, "notify", addressOf(context, "b", session)));
    if (!isAccepted(reply)) refused += 1;
    replies.push(reply);
  }
  return replies;
}

/** Judges refusals of a burst: since like messages were accepted, only the rate or the depth may be the reason. */
function judgeRefusals(context: ScenarioContext, rule: string, replies: readonly HttpReply[]): void {
  const acceptedCount = replies.filter(isAccepted).length;
  for (const reply of replies.filter((candidate) => !isAccepted(candidate))) {
    const isLimit = reply.status === 429 && codeOf(reply) === "rate_limited";
    context.expect(
      rule,
      isLimit || acceptedCount === 0,
      `after ${acceptedCount} like it mail is answered with ${inShort(reply)}`,
      reply,
    );
  }
}

const mailboxDepth: Scenario = {
  name: "mailbox-depth",
  slow: true,
  says: "the accepted entries of a full mailbox can be drained, and further ones are refused with 429",
  rules: ["MA2H-LIM-008"],
  needs: ["second-credential"],
  withinMs: 120_000,
  async play(context) {
    const most = await readLimit(context, "inbox_depth");
    if (most + 20 > longestBurst) throw new TargetSkip(`a mailbox of ${most} needs more mail than the suite sends`);
    if (context.has("clock")) await context.pass(overMinute);
    const { id: session } = await register(context, "b");
    const replies = await sendBurst(context, most + 20, session);
    judgeRefusals(context, "MA2H-LIM-008", replies);
    const due = new Set(replies.filter(isAccepted).flatMap((reply) => idOf(reply) ?? []));
    const count = due.size;
    for (let drains = 0; drains < count; drains++) {
      const keys = (await drain(context, "b", session)).map(({ key }) => key);
      if (keys.length === 0) break;
      for (const key of keys) due.delete(key);
      await take(context, "b", keys, session);
    }
    context.expect("MA2H-LIM-008", due.size === 0, `of ${count} messages that were accepted ${due.size} never come`);
  },
};

const mailPace: Scenario = {
  name: "mail-pace",
  slow: true,
  reachesLimit: 60_000,
  says: "a published pace of addressed submits is counted apart from others, and a refusal names the time to wait",
  rules: ["MA2H-LIM-007"],
  needs: ["second-credential", "clock"],
  withinMs: 300_000,
  async play(context) {
    const most = await readLimit(context, "inter_agent_requests_per_minute");
    if (2 * most > longestBurst) throw new TargetSkip(`its pace needs ${2 * most} submits at once`);
    await context.pass(overMinute);
    const { id: session } = await register(context, "b");
    const replies = await sendBurst(context, 2 * most, session);
    judgeRefusals(context, "MA2H-LIM-007", replies);
    for (const reply of replies.filter(({ status }) => status === 429)) {
      const after = reply.headers["retry-after"] ?? "";
      const isTime = /^\d+$/.test(after) || Number.isFinite(Date.parse(after));
      context.expect("MA2H-LIM-007", isTime, `429 does not name the time to wait: Retry-After is "${after}"`, reply);
    }
    const other = await postHurried(context, notify(context));
    const why = `after ${replies.length} addressed submits another one is answered with ${inShort(other)}`;
    context.expect("MA2H-LIM-007", other.status !== 429, why, other);
    await context.pass(overMinute);
  },
};

/** Scenarios about the limits on mail between agents. */
export const mailLimits: readonly Scenario[] = [mailboxDepth, mailPace];
