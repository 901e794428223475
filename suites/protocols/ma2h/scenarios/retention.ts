import { isObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { ask } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { outcomeOf, readStored, resolveMessage, submit } from "../../ahcp/scenarios/steps.ts";
import {
  about,
  drain,
  isUndeliverable,
  publishedInbox,
  publishedSessions,
  register,
  sendTo,
  take,
  trackOf,
  waitUntil,
} from "./talk.ts";

const dayMs = 86_400_000;

/** The maximum number of renewals of a lease. */
const maxRenewals = 60;

/** Milliseconds for which the hub keeps mail. Throws a TargetSkip if it does not publish that. */
async function publishedRetentionMs(context: ScenarioContext): Promise<number> {
  const { retention_days: days } = await publishedInbox(context);
  if (typeof days !== "number") throw new TargetSkip("the hub does not publish how long it keeps mail");
  return days * dayMs;
}

/** Lets time pass while renewing the lease of a session of agent `a`, unless that takes too many renewals. Returns whether the session is alive. */
async function passAlive(context: ScenarioContext, session: string, lease: number, time: number): Promise<boolean> {
  const step = lease * 0.8;
  if (!(step > 0) || time / step > maxRenewals) {
    await context.pass(time);
    return false;
  }
  for (let left = time; left > 0; left -= step) {
    await context.pass(Math.min(step, left));
    // An acknowledgment renews the lease without claiming entries.
    if ((await take(context, "a", ["msg_unknown"], session)).status !== 200) return false;
  }
  return true;
}

const mailExpires: Scenario = {
  name: "mailbox-retention",
  says: "mail is kept for as long as the hub publishes, and then expires, or bounces if it was drained",
  rules: ["MA2H-INB-018", "MA2H-BNC-013", "MA2H-BNC-014"],
  needs: ["second-credential", "clock"],
  withinMs: 120_000,
  async play(context) {
    const time = await publishedRetentionMs(context);
    const { max_ttl_seconds: most } = await publishedSessions(context);
    const longest = { ttl_seconds: typeof most === "number" ? most : 3600 };
    const [sender, session] = [await register(context, "a", longest), await register(context, "b", longest)];
    const lease = Date.parse(String(sender.shown.expires_at)) - Date.parse(String(sender.shown.created_at));
    const drained = await sendTo(context, "ask", { from: sender.id });
    if (about(await drain(context, "b", session.id), drained).length === 0)
      throw new TargetSkip("mail for an agent does not come to its session");
    const queued: Record<"notify" | "ask" | "task", string> = {
      notify: await sendTo(context, "notify", { from: sender.id }),
      ask: await sendTo(context, "ask", { from: sender.id }),
      task: await sendTo(context, "task", { from: sender.id }),
    };
    const wasAlive = await passAlive(context, sender.id, lease, time * 0.9);
    const { state: early } = await trackOf(context, queued.ask);
    context.expect("MA2H-INB-018", early === "queued", `before its time is over, mail that waits is ${early}`);
    const { state: held } = await trackOf(context, drained);
    context.expect("MA2H-INB-018", held === "delivered", `before its time is over, drained mail is ${held}`);
    const isAlive = (await passAlive(context, sender.id, lease, time * 0.1 + 60_000)) && wasAlive;
    for (const type of ["notify", "ask", "task"] as const) await judgeExpired(context, type, queued[type]);
    const {
      state,
      prior,
      delivered_at: at,
    } = await waitUntil(
      context,
      () => trackOf(context, drained),
      (track) => track.state === "bounced",
    );
    const isBounced = state === "bounced" && (prior === "delivered" || at !== undefined);
    context.expect("MA2H-BNC-014", isBounced, `once its time is over, drained mail is ${state} after ${prior}`);
    const found = isAlive ? await drain(context, "a", sender.id) : [];
    const receipts = found.filter(({ kind }) => kind === "receipt");
    const wrong = Object.values(queued).filter((id) => about(receipts, id).length > 0);
    context.expect("MA2H-BNC-013", wrong.length === 0, "there is a receipt for mail that was never drained");
    const [receipt] = about(receipts, drained);
    const isNamed = receipt === undefined || receipt.payload.session === session.id;
    const why = `the receipt for mail that was drained names ${receipt?.payload.session}, not the session that drained it`;
    context.expect("MA2H-BNC-014", isNamed, why);
    const late = await register(context, "b");
    const left = await drain(context, "b", late.id);
    const isGone = [drained, ...Object.values(queued)].every((id) => about(left, id).length === 0);
    context.expect("MA2H-INB-018", isGone, "mail is drained after the time for which the hub keeps it");
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
    context.expect(rule, state === "expired", `once its time is over, a ${type} that was never drained is ${state}`);
  if (type === "notify" || state !== "expired") return;
  const message = await readStored(context, id);
  const due = type === "ask" ? "cancelled" : "dismissed";
  const isEnded = message.status === due && isUndeliverable(message);
  const { inner } = outcomeOf(message);
  const why = `once its mail has expired, the ${type} is ${message.status} by ${inner.actor ?? "nobody"}`;
  context.expect("MA2H-BNC-013", isEnded, why);
}

const outcomesExpire: Scenario = {
  name: "outcomes-expire",
  says: "an outcome that its agent never fetched expires for its person, and one of an older message does not",
  rules: ["MA2H-TRK-009"],
  needs: ["clock", "track", "resolve"],
  withinMs: 120_000,
  async play(context) {
    const { ack, inbound, retention_days: own } = await readPublished(context);
    if (!isObject(ack) || ack.enabled !== true) throw new TargetSkip("the hub does not offer acknowledgments");
    const ofMail = isObject(inbound) ? inbound.retention_days : undefined;
    if (typeof own !== "number") throw new TargetSkip("the hub does not publish how long it keeps messages");
    const days = Math.max(own, typeof ofMail === "number" ? ofMail : 0);
    const [young, old] = [
      await submit(context, ask(context)),
      await submit(context, ask(context, { ahcp_version: "0.4" })),
    ];
    for (const { id } of [young, old]) await resolveMessage(context, id);
    await context.pass(days * dayMs + 60_000);
    const stateOf = async (id: string): Promise<unknown> => (await context.hook("track", { id })).state;
    const state = await stateOf(young.id);
    // The hook may know only directives.
    if (typeof state !== "string") context.skip("MA2H-TRK-009", "the hook shows nothing of the outcome", undefined);
    else context.expect("MA2H-TRK-009", state === "expired", `an outcome that was never fetched is ${state}`);
    const older = await stateOf(old.id);
    context.expect("MA2H-TRK-009", older !== "expired", "an outcome of a message of version 0.4 is expired");
  },
};

export const retention: readonly Scenario[] = [mailExpires, outcomesExpire];
