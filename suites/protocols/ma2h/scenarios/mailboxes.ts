import {
  type Callback,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { awaitDuePush, judgeDue } from "../../ahcp/scenarios/due-messages.ts";
import { bodyOf, pushRequestMembers, submitPush } from "../../ahcp/scenarios/pushes.ts";
import { readStored, submit } from "../../ahcp/scenarios/steps.ts";
import {
  acknowledgeEntries,
  addressOf,
  close,
  type DrainedEntry,
  drain,
  drainOnce,
  entriesAbout,
  fromSession,
  isSameJson,
  messageTo,
  noClock,
  passWindow,
  publishedInbox,
  register,
  requestDrain,
  resolveAs,
  sendTo,
  trackOf,
  waitUntil,
} from "./talk.ts";

const twoAgents = ["second-credential"] as const;

/** How many drains may be needed to empty a mailbox. */
const maxDrains = 20;

/** Acknowledges the mail that earlier scenarios left behind. */
async function emptyMailbox(context: ScenarioContext, session: string): Promise<void> {
  if (context.has("clock")) await passWindow(context);
  for (let drains = 0; drains < maxDrains; drains++) {
    const keys = (await drain(context, "b", session)).map(({ key }) => key);
    if (keys.length === 0) return;
    await acknowledgeEntries(context, "b", keys, session);
  }
}

const deliversMail: Scenario = {
  name: "mailbox-delivering",
  says: "a message to an agent stays in its mailbox as it was sent, with the true sender, until it is acknowledged",
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
  needs: twoAgents,
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
      const [entry] = entriesAbout(await drain(context, "b", session.id), id);
      if (entry === undefined) continue;
      judgeEntry(context, entry, message, addressOf(context, "a", sender.id));
      judgeTrack(context, "delivered", await trackOf(context, id));
      await acknowledgeEntries(context, "b", [entry.key], session.id);
      judgeTrack(context, "acknowledged", await trackOf(context, id));
    }
    const { id } = await submit(context, messageTo(context, "notify", addressOf(context, "b", session.id)));
    const [entry] = entriesAbout(await drain(context, "b", session.id), id);
    const sessionless = addressOf(context, "a");
    const why = `without a session it is from ${JSON.stringify(entry?.payload.from)}, not ${sessionless}`;
    context.expect("MA2H-ENT-002", entry === undefined || entry.payload.from === sessionless, why);
    if (entry === undefined) return;
    await acknowledgeEntries(context, "b", [entry.key]);
    if (!context.has("clock")) return context.skip("MA2H-INB-005", noClock);
    await passWindow(context);
    const isGone = entriesAbout(await drain(context, "b", session.id), id).length === 0;
    context.expect("MA2H-INB-005", isGone, "an acknowledged entry is delivered again");
  },
};

function judgeAck(context: ScenarioContext, type: string, ack: unknown): void {
  const { status, destination } = isObject(ack as JsonObject) ? (ack as JsonObject) : {};
  const expectedStatus = type === "notify" ? "queued" : "open";
  context.expect(
    "MA2H-ACK-003",
    status === expectedStatus,
    `an addressed ${type} is acknowledged as ${JSON.stringify(status)}`,
  );
  context.expect(
    "MA2H-ACK-006",
    isObject(destination),
    `the acknowledgement of an addressed ${type} has no destination`,
  );
}

function judgeTrack(context: ScenarioContext, state: string, track: JsonObject): void {
  const { delivered_at: deliveredAt, acknowledged_at: acknowledgedAt } = track;
  const isDeliveryRight = (state !== "queued") === (deliveredAt !== undefined);
  const isAckRight = (state === "acknowledged") === (acknowledgedAt !== undefined);
  const why = `the mailbox is ${JSON.stringify(track)}, and should be ${state}`;
  context.expect("MA2H-TRK-002", track.state === state && isDeliveryRight && isAckRight, why);
}

/** The members of a message that a hub changes or omits in its entry. */
const changedMembers = ["from", "state", "client_ref", "request", "action"];

function judgeEntry(context: ScenarioContext, { payload }: DrainedEntry, message: JsonObject, from: string): void {
  context.expect("MA2H-ENT-002", payload.from === from, `it is from ${JSON.stringify(payload.from)}, not ${from}`);
  const leakedNames = ["state", "client_ref"].filter((name) => Object.hasOwn(payload, name));
  context.expect("MA2H-ENT-003", leakedNames.length === 0, `the entry has the sender's ${leakedNames.join(" and ")}`);
  const differingNames = Object.keys(message).filter(
    (name) => !changedMembers.includes(name) && !isSameJson(payload[name], message[name]),
  );
  const why = `the entry has a different ${differingNames.join(", ")} than was sent`;
  context.expect("MA2H-ENT-004", differingNames.length === 0, why);
}

const hidesCallbacks: Scenario = {
  name: "mailbox-callbacks",
  says: "an addressee does not learn the callback of a message, and the outcome has the same id everywhere",
  rules: ["MA2H-BNC-009", "MA2H-ENT-003", "MA2H-ENT-007"],
  needs: [...twoAgents, "receiver", "development"],
  withinMs: 500_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, session] = [await register(context), await register(context, "b")];
    const submitWithCallback = async (): Promise<PushedAsk> => {
      const callback = await context.callback([{ status: 200 }]);
      const message = messageTo(context, "ask", addressOf(context, "b", session.id));
      const members = context.has("secret")
        ? await pushRequestMembers(context, callback.url)
        : { callback: { mode: "push", url: callback.url } };
      const request = { ...(message.request as JsonObject), ...members };
      const { id } = await submitPush(context, fromSession({ ...message, request }, sender.id));
      return { id, callback };
    };
    const answered = await submitWithCallback();
    const [entry] = entriesAbout(await drain(context, "b", session.id), answered.id);
    const text = JSON.stringify(entry?.payload ?? {});
    context.expect("MA2H-ENT-003", !text.includes('"callback"'), "the entry has the sender's callback");
    if (!context.has("secret")) {
      // A hub need not push to a callback that is not authenticated.
      for (const rule of ["MA2H-ENT-007", "MA2H-BNC-009"]) context.skip(rule, 'needs the hook "secret"');
      return;
    }
    const { json } = await resolveAs(context, answered.id, { session: session.id });
    const resolvedId = isObject(json) ? json.resolution_id : undefined;
    await judgeOneId(context, "MA2H-ENT-007", answered, { resolvedId, session: sender.id });
    const bounced = await submitWithCallback();
    await close(context, session.id, "b");
    await judgeOneId(context, "MA2H-BNC-009", bounced, { session: sender.id });
  },
};

/** An ask with a callback. */
interface PushedAsk {
  id: string;
  callback: Callback;
}

/** Judges that a read, an entry, a push and the resolver's answer (if there is one) name the same id of an outcome. */
async function judgeOneId(
  context: ScenarioContext,
  rule: string,
  { id, callback }: PushedAsk,
  { resolvedId, session }: { resolvedId?: unknown; session: string },
): Promise<void> {
  const { status, response } = await waitUntil(
    context,
    () => readStored(context, id),
    (stored) => stored.status !== "open",
  );
  const readId = isObject(response) ? response.resolution_id : undefined;
  if (
    !judgeDue(context, rule, await awaitDuePush(context, callback), `the outcome of an ask (${status}) is not pushed`)
  )
    return;
  const entry = entriesAbout(await drain(context, "a", session), id).find(({ kind }) => kind === "response");
  const pushedId = bodyOf(callback.arrivals[0]).resolution_id;
  const ids = [readId, entry?.key, pushedId, ...(resolvedId === undefined ? [] : [resolvedId])];
  context.expect(rule, new Set(ids).size === 1, `read, entry, push and resolve have the ids ${ids.join(", ")}`);
}

const hidesClaimedEntries: Scenario = {
  name: "mailbox-claiming",
  says: "a claimed entry is hidden for a while, and delivered again with a new signature until it is acknowledged",
  rules: ["MA2H-INB-003", "MA2H-INB-004", "MA2H-INB-013", "MA2H-INB-014", "MA2H-BNC-005"],
  needs: [...twoAgents, "clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const ttl = { ttl_seconds: 600 };
    const [session, otherSession] = [await register(context, "b", ttl), await register(context, "b", ttl)];
    const id = await sendTo(context, "ask");
    const drains = await Promise.all([session, otherSession].map((rival) => drain(context, "b", rival.id)));
    const claims = drains.flatMap((entries) => entriesAbout(entries, id).slice(0, 1));
    context.expect("MA2H-INB-013", claims.length === 1, `${claims.length} of two sessions in parallel get an entry`);
    const [firstDelivery] = claims;
    const isHidden = entriesAbout(await drain(context, "b", session.id), id).length === 0;
    context.expect("MA2H-INB-003", isHidden, "a claimed entry is delivered again immediately");
    await passWindow(context);
    const [secondDelivery] = entriesAbout(await drain(context, "b", session.id), id);
    const whyLost = "an entry that was not acknowledged is not delivered again";
    context.expect("MA2H-INB-003", secondDelivery !== undefined, whyLost);
    const hasNewNonce = secondDelivery === undefined || nonceOf(firstDelivery) !== nonceOf(secondDelivery);
    context.expect("MA2H-INB-004", hasNewNonce, "the second delivery has the nonce of the first");
    await close(context, session.id, "b");
    await passWindow(context);
    const [thirdDelivery] = entriesAbout(await drain(context, "b", otherSession.id), id);
    const whyStuck = "mail that a closed session had claimed is not delivered to another";
    context.expect("MA2H-INB-014", thirdDelivery !== undefined, whyStuck);
    const { state } = await trackOf(context, id);
    context.expect("MA2H-BNC-005", state === "delivered", `mail for the agent is ${state} after a session's end`);
    await acknowledgeEntries(context, "b", [id], otherSession.id);
  },
};

function nonceOf(entry: DrainedEntry | undefined): string | undefined {
  return /jti=([^,]*)/.exec(entry?.signature ?? "")?.[1];
}

const selectsEntries: Scenario = {
  name: "mailbox-selecting",
  says: "a drain returns the mail of its agent and its session, and no mail of other agents or sessions",
  rules: ["MA2H-INB-002", "MA2H-INB-010", "MA2H-INB-011", "MA2H-INB-012"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const senderSession = await register(context);
    const [session, otherSession] = [await register(context, "b"), await register(context, "b")];
    const toAgent = await sendTo(context, "notify");
    const toSession = await sendTo(context, "notify", { session: session.id });
    const agent = context.agents.b ?? "";
    for (const query of [{}, { agent }, { agent_id: agent }]) {
      const entries = await drainOnce(context, "a", senderSession.id, query);
      const foreignEntries = [toAgent, toSession].flatMap((id) => entriesAbout(entries, id));
      context.expect("MA2H-INB-002", foreignEntries.length === 0, "an agent drains the mailbox of another");
    }
    const withoutSession = await drain(context, "b");
    const [sessionEntry] = withoutSession.filter(({ kind }) => kind !== "directive");
    const whySessionless = `a drain without a session returns a ${sessionEntry?.kind}`;
    context.expect("MA2H-INB-010", sessionEntry === undefined, whySessionless);
    const byOtherSession = await drain(context, "b", otherSession.id);
    const isWithheld = entriesAbout(byOtherSession, toSession).length === 0;
    context.expect("MA2H-INB-012", isWithheld, "a session drains the mail of another");
    // The other session may have claimed the agent's mail, which hides it from this session.
    if (context.has("clock")) await passWindow(context);
    const bySession = await drain(context, "b", session.id);
    const byAny = context.has("clock") ? bySession : [...bySession, ...byOtherSession, ...withoutSession];
    const missingIds = [
      ...(entriesAbout(byAny, toAgent).length === 0 ? [toAgent] : []),
      ...(entriesAbout(bySession, toSession).length === 0 ? [toSession] : []),
    ];
    context.expect("MA2H-INB-011", missingIds.length === 0, `a drain by the session lacks ${missingIds.join(", ")}`);
    await acknowledgeEntries(context, "b", [toAgent, toSession], session.id);
  },
};

const keepsOrder: Scenario = {
  name: "mailbox-order",
  says: "entries are delivered in the order in which they were sent, in batches of the requested size",
  rules: ["MA2H-INB-007", "MA2H-INB-008"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    await emptyMailbox(context, session.id);
    const sentIds: string[] = [];
    for (let count = 0; count < 5; count++) sentIds.push(await sendTo(context, "notify", { session: session.id }));
    const batches: string[][] = [];
    for (let drains = 0; drains < 3; drains++) {
      const batch = await drainOnce(context, "b", session.id, { max: "2" });
      batches.push(batch.map(({ key }) => key));
    }
    const drainedIds = batches.flat();
    const sizes = batches.map(({ length }) => length).join(", ");
    const { max_batch: maxBatch } = await publishedInbox(context);
    const mayReturnTwo = !(typeof maxBatch === "number" && maxBatch < 2);
    // Mail that an earlier scenario claimed may become visible again at any time.
    const isUndisturbed = drainedIds.every((id) => sentIds.includes(id)) && mayReturnTwo;
    const isRightSize = isUndisturbed ? sizes === "2, 2, 1" : batches.every(({ length }) => length <= 2);
    context.expect("MA2H-INB-008", isRightSize, `three drains of five entries with max=2 return ${sizes}`);
    const isOrdered = drainedIds.length !== sentIds.length || drainedIds.join() === sentIds.join();
    context.expect("MA2H-INB-007", isOrdered, "the entries are delivered in a different order than they were sent");
    await acknowledgeEntries(context, "b", sentIds, session.id);
  },
};

const holdsDrain: Scenario = {
  name: "mailbox-waiting",
  says: "a drain may wait for mail, and ends without it when the time is up",
  rules: ["MA2H-INB-009"],
  needs: twoAgents,
  withinMs: 60_000,
  waits: 4000,
  async play(context) {
    await publishedInbox(context);
    const session = await register(context, "b");
    await emptyMailbox(context, session.id);
    const startedAt = Date.now();
    const emptyReply = await requestDrain(context, "b", session.id, { wait: "1" });
    const heldMs = Date.now() - startedAt;
    const isHeld = emptyReply.status === 200 && heldMs >= 900;
    const whyEarly = `a drain with wait=1 is answered after ${heldMs} ms`;
    context.expect("MA2H-INB-009", isHeld, whyEarly, "SHOULD", emptyReply);
    const sendLater = async (): Promise<string> => {
      await context.wait(500);
      return sendTo(context, "notify", { session: session.id });
    };
    const drained = drainOnce(context, "b", session.id, { wait: "20" });
    const [entries, id] = await Promise.all([drained, sendLater()]);
    const hasArrived = entriesAbout(entries, id).length === 1;
    context.expect("MA2H-INB-009", hasArrived, "a waiting drain does not return the mail that arrives", "SHOULD");
    await acknowledgeEntries(context, "b", [id], session.id);
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
