import {
  type Callback,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { judgeDue, submitDue } from "../../ahcp/scenarios/due-messages.ts";
import { bodyOf, pushTo, submitPush } from "../../ahcp/scenarios/pushes.ts";
import { readStored, submit } from "../../ahcp/scenarios/steps.ts";
import {
  about,
  addressOf,
  close,
  type DrainedEntry,
  drain,
  draining,
  drainOnce,
  fromSession,
  isSame,
  messageTo,
  noClock,
  passWindow,
  publishedInbox,
  register,
  resolveAs,
  sendTo,
  take,
  trackOf,
  waitUntil,
} from "./talk.ts";

const both = ["second-credential"] as const;

/** Acknowledges the mail that earlier scenarios left. */
async function emptyMailbox(context: ScenarioContext, session: string): Promise<void> {
  if (context.has("clock")) await passWindow(context);
  for (let left = 20; left > 0; left--) {
    const found = await drain(context, "b", session);
    if (found.length === 0) return;
    await take(
      context,
      "b",
      found.map(({ key }) => key),
      session,
    );
  }
}

const deliversMail: Scenario = {
  name: "mailbox-delivering",
  says: "a message to an agent is in its mailbox as it was sent, with the true sender, until it is acknowledged",
  rules: [
    "MA2H-ACK-003",
    "MA2H-ACK-006",
    "MA2H-ACK-009",
    "MA2H-ENT-002",
    "MA2H-ENT-003",
    "MA2H-ENT-004",
    "MA2H-INB-005",
    "MA2H-TRK-002",
  ],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, session] = [await register(context), await register(context, "b")];
    for (const type of ["notify", "ask", "task"] as const) {
      const key = context.fresh("key");
      const more = { idempotency_key: key, from: "agent:boss", state: { secret: 1 }, client_ref: "mine" };
      const message = fromSession(messageTo(context, type, addressOf(context, "b", session.id), more), sender.id);
      const { id, reply } = await submit(context, message);
      judgeAck(context, type, reply.json);
      context.expect("MA2H-ACK-009", /^msg_./.test(id), `the id "${id}" does not begin with msg_`, reply);
      judgeTrack(context, "queued", await trackOf(context, id));
      const [entry] = about(await drain(context, "b", session.id), id);
      if (entry === undefined) continue;
      judgeEntry(context, entry, message, addressOf(context, "a", sender.id));
      judgeTrack(context, "delivered", await trackOf(context, id));
      await take(context, "b", [entry.key], session.id);
      judgeTrack(context, "acknowledged", await trackOf(context, id));
    }
    const { id } = await submit(context, messageTo(context, "notify", addressOf(context, "b", session.id)));
    const [entry] = about(await drain(context, "b", session.id), id);
    const plain = addressOf(context, "a");
    const why = `without a session it is from ${JSON.stringify(entry?.payload.from)}, not ${plain}`;
    context.expect("MA2H-ENT-002", entry === undefined || entry.payload.from === plain, why);
    if (entry === undefined) return;
    await take(context, "b", [entry.key]);
    if (!context.has("clock")) return context.skip("MA2H-INB-005", noClock);
    await passWindow(context);
    const again = about(await drain(context, "b", session.id), id);
    context.expect("MA2H-INB-005", again.length === 0, "an acknowledged entry comes again");
  },
};

function judgeAck(context: ScenarioContext, type: string, ack: unknown): void {
  const { status, destination } = isObject(ack as JsonObject) ? (ack as JsonObject) : {};
  const due = type === "notify" ? "queued" : "open";
  context.expect("MA2H-ACK-003", status === due, `an addressed ${type} is acknowledged as ${JSON.stringify(status)}`);
  context.expect(
    "MA2H-ACK-006",
    isObject(destination),
    `the acknowledgement of an addressed ${type} has no destination`,
  );
}

function judgeTrack(context: ScenarioContext, state: string, track: JsonObject): void {
  const { state: found, delivered_at: at, acknowledged_at: taken } = track;
  const isTimed = (state === "queued") === (at === undefined) && (state === "acknowledged") === (taken !== undefined);
  const why = `the mailbox is ${JSON.stringify(track)}, and should be ${state}`;
  context.expect("MA2H-TRK-002", found === state && isTimed, why);
}

const changedMembers = ["from", "state", "client_ref", "request", "action"];

function judgeEntry(context: ScenarioContext, { payload }: DrainedEntry, message: JsonObject, from: string): void {
  context.expect("MA2H-ENT-002", payload.from === from, `it is from ${JSON.stringify(payload.from)}, not ${from}`);
  const left = ["state", "client_ref"].filter((name) => Object.hasOwn(payload, name));
  context.expect("MA2H-ENT-003", left.length === 0, `the entry has the sender's ${left.join(" and ")}`);
  const lost = Object.keys(message).filter(
    (name) => !changedMembers.includes(name) && !isSame(payload[name], message[name]),
  );
  context.expect("MA2H-ENT-004", lost.length === 0, `the entry has another ${lost.join(", ")} than was sent`);
}

const hidesCallbacks: Scenario = {
  name: "mailbox-callbacks",
  says: "an addressee does not learn where the outcome goes, and it goes there under one id",
  rules: ["MA2H-BNC-009", "MA2H-ENT-003", "MA2H-ENT-007"],
  needs: [...both, "receiver", "development"],
  withinMs: 500_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, session] = [await register(context), await register(context, "b")];
    const submitWithCallback = async (): Promise<PushedAsk> => {
      const callback = await context.callback([{ status: 200 }]);
      const message = messageTo(context, "ask", addressOf(context, "b", session.id));
      const members = context.has("secret")
        ? await pushTo(context, callback.url)
        : { callback: { mode: "push", url: callback.url } };
      const request = { ...(message.request as JsonObject), ...members };
      const { id } = await submitPush(context, fromSession({ ...message, request }, sender.id));
      return { id, callback };
    };
    const answered = await submitWithCallback();
    const [entry] = about(await drain(context, "b", session.id), answered.id);
    const text = JSON.stringify(entry?.payload ?? {});
    context.expect("MA2H-ENT-003", !text.includes('"callback"'), "the entry has the sender's callback");
    if (!context.has("secret")) {
      // A hub need not push to a callback without a scheme.
      for (const rule of ["MA2H-ENT-007", "MA2H-BNC-009"]) context.skip(rule, 'needs the hook "secret"');
      return;
    }
    const { json } = await resolveAs(context, answered.id, { session: session.id });
    await judgeOneId(context, "MA2H-ENT-007", answered, [isObject(json) ? json.resolution_id : undefined, sender.id]);
    const bounced = await submitWithCallback();
    await close(context, session.id, "b");
    await judgeOneId(context, "MA2H-BNC-009", bounced, [undefined, sender.id]);
  },
};

/** An ask with its outcome pushed to a callback. */
interface PushedAsk {
  id: string;
  callback: Callback;
}

/** Judges that an outcome has the same id everywhere. The tuple is the id in the resolver's answer, if any, and the sender's session. */
async function judgeOneId(
  context: ScenarioContext,
  rule: string,
  { id, callback }: PushedAsk,
  [resolvedId, session]: readonly [unknown, string],
): Promise<void> {
  const { status, response } = await waitUntil(
    context,
    () => readStored(context, id),
    (stored) => stored.status !== "open",
  );
  const read = isObject(response) ? response.resolution_id : undefined;
  if (!judgeDue(context, rule, await submitDue(context, callback), `the outcome of an ask (${status}) is not pushed`))
    return;
  const entry = about(await drain(context, "a", session), id).find(({ kind }) => kind === "response");
  const pushed = bodyOf(callback.arrivals[0]).resolution_id;
  const ids = [read, entry?.key, pushed, ...(resolvedId === undefined ? [] : [resolvedId])];
  context.expect(rule, new Set(ids).size === 1, `read, entry, push and resolve have the ids ${ids.join(", ")}`);
}

const hidesClaimedEntries: Scenario = {
  name: "mailbox-claiming",
  says: "a claimed entry is hidden for a while and comes again, signed anew, until it is acknowledged",
  rules: ["MA2H-INB-003", "MA2H-INB-004", "MA2H-INB-013", "MA2H-INB-014", "MA2H-BNC-005"],
  needs: [...both, "clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [one, other] = [
      await register(context, "b", { ttl_seconds: 600 }),
      await register(context, "b", { ttl_seconds: 600 }),
    ];
    const id = await sendTo(context, "ask");
    const rivals = await Promise.all([one, other].map((session) => drain(context, "b", session.id)));
    const winners = rivals.filter((entries) => about(entries, id).length > 0);
    context.expect("MA2H-INB-013", winners.length === 1, `${winners.length} of two sessions at once get an entry`);
    const [first] = winners.flatMap((entries) => about(entries, id));
    const hiding = about(await drain(context, "b", one.id), id);
    context.expect("MA2H-INB-003", hiding.length === 0, "a claimed entry comes again at once");
    await passWindow(context);
    const [second] = about(await drain(context, "b", one.id), id);
    context.expect("MA2H-INB-003", second !== undefined, "an entry that was not acknowledged does not come again");
    const isFresh = nonceOf(first) !== nonceOf(second);
    context.expect("MA2H-INB-004", second === undefined || isFresh, "the second delivery has the nonce of the first");
    await close(context, one.id, "b");
    await passWindow(context);
    const [rescued] = about(await drain(context, "b", other.id), id);
    context.expect(
      "MA2H-INB-014",
      rescued !== undefined,
      "mail that a closed session had claimed does not come to another",
    );
    const { state } = await trackOf(context, id);
    context.expect("MA2H-BNC-005", state === "delivered", `mail for the agent is ${state} after a session's end`);
    await take(context, "b", [id], other.id);
  },
};

function nonceOf(entry: DrainedEntry | undefined): string | undefined {
  return /jti=([^,]*)/.exec(entry?.signature ?? "")?.[1];
}

const selectsEntries: Scenario = {
  name: "mailbox-selecting",
  says: "a drain brings the mail of its agent and its session, and nothing of other agents or sessions",
  rules: ["MA2H-INB-002", "MA2H-INB-010", "MA2H-INB-011", "MA2H-INB-012"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [mine, one, other] = [await register(context), await register(context, "b"), await register(context, "b")];
    const toAgent = await sendTo(context, "notify");
    const toSession = await sendTo(context, "notify", { session: one.id });
    const agent = context.agents.b ?? "";
    for (const query of [{}, { agent }, { agent_id: agent }]) {
      const found = await drainOnce(context, "a", mine.id, query);
      const strange = [toAgent, toSession].flatMap((id) => about(found, id));
      context.expect("MA2H-INB-002", strange.length === 0, "an agent drains the mailbox of another");
    }
    const bare = await drain(context, "b");
    const young = bare.filter(({ kind }) => kind !== "directive");
    context.expect("MA2H-INB-010", young.length === 0, `a drain without session brings a ${young[0]?.kind}`);
    const first = await drain(context, "b", other.id);
    const wrong = about(first, toSession);
    context.expect("MA2H-INB-012", wrong.length === 0, "another session drains the mail of one");
    // The other session may have claimed the agent's mail, which hides it from this session.
    if (context.has("clock")) await passWindow(context);
    const right = await drain(context, "b", one.id);
    const claimed = context.has("clock") ? right : [...right, ...first, ...bare];
    const missing = [toAgent, toSession].filter((id) => about(id === toAgent ? claimed : right, id).length === 0);
    context.expect("MA2H-INB-011", missing.length === 0, `a drain by the session lacks ${missing.join(", ")}`);
    await take(context, "b", [toAgent, toSession], one.id);
  },
};

const keepsOrder: Scenario = {
  name: "mailbox-order",
  says: "entries come in the order of their sending, in batches of the size that was asked for",
  rules: ["MA2H-INB-007", "MA2H-INB-008"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    await emptyMailbox(context, session.id);
    const sent: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) sent.push(await sendTo(context, "notify", { session: session.id }));
    const got: string[] = [];
    const batches: string[][] = [];
    for (const _ of [2, 2, 1]) {
      const batch = (await drainOnce(context, "b", session.id, { max: "2" })).map(({ key }) => key);
      batches.push(batch);
      got.push(...batch);
    }
    const sizes = batches.map(({ length }) => length).join(", ");
    const { max_batch: most } = await publishedInbox(context);
    // Mail that an earlier scenario claimed may come back at any time.
    const isOurs = got.every((key) => sent.includes(key)) && !(typeof most === "number" && most < 2);
    const isRight = isOurs ? sizes === "2, 2, 1" : batches.every(({ length }) => length <= 2);
    context.expect("MA2H-INB-008", isRight, `three drains of five entries with max=2 bring ${sizes}`);
    const isOrdered = got.length !== sent.length || got.join() === sent.join();
    context.expect("MA2H-INB-007", isOrdered, "the entries come in another order than they were sent");
    await take(context, "b", sent, session.id);
  },
};

const holdsDrain: Scenario = {
  name: "mailbox-waiting",
  says: "a drain may wait for mail, and ends without it when the time is up",
  rules: ["MA2H-INB-009"],
  needs: both,
  withinMs: 60_000,
  waits: 4000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    await emptyMailbox(context, session.id);
    const started = Date.now();
    const quiet = await draining(context, "b", session.id, { wait: "1" });
    const isHeld = quiet.status === 200 && Date.now() - started >= 900;
    context.expect(
      "MA2H-INB-009",
      isHeld,
      `a drain with wait=1 comes after ${Date.now() - started} ms`,
      "SHOULD",
      quiet,
    );
    const sendLater = async (): Promise<string> => {
      await context.wait(500);
      return sendTo(context, "notify", { session: session.id });
    };
    const drained = drainOnce(context, "b", session.id, { wait: "20" });
    const [entries, id] = await Promise.all([drained, sendLater()]);
    const found = about(entries, id);
    context.expect("MA2H-INB-009", found.length === 1, "a drain that waits does not get the mail that comes", "SHOULD");
    await take(context, "b", [id], session.id);
  },
};

export const mailboxes: readonly Scenario[] = [
  deliversMail,
  hidesCallbacks,
  selectsEntries,
  keepsOrder,
  holdsDrain,
  hidesClaimedEntries,
];
