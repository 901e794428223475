import {
  type HttpReply,
  isObject,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { answerAttempts } from "../../ahcp/scenarios/attempts.ts";
import { pushArrives } from "../../ahcp/scenarios/due-messages.ts";
import { ask, notify } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { pushNeeds } from "../../ahcp/scenarios/pushes.ts";
import {
  codeOf,
  inShort,
  isAccepted,
  isClientError,
  outcomeOf,
  pathOf,
  readStored,
  resolveMessage,
  stepTowards,
  submit,
} from "../../ahcp/scenarios/steps.ts";

import { drain, entriesAbout, fromSession, register } from "./talk.ts";

function acknowledge(
  context: ScenarioContext,
  id: string,
  body: JsonObject = {},
  as: "a" | "b" = "a",
): Promise<HttpReply> {
  return context.send({ method: "POST", path: `${pathOf(id)}/ack`, body, as });
}

/** Throws a TargetSkip for a hub that does not offer acknowledgments. */
async function requireAcks(context: ScenarioContext): Promise<void> {
  const { ack } = await readPublished(context);
  if (!isObject(ack) || ack.enabled !== true) throw new TargetSkip("the hub does not offer acknowledgments");
}

/** Submits an ask, and resolves it. Its submitter does not read the outcome. */
async function submitUnread(context: ScenarioContext): Promise<string> {
  const { id } = await submit(context, ask(context));
  await resolveMessage(context, id);
  return id;
}

/** Submits an ask, resolves it, and reads the outcome as its submitter. */
async function submitRead(context: ScenarioContext): Promise<string> {
  const id = await submitUnread(context);
  await readStored(context, id);
  return id;
}

const firstAckStays: Scenario = {
  name: "acknowledging-once",
  says: "the submitter acknowledges an outcome that it has read; the first acknowledgment stays, and a read shows it",
  rules: ["MA2H-AKN-001", "MA2H-AKN-006", "MA2H-AKN-007", "MA2H-AKN-008"],
  needs: ["resolve"],
  withinMs: 30_000,
  async play(context) {
    await requireAcks(context);
    const id = await submitRead(context);
    const note = context.fresh("note");
    const reply = await acknowledge(context, id, { note });
    const ack = isObject(reply.json) ? reply.json : {};
    const violations = reply.status === 200 ? await context.violations("ack", ack) : [];
    const [fault] = violations.filter(({ level }) => level === "MUST");
    const isValidAck = reply.status === 200 && fault === undefined;
    const problem = fault === undefined ? inShort(reply) : `${fault.at} ${fault.why}`;
    context.expect("MA2H-AKN-001", isValidAck, `an outcome that was read is not acknowledged: ${problem}`, reply);
    if (!isValidAck) return;
    const namesMessageAndNote = ack.in_reply_to === id && ack.note === note;
    context.expect(
      "MA2H-AKN-001",
      namesMessageAndNote,
      `the acknowledgment names another message or note: ${inShort(reply)}`,
      reply,
    );
    judgeAuthor(context, reply, outcomeOf(await readStored(context, id)).envelope);
    const laterReplies = await Promise.all(
      [1, 2, 3].map((number) => acknowledge(context, id, { note: `other ${number}` })),
    );
    for (const laterReply of laterReplies) {
      const isUnchanged = laterReply.status === 200 && JSON.stringify(laterReply.json) === JSON.stringify(reply.json);
      const why = `a later acknowledgment is answered with ${inShort(laterReply)}`;
      context.expect("MA2H-AKN-006", isUnchanged, why, laterReply);
    }
    const { delivery } = await readStored(context, id);
    const track = isObject(delivery) ? delivery : {};
    const isShown = track.state === "acknowledged" && typeof track.acknowledged_at === "string";
    context.expect("MA2H-AKN-008", isShown, `a read has the track ${JSON.stringify(delivery ?? null)}`);
    const isSame = JSON.stringify(sortMembers(track.ack)) === JSON.stringify(sortMembers(ack));
    context.expect("MA2H-AKN-008", !isShown || isSame, "a read shows another acknowledgment than the first answer");
  },
};

function sortMembers(value: unknown): unknown {
  return isObject(value as JsonObject) ? Object.entries(value as JsonObject).sort() : value;
}

/** Judges the author and the outcome that an acknowledgment names. The author may include a session. */
function judgeAuthor(context: ScenarioContext, reply: HttpReply, { resolution_id: outcomeId }: JsonObject): void {
  const ack = reply.json as JsonObject;
  const submitter = `agent:${context.agents.a}`;
  const isBySubmitter = ack.by === submitter || String(ack.by).startsWith(`${submitter}#`);
  const why = `the acknowledgment is by ${JSON.stringify(ack.by)}, not ${submitter}`;
  context.expect("MA2H-AKN-007", isBySubmitter, why, reply);
  const isSameOutcome = ack.resolution_id === undefined || ack.resolution_id === outcomeId;
  context.expect("MA2H-AKN-007", isSameOutcome, "the acknowledgment names another outcome than a read", reply);
}

const ignoresClaims: Scenario = {
  name: "acknowledging-claims",
  says: "the hub sets the author and the outcome of an acknowledgment, whatever is claimed",
  rules: ["MA2H-AKN-007"],
  needs: ["resolve"],
  withinMs: 30_000,
  async play(context) {
    await requireAcks(context);
    for (const claim of [{ by: "human:boss" }, { resolution_id: "res_other" }]) {
      const id = await submitRead(context);
      const reply = await acknowledge(context, id, claim);
      // The hub may refuse an acknowledgment with a wrong claim.
      if (isClientError(reply)) continue;
      judgeAuthor(context, reply, outcomeOf(await readStored(context, id)).envelope);
    }
  },
};

const refusesEarlyAck: Scenario = {
  name: "acknowledging-early",
  says: "a message without an outcome, or with an unread one, cannot be acknowledged",
  rules: ["MA2H-AKN-003", "MA2H-AKN-004"],
  needs: ["resolve"],
  withinMs: 30_000,
  async play(context) {
    await requireAcks(context);
    const { id } = await submit(context, ask(context));
    judgeEarly(context, "MA2H-AKN-003", "an open ask", await acknowledge(context, id));
    const { id: notifyId } = await submit(context, notify(context));
    const reply = await acknowledge(context, notifyId);
    context.expect("MA2H-AKN-003", isClientError(reply), `a notify is acknowledged: ${inShort(reply)}`, reply);
    judgeEarly(context, "MA2H-AKN-004", "an unread outcome", await acknowledge(context, await submitUnread(context)));
  },
};

function judgeEarly(context: ScenarioContext, rule: string, subject: string, reply: HttpReply): void {
  const isRefused = reply.status === 409 && codeOf(reply) === "not_acknowledgeable";
  const why = `the acknowledgment of ${subject} is not refused with 409 not_acknowledgeable: ${inShort(reply)}`;
  context.expect(rule, isRefused, why, reply);
}

const refusesStrangers: Scenario = {
  name: "acknowledging-strangers",
  says: "an agent cannot acknowledge the outcome of another agent's message",
  rules: ["MA2H-AKN-005"],
  needs: ["resolve", "second-credential"],
  withinMs: 30_000,
  async play(context) {
    await requireAcks(context);
    const id = await submitRead(context);
    const reply = await acknowledge(context, id, {}, "b");
    context.expect("MA2H-AKN-005", isClientError(reply), `another agent acknowledges: ${inShort(reply)}`, reply);
    const hidesMessage = !isClientError(reply) || reply.status === 404;
    context.expect(
      "MA2H-AKN-005",
      hidesMessage,
      `another agent learns of the message: ${inShort(reply)}`,
      "SHOULD",
      reply,
    );
    const { delivery } = await readStored(context, id);
    const isUnchanged = !isObject(delivery) || delivery.state !== "acknowledged";
    context.expect("MA2H-AKN-005", isUnchanged, "another agent's acknowledgment counts");
  },
};

const tracksDelivery: Scenario = {
  name: "acknowledging-track",
  says: "after its submitter has received an outcome, the next read says so, with the time",
  rules: ["MA2H-TRK-007"],
  needs: ["resolve"],
  withinMs: 30_000,
  async play(context) {
    await requireAcks(context);
    judgeTrack(context, await submitRead(context).then((id) => readStored(context, id)), "read");
    const { inter_agent: interAgent } = await readPublished(context);
    if (!isObject(interAgent) || interAgent.enabled !== true) return;
    const sender = await register(context);
    const { id } = await submit(context, fromSession(ask(context), sender.id));
    await resolveMessage(context, id);
    const hasArrived = entriesAbout(await drain(context, "a", sender.id), id).length > 0;
    if (hasArrived) judgeTrack(context, await readStored(context, id), "drained");
  },
};

function judgeTrack(context: ScenarioContext, { delivery }: JsonObject, channel: string): void {
  const { state, delivered_at: at } = isObject(delivery) ? delivery : {};
  const isShown = state === "delivered-to-agent" && typeof at === "string";
  context.expect("MA2H-TRK-007", isShown, `the track of an outcome that was ${channel} is ${JSON.stringify(delivery)}`);
}

const refusesUndelivered: Scenario = {
  name: "acknowledging-undelivered",
  says: "an outcome that its callback refused, or that waits in a mailbox, cannot be acknowledged yet",
  rules: ["MA2H-TRK-008"],
  needs: ["resolve"],
  withinMs: 300_000,
  async play(context) {
    await requireAcks(context);
    const expectRefusal = async (id: string, description: string): Promise<void> => {
      const reply = await acknowledge(context, id);
      const isNotYet = reply.status === 409 && codeOf(reply) === "not_acknowledgeable";
      const why = `an outcome that ${description} counts as delivered: its acknowledgment gets ${inShort(reply)}`;
      context.expect("MA2H-TRK-008", isNotYet || !isAccepted(reply), why, reply);
    };
    const { sessions, callback_auth_schemes: schemes } = await readPublished(context);
    if (isObject(sessions) && sessions.enabled === true) {
      const { id: session } = await register(context);
      const { id } = await submit(context, fromSession(ask(context), session));
      await resolveMessage(context, id);
      await expectRefusal(id, "waits in a mailbox");
    }
    if (Array.isArray(schemes) && schemes.length === 0) return;
    const missingHooks = pushNeeds.filter((need) => !context.has(need));
    if (missingHooks.length > 0) {
      context.skip(
        "MA2H-TRK-008",
        "no outcome could be pushed to a callback that refuses it",
        missingNeeds(...missingHooks),
      );
      return;
    }
    await stepTowards(context, "MA2H-TRK-008", async () => {
      const { id, callback } = await answerAttempts(context, [400]);
      if (!(await pushArrives(context, callback))) throw new TargetSkip("no push of the outcome arrived in time");
      await expectRefusal(id, "its callback refused");
    });
  },
};

export const acknowledging: readonly Scenario[] = [
  firstAckStays,
  ignoresClaims,
  refusesEarlyAck,
  refusesStrangers,
  tracksDelivery,
  refusesUndelivered,
];
