import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { isAccepted, outcomeOf, post, readStored, submit } from "../../ahcp/scenarios/steps.ts";
import {
  about,
  addressOf,
  bouncedTrack,
  close,
  drain,
  fromSession,
  isUndeliverable,
  messageTo,
  noClock,
  publishedInbox,
  register,
  resolveAs,
  sendTo,
  sessionOf,
  take,
  trackOf,
  waitUntil,
} from "./talk.ts";

const both = ["second-credential"] as const;

const bouncesAtClose: Scenario = {
  name: "bouncing-closed",
  says: "mail for a session that ends bounces: its sender sees how far it had come, and an ask or a task ends",
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
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    const send = async (type: "notify" | "ask" | "task", more?: JsonObject): Promise<string> =>
      sendTo(context, type, { session: session.id, ...(more === undefined ? {} : { more }) });
    const [seen, taken, answered] = [await send("notify"), await send("notify"), await send("ask")];
    await drain(context, "b", session.id);
    await take(context, "b", [taken], session.id);
    const isAnswered = isAccepted(await resolveAs(context, answered, { session: session.id }));
    const message = messageTo(context, "notify", addressOf(context, "b", session.id), {
      idempotency_key: context.fresh("key"),
    });
    const { id: unseen } = await submit(context, message);
    const key = { idempotency_key: context.fresh("key") };
    const again = messageTo(context, "ask", addressOf(context, "b", session.id), key);
    const { id: asked } = await submit(context, again);
    const tasked = await send("task");
    await close(context, session.id, "b");

    const lost = await bouncedTrack(context, unseen);
    const isLost = lost.state === "bounced" && lost.prior !== "delivered" && lost.delivered_at === undefined;
    context.expect("MA2H-BNC-001", isLost, `mail that was never drained is ${JSON.stringify(lost)}`);
    const had = await bouncedTrack(context, seen);
    const isHad = had.state === "bounced" && (had.prior === "delivered" || had.delivered_at !== undefined);
    context.expect("MA2H-BNC-002", isHad, `drained mail is ${JSON.stringify(had)}`);
    const isTold = had.prior === "delivered" && had.delivered_at !== undefined && lost.prior === "queued";
    context.expect("MA2H-TRK-011", isTold, "the track of bounced mail lacks prior or delivered_at", "SHOULD");
    const kept = await trackOf(context, taken);
    context.expect("MA2H-BNC-003", kept.state === "acknowledged", `acknowledged mail is ${kept.state}`);
    const { status } = await readStored(context, unseen);
    context.expect("MA2H-TRK-006", status === "bounced", `the status of a bounced notify is ${JSON.stringify(status)}`);
    await judgeEnding(context, asked, "cancelled");
    await judgeEnding(context, tasked, "dismissed");
    if (isAnswered) await judgeAnswered(context, answered);
    await judgeRepeated(context, message, "bounced");
    await judgeRepeated(context, again, "cancelled");
  },
};

async function judgeRepeated(context: ScenarioContext, message: JsonObject, due: string): Promise<void> {
  const reply = await post(context, message);
  const status = isAccepted(reply) && isObject(reply.json) ? reply.json.status : undefined;
  // A hub may ignore the idempotency key of a notify.
  if (status === undefined && message.type === "notify") return;
  context.expect("MA2H-IDM-017", status === due, `a repetition is told ${JSON.stringify(status)}, not ${due}`, reply);
}

/** Reads a message until it has ended, or its time to end is over. */
function readEnded(context: ScenarioContext, id: string): Promise<JsonObject> {
  return waitUntil(
    context,
    () => readStored(context, id),
    ({ status }) => status !== "open",
  );
}

async function judgeEnding(context: ScenarioContext, id: string, due: string): Promise<void> {
  const stored = await readEnded(context, id);
  const isDue = stored.status === due && isUndeliverable(stored);
  const { inner } = outcomeOf(stored);
  const why = `what cannot be delivered is ${JSON.stringify(stored.status)} by ${JSON.stringify(inner.actor)}`;
  context.expect("MA2H-BNC-006", isDue, why);
}

async function judgeAnswered(context: ScenarioContext, id: string): Promise<void> {
  const { state } = await bouncedTrack(context, id);
  const { status } = await readStored(context, id);
  context.expect("MA2H-BNC-007", status === "answered", `an answered ask is ${JSON.stringify(status)} after a bounce`);
  context.expect("MA2H-BNC-007", state === "bounced", `its mail that was not acknowledged is ${JSON.stringify(state)}`);
}

const sendsReceipts: Scenario = {
  name: "bouncing-receipts",
  says: "the live session that sent a message that bounced learns it by a correct receipt, once",
  rules: ["MA2H-BNC-011", "MA2H-ENT-008", "MA2H-ENT-009", "MA2H-INB-016"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, gone, session] = [await register(context), await register(context), await register(context, "b")];
    const id = await sendTo(context, "ask", { session: session.id, from: sender.id });
    const orphan = await sendTo(context, "ask", { session: session.id, from: gone.id });
    await close(context, gone.id);
    await close(context, session.id, "b");
    await bouncedTrack(context, id);
    await bouncedTrack(context, orphan);
    const bare = await drain(context, "a");
    const found = await drain(context, "a", sender.id);
    const entries = about(found, id);
    const receipt = entries.find(({ kind }) => kind === "receipt");
    context.expect("MA2H-BNC-011", receipt !== undefined, "the session that sent it gets no receipt", "SHOULD");
    const strange = about(bare, orphan).filter(({ kind }) => kind === "receipt");
    context.expect("MA2H-ENT-009", strange.length === 0, "a drain without session brings the receipt of an ended one");
    if (receipt === undefined) {
      for (const rule of ["MA2H-ENT-008", "MA2H-INB-016"])
        context.skip(rule, "the session that sent it gets no receipt");
      return;
    }
    const { payload } = receipt;
    const { prior } = await trackOf(context, id);
    const wrong = Object.entries({
      event: "bounced",
      in_reply_to: id,
      session: session.id,
      to: addressOf(context, "a", sender.id),
      ...(prior === undefined ? {} : { prior }),
    }).filter(([name, value]) => payload[name] !== value);
    context.expect(
      "MA2H-ENT-008",
      wrong.length === 0,
      `the receipt has another ${wrong.map(([name]) => name).join(", ")}`,
    );
    const { closed_at: at } = await sessionOf(context, session.id, "b");
    const isNear = Math.abs(Date.parse(String(payload.at)) - Date.parse(String(at))) <= 10_000;
    context.expect(
      "MA2H-ENT-008",
      at === undefined || isNear,
      `it bounced at ${payload.at}, and the session ended at ${at}`,
    );
    await take(context, "a", [receipt.key], sender.id);
    const response = entries.find(({ kind }) => kind === "response");
    if (response === undefined) return context.skip("MA2H-INB-016", "the outcome does not come with the receipt");
    if (!context.has("clock")) return context.skip("MA2H-INB-016", noClock);
    const { visibility_timeout_seconds: hidden } = await publishedInbox(context);
    await context.pass((typeof hidden === "number" ? hidden : 60) * 1000 + 2000);
    const left = about(await drain(context, "a", sender.id), id).map(({ kind }) => kind);
    context.expect(
      "MA2H-INB-016",
      left.join() === "response",
      `once the receipt is acknowledged, ${left.join(" and ") || "nothing"} is left`,
    );
  },
};

const bouncesAtLapse: Scenario = {
  name: "bouncing-lapsed",
  says: "mail bounces with a lease as with a close, and the earlier of lease and deadline counts",
  rules: ["MA2H-BNC-004", "MA2H-BNC-008", "MA2H-TRK-004", "MA2H-TRK-005"],
  needs: [...both, "clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const now = await context.now();
    const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
    const [short, long] = [
      await register(context, "b", { ttl_seconds: 60 }),
      await register(context, "b", { ttl_seconds: 600 }),
    ];
    const lease = (Date.parse(String(short.shown.expires_at)) - now) / 1000;
    const rest = (Date.parse(String(long.shown.expires_at)) - now) / 1000;
    const first = await sendTo(context, "ask", { session: short.id, more: { expires_at: at(lease + 60) } });
    const second = await sendTo(context, "ask", {
      session: long.id,
      more: { expires_at: at(Math.min(lease, rest / 2)) },
    });
    const third = await sendTo(context, "ask", { more: { expires_at: at(lease + 30) } });
    await context.pass((lease + 15) * 1000);
    await bouncedTrack(context, first);
    const lost = await readStored(context, first);
    const why = `with its lease over, an ask is ${JSON.stringify(lost.status)}`;
    context.expect("MA2H-BNC-004", stateIn(lost) === "bounced", `with its lease over, mail is ${stateIn(lost)}`);
    context.expect("MA2H-BNC-008", lost.status === "cancelled", why);
    const late = await readEnded(context, second);
    const isExpired = late.status === "expired" && stateIn(late) === "expired";
    context.expect(
      "MA2H-BNC-008",
      rest <= lease || isExpired,
      `past its deadline it is ${late.status}, and ${stateIn(late)}`,
    );
    const { delivered_at: seen, prior } = isObject(late.mailbox) ? late.mailbox : {};
    const isBare = stateIn(late) === "expired" && seen === undefined && prior === undefined;
    context.expect("MA2H-TRK-004", isBare, `mail that was not drained in time is ${JSON.stringify(late.mailbox)}`);
    const fresh = await register(context, "b", { ttl_seconds: 600 });
    const hasCome = about(await drain(context, "b", fresh.id), third).length > 0;
    await context.pass(60_000);
    const { status, mailbox } = await readEnded(context, third);
    if (!hasCome) return context.skip("MA2H-TRK-005", "the message was not drained in time");
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
  says: "only a drain that brings a message moves its track",
  rules: ["MA2H-TRK-003"],
  needs: both,
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

export const bouncing: readonly Scenario[] = [bouncesAtClose, sendsReceipts, trackStaysQueued, bouncesAtLapse];
