import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { isAccepted, outcomeOf, post, readStored, submit } from "../../ahcp/scenarios/steps.ts";
import {
  acknowledgeEntries,
  addressOf,
  bouncedTrack,
  close,
  drain,
  entriesAbout,
  fromSession,
  isUndeliverable,
  messageTo,
  noClock,
  publishedInbox,
  register,
  resolveAs,
  sendTo,
  sessionOf,
  trackOf,
  waitUntil,
} from "./talk.ts";

const twoAgents = ["second-credential"] as const;

const bouncesAtClose: Scenario = {
  name: "bouncing-closed",
  says: "mail for a session that ends bounces: its sender sees whether it was delivered, and an ask or a task ends",
  rules: [
    "MA2H-BNC-001",
    "MA2H-BNC-002",
    "MA2H-BNC-003",
    "MA2H-BNC-006",
    "MA2H-BNC-007",
    "MA2H-TRK-006",
    "MA2H-TRK-011",
    "MA2H-IDM-017",
  ],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    const send = async (type: "notify" | "ask" | "task", more?: JsonObject): Promise<string> =>
      sendTo(context, type, { session: session.id, ...(more === undefined ? {} : { more }) });
    const [drainedId, acknowledgedId] = [await send("notify"), await send("notify")];
    const answeredId = await send("ask");
    await drain(context, "b", session.id);
    await acknowledgeEntries(context, "b", [acknowledgedId], session.id);
    const isAnswered = isAccepted(await resolveAs(context, answeredId, { session: session.id }));
    const notifyKey = { idempotency_key: context.fresh("key") };
    const notify = messageTo(context, "notify", addressOf(context, "b", session.id), notifyKey);
    const { id: queuedId } = await submit(context, notify);
    const askKey = { idempotency_key: context.fresh("key") };
    const ask = messageTo(context, "ask", addressOf(context, "b", session.id), askKey);
    const { id: askId } = await submit(context, ask);
    const taskId = await send("task");
    await close(context, session.id, "b");

    const queued = await bouncedTrack(context, queuedId);
    const hasQueuedBounced =
      queued.state === "bounced" && queued.prior !== "delivered" && queued.delivered_at === undefined;
    context.expect("MA2H-BNC-001", hasQueuedBounced, `mail that was never drained is ${JSON.stringify(queued)}`);
    const drained = await bouncedTrack(context, drainedId);
    const wasDelivered = drained.prior === "delivered" || drained.delivered_at !== undefined;
    const hasDrainedBounced = drained.state === "bounced" && wasDelivered;
    context.expect("MA2H-BNC-002", hasDrainedBounced, `drained mail is ${JSON.stringify(drained)}`);
    const isComplete = drained.prior === "delivered" && drained.delivered_at !== undefined && queued.prior === "queued";
    context.expect("MA2H-TRK-011", isComplete, "the track of bounced mail lacks prior or delivered_at", "SHOULD");
    const acknowledged = await trackOf(context, acknowledgedId);
    const whyBounced = `acknowledged mail is ${acknowledged.state}`;
    context.expect("MA2H-BNC-003", acknowledged.state === "acknowledged", whyBounced);
    const { status } = await readStored(context, queuedId);
    context.expect("MA2H-TRK-006", status === "bounced", `the status of a bounced notify is ${JSON.stringify(status)}`);
    await judgeEnding(context, askId, "cancelled");
    await judgeEnding(context, taskId, "dismissed");
    if (isAnswered) await judgeAnswered(context, answeredId);
    await judgeRepeated(context, notify, "bounced");
    await judgeRepeated(context, ask, "cancelled");
  },
};

async function judgeRepeated(context: ScenarioContext, message: JsonObject, expected: string): Promise<void> {
  const reply = await post(context, message);
  const status = isAccepted(reply) && isObject(reply.json) ? reply.json.status : undefined;
  // A hub may ignore the idempotency key of a notify.
  if (status === undefined && message.type === "notify") return;
  const why = `the status in the answer to a repetition is ${JSON.stringify(status)}, not ${expected}`;
  context.expect("MA2H-IDM-017", status === expected, why, reply);
}

/** Reads a message until it has ended, but not longer than a hub may need. */
function readEnded(context: ScenarioContext, id: string): Promise<JsonObject> {
  return waitUntil(
    context,
    () => readStored(context, id),
    ({ status }) => status !== "open",
  );
}

async function judgeEnding(context: ScenarioContext, id: string, expected: string): Promise<void> {
  const stored = await readEnded(context, id);
  const isExpected = stored.status === expected && isUndeliverable(stored);
  const { inner } = outcomeOf(stored);
  const why = `an undeliverable message is ${JSON.stringify(stored.status)} by ${JSON.stringify(inner.actor)}`;
  context.expect("MA2H-BNC-006", isExpected, why);
}

async function judgeAnswered(context: ScenarioContext, id: string): Promise<void> {
  const { state } = await bouncedTrack(context, id);
  const { status } = await readStored(context, id);
  context.expect("MA2H-BNC-007", status === "answered", `an answered ask is ${JSON.stringify(status)} after a bounce`);
  context.expect("MA2H-BNC-007", state === "bounced", `its mail that was not acknowledged is ${JSON.stringify(state)}`);
}

const sendsReceipts: Scenario = {
  name: "bouncing-receipts",
  says: "a live session gets one correct receipt for each of its messages that bounces",
  rules: ["MA2H-BNC-011", "MA2H-ENT-008", "MA2H-ENT-009", "MA2H-INB-016"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, endedSender] = [await register(context), await register(context)];
    const session = await register(context, "b");
    const id = await sendTo(context, "ask", { session: session.id, from: sender.id });
    const orphanId = await sendTo(context, "ask", { session: session.id, from: endedSender.id });
    await close(context, endedSender.id);
    await close(context, session.id, "b");
    await bouncedTrack(context, id);
    await bouncedTrack(context, orphanId);
    const drainedWithoutSession = await drain(context, "a");
    const entries = entriesAbout(await drain(context, "a", sender.id), id);
    const receipt = entries.find(({ kind }) => kind === "receipt");
    context.expect("MA2H-BNC-011", receipt !== undefined, "the session that sent it gets no receipt", "SHOULD");
    const orphanReceipts = entriesAbout(drainedWithoutSession, orphanId).filter(({ kind }) => kind === "receipt");
    const whyOrphan = "a drain without a session returns the receipt for an ended session";
    context.expect("MA2H-ENT-009", orphanReceipts.length === 0, whyOrphan);
    if (receipt === undefined) {
      for (const rule of ["MA2H-ENT-008", "MA2H-INB-016"])
        context.skip(rule, "the session that sent it gets no receipt");
      return;
    }
    const { payload } = receipt;
    const { prior } = await trackOf(context, id);
    const wrongMembers = Object.entries({
      event: "bounced",
      in_reply_to: id,
      session: session.id,
      to: addressOf(context, "a", sender.id),
      ...(prior === undefined ? {} : { prior }),
    }).filter(([name, value]) => payload[name] !== value);
    const wrongNames = wrongMembers.map(([name]) => name).join(", ");
    context.expect("MA2H-ENT-008", wrongMembers.length === 0, `the receipt has a wrong ${wrongNames}`);
    const { closed_at: closedAt } = await sessionOf(context, session.id, "b");
    const isNear = Math.abs(Date.parse(String(payload.at)) - Date.parse(String(closedAt))) <= 10_000;
    const whyTime = `it bounced at ${payload.at}, and the session ended at ${closedAt}`;
    context.expect("MA2H-ENT-008", closedAt === undefined || isNear, whyTime);
    await acknowledgeEntries(context, "a", [receipt.key], sender.id);
    const response = entries.find(({ kind }) => kind === "response");
    if (response === undefined) return context.skip("MA2H-INB-016", "the outcome does not arrive with the receipt");
    if (!context.has("clock")) return context.skip("MA2H-INB-016", noClock);
    const { visibility_timeout_seconds: hiddenSeconds } = await publishedInbox(context);
    await context.pass((typeof hiddenSeconds === "number" ? hiddenSeconds : 60) * 1000 + 2000);
    const remaining = entriesAbout(await drain(context, "a", sender.id), id).map(({ kind }) => kind);
    const whyRemaining = `after the receipt is acknowledged, ${remaining.join(" and ") || "nothing"} remains`;
    context.expect("MA2H-INB-016", remaining.join() === "response", whyRemaining);
  },
};

const bouncesAtLeaseEnd: Scenario = {
  name: "bouncing-lapsed",
  says: "mail bounces at the end of a lease as at a close, and the earlier of lease and deadline counts",
  rules: ["MA2H-BNC-004", "MA2H-BNC-008", "MA2H-TRK-004", "MA2H-TRK-005"],
  needs: [...twoAgents, "clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const now = await context.now();
    const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
    const [shortSession, longSession] = [
      await register(context, "b", { ttl_seconds: 60 }),
      await register(context, "b", { ttl_seconds: 600 }),
    ];
    const shortLease = (Date.parse(String(shortSession.shown.expires_at)) - now) / 1000;
    const longLease = (Date.parse(String(longSession.shown.expires_at)) - now) / 1000;
    const leaseFirstId = await sendTo(context, "ask", {
      session: shortSession.id,
      more: { expires_at: at(shortLease + 60) },
    });
    const deadlineFirstId = await sendTo(context, "ask", {
      session: longSession.id,
      more: { expires_at: at(Math.min(shortLease, longLease / 2)) },
    });
    const agentMailId = await sendTo(context, "ask", { more: { expires_at: at(shortLease + 30) } });
    await context.pass((shortLease + 15) * 1000);
    await bouncedTrack(context, leaseFirstId);
    const bounced = await readStored(context, leaseFirstId);
    const whyLease = `after the end of its lease, an ask is ${JSON.stringify(bounced.status)}`;
    const whyMail = `after the end of its lease, mail is ${stateIn(bounced)}`;
    context.expect("MA2H-BNC-004", stateIn(bounced) === "bounced", whyMail);
    context.expect("MA2H-BNC-008", bounced.status === "cancelled", whyLease);
    const expired = await readEnded(context, deadlineFirstId);
    const isExpired = expired.status === "expired" && stateIn(expired) === "expired";
    const whyDeadline = `past its deadline it is ${expired.status}, and ${stateIn(expired)}`;
    context.expect("MA2H-BNC-008", longLease <= shortLease || isExpired, whyDeadline);
    const { delivered_at: deliveredAt, prior } = isObject(expired.mailbox) ? expired.mailbox : {};
    const wasNeverDrained = stateIn(expired) === "expired" && deliveredAt === undefined && prior === undefined;
    const whyTrack = `mail that was not drained in time is ${JSON.stringify(expired.mailbox)}`;
    context.expect("MA2H-TRK-004", wasNeverDrained, whyTrack);
    const freshSession = await register(context, "b", { ttl_seconds: 600 });
    const hasArrived = entriesAbout(await drain(context, "b", freshSession.id), agentMailId).length > 0;
    await context.pass(60_000);
    const { status, mailbox } = await readEnded(context, agentMailId);
    if (!hasArrived) return context.skip("MA2H-TRK-005", "the message was not drained in time");
    const { state } = isObject(mailbox) ? mailbox : {};
    context.expect(
      "MA2H-TRK-005",
      status === "expired" && state !== "expired",
      `drained in time, its mailbox is ${state}`,
    );
  },
};

function stateIn({ mailbox }: JsonObject): unknown {
  return isObject(mailbox) ? mailbox.state : undefined;
}

const trackStaysQueued: Scenario = {
  name: "mailbox-track",
  says: "the track of a message changes only when a drain returns the message",
  rules: ["MA2H-TRK-003"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    const message = fromSession(messageTo(context, "notify", addressOf(context, "b", session.id)), undefined);
    const { id } = await submit(context, message);
    await trackOf(context, id);
    await drain(context, "b");
    await register(context, "b");
    if (context.has("clock")) await context.pass(2000);
    const { state } = await trackOf(context, id);
    context.expect("MA2H-TRK-003", state === "queued", `a message that was not drained is ${state}`);
  },
};

export const bouncing: readonly Scenario[] = [bouncesAtClose, sendsReceipts, trackStaysQueued, bouncesAtLeaseEnd];
