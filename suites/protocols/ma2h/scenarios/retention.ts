import { isObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { ask } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { outcomeOf, readStored, resolveMessage, submit } from "../../ahcp/scenarios/steps.ts";
import {
  acknowledgeEntries,
  drain,
  entriesAbout,
  isUndeliverable,
  publishedInbox,
  publishedSessions,
  register,
  sendTo,
  trackOf,
  waitUntil,
} from "./talk.ts";

const dayMs = 86_400_000;

/** The maximum number of renewals of a lease. */
const maxRenewals = 60;

/** How long the hub keeps mail, in milliseconds. Throws a TargetSkip if the hub does not publish it. */
async function publishedRetentionMs(context: ScenarioContext): Promise<number> {
  const { retention_days: days } = await publishedInbox(context);
  if (typeof days !== "number") throw new TargetSkip("the hub does not publish how long it keeps mail");
  return days * dayMs;
}

/**
 * Lets time pass, and renews the lease of a session of agent `a` meanwhile, unless that takes too many renewals.
 * Returns whether the session is still alive.
 */
async function passAlive(
  context: ScenarioContext,
  session: string,
  leaseMs: number,
  durationMs: number,
): Promise<boolean> {
  const stepMs = leaseMs * 0.8;
  if (!(stepMs > 0) || durationMs / stepMs > maxRenewals) {
    await context.pass(durationMs);
    return false;
  }
  for (let remainingMs = durationMs; remainingMs > 0; remainingMs -= stepMs) {
    await context.pass(Math.min(stepMs, remainingMs));
    // An acknowledgment renews the lease without claiming entries.
    if ((await acknowledgeEntries(context, "a", ["msg_unknown"], session)).status !== 200) return false;
  }
  return true;
}

const mailExpires: Scenario = {
  name: "mailbox-retention",
  says: "mail is kept for the published time, and then expires, or bounces if it was drained",
  rules: ["MA2H-INB-018", "MA2H-BNC-013", "MA2H-BNC-014"],
  needs: ["second-credential", "clock"],
  withinMs: 120_000,
  async play(context) {
    const retentionMs = await publishedRetentionMs(context);
    const { max_ttl_seconds: maxTtl } = await publishedSessions(context);
    const longestLease = { ttl_seconds: typeof maxTtl === "number" ? maxTtl : 3600 };
    const [sender, session] = [await register(context, "a", longestLease), await register(context, "b", longestLease)];
    const leaseMs = Date.parse(String(sender.shown.expires_at)) - Date.parse(String(sender.shown.created_at));
    const drained = await sendTo(context, "ask", { from: sender.id });
    if (entriesAbout(await drain(context, "b", session.id), drained).length === 0)
      throw new TargetSkip("the session of an agent does not receive the mail for the agent");
    const queued: Record<"notify" | "ask" | "task", string> = {
      notify: await sendTo(context, "notify", { from: sender.id }),
      ask: await sendTo(context, "ask", { from: sender.id }),
      task: await sendTo(context, "task", { from: sender.id }),
    };
    const wasAlive = await passAlive(context, sender.id, leaseMs, retentionMs * 0.9);
    const { state: queuedState } = await trackOf(context, queued.ask);
    const whyQueued = `before the retention time is over, undrained mail is ${queuedState}`;
    context.expect("MA2H-INB-018", queuedState === "queued", whyQueued);
    const { state: drainedState } = await trackOf(context, drained);
    const whyDrained = `before the retention time is over, drained mail is ${drainedState}`;
    context.expect("MA2H-INB-018", drainedState === "delivered", whyDrained);
    const isAlive = (await passAlive(context, sender.id, leaseMs, retentionMs * 0.1 + 60_000)) && wasAlive;
    for (const type of ["notify", "ask", "task"] as const) await judgeExpired(context, type, queued[type]);
    const {
      state,
      prior,
      delivered_at: deliveredAt,
    } = await waitUntil(
      context,
      () => trackOf(context, drained),
      (track) => track.state === "bounced",
    );
    const isBounced = state === "bounced" && (prior === "delivered" || deliveredAt !== undefined);
    const whyNotBounced = `after the retention time, drained mail is ${state}, and was ${prior} before`;
    context.expect("MA2H-BNC-014", isBounced, whyNotBounced);
    const senderEntries = isAlive ? await drain(context, "a", sender.id) : [];
    const receipts = senderEntries.filter(({ kind }) => kind === "receipt");
    const hasWrongReceipt = Object.values(queued).some((id) => entriesAbout(receipts, id).length > 0);
    context.expect("MA2H-BNC-013", !hasWrongReceipt, "there is a receipt for mail that was never drained");
    const [receipt] = entriesAbout(receipts, drained);
    const namesSession = receipt === undefined || receipt.payload.session === session.id;
    const why = `the receipt for drained mail names ${receipt?.payload.session}, not the session that drained it`;
    context.expect("MA2H-BNC-014", namesSession, why);
    const lateSession = await register(context, "b");
    const lateEntries = await drain(context, "b", lateSession.id);
    const isGone = [drained, ...Object.values(queued)].every((id) => entriesAbout(lateEntries, id).length === 0);
    context.expect("MA2H-INB-018", isGone, "mail can still be drained after the retention time");
  },
};

async function judgeExpired(context: ScenarioContext, type: "notify" | "ask" | "task", id: string): Promise<void> {
  const { state } = await waitUntil(
    context,
    () => trackOf(context, id),
    (track) => track.state === "expired",
  );
  const rules = ["MA2H-BNC-013", "MA2H-INB-018"];
  for (const rule of rules)
    context.expect(rule, state === "expired", `after the retention time, a ${type} that was never drained is ${state}`);
  if (type === "notify" || state !== "expired") return;
  const message = await readStored(context, id);
  const expectedStatus = type === "ask" ? "cancelled" : "dismissed";
  const isEnded = message.status === expectedStatus && isUndeliverable(message);
  const { inner } = outcomeOf(message);
  const why = `after its mail expired, the ${type} is ${message.status} by ${inner.actor ?? "nobody"}`;
  context.expect("MA2H-BNC-013", isEnded, why);
}

const outcomesExpire: Scenario = {
  name: "outcomes-expire",
  says: "an outcome that the agent never fetched is shown as expired to the person, unless its message has an older version",
  rules: ["MA2H-TRK-009"],
  needs: ["clock", "track", "resolve"],
  withinMs: 120_000,
  async play(context) {
    const { ack, inbound, retention_days: messageDays } = await readPublished(context);
    if (!isObject(ack) || ack.enabled !== true) throw new TargetSkip("the hub does not offer acknowledgments");
    const mailDays = isObject(inbound) ? inbound.retention_days : undefined;
    if (typeof messageDays !== "number") throw new TargetSkip("the hub does not publish how long it keeps messages");
    const days = Math.max(messageDays, typeof mailDays === "number" ? mailDays : 0);
    const [current, old] = [
      await submit(context, ask(context)),
      await submit(context, ask(context, { ahcp_version: "0.4" })),
    ];
    for (const { id } of [current, old]) await resolveMessage(context, id);
    await context.pass(days * dayMs + 60_000);
    const stateOf = async (id: string): Promise<unknown> => (await context.hook("track", { id })).state;
    const state = await stateOf(current.id);
    // The hook may show only directives.
    if (typeof state !== "string") context.skip("MA2H-TRK-009", "the hook does not show the outcome", undefined);
    else context.expect("MA2H-TRK-009", state === "expired", `an outcome that was never fetched is ${state}`);
    const oldState = await stateOf(old.id);
    context.expect("MA2H-TRK-009", oldState !== "expired", "the outcome of a message of version 0.4 is expired");
  },
};

export const retention: readonly Scenario[] = [mailExpires, outcomesExpire];
