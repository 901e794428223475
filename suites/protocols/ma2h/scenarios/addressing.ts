import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { notify } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import {
  cancel,
  codeOf,
  idOf,
  inShort,
  isAccepted,
  isClientError,
  post,
  read,
  statusOf,
  submit,
} from "../../ahcp/scenarios/steps.ts";
import {
  addressOf,
  bouncedTrack,
  close,
  drain,
  entriesAbout,
  fromSession,
  liveSessions,
  messageTo,
  publishedInbox,
  publishedSessions,
  register,
  resolveAs,
  sendTo,
  waitUntil,
} from "./talk.ts";

const twoAgents = ["second-credential"] as const;

function judgeRefusal(context: ScenarioContext, rule: string, reply: HttpReply, expected: `${number} ${string}`): void {
  const isExpected = `${reply.status} ${codeOf(reply)}` === expected;
  context.expect(rule, isExpected, `it is not refused with ${expected}: ${inShort(reply)}`, reply);
}

const refusesWrongAddress: Scenario = {
  name: "addressing-refused",
  says: "a message to an unknown agent, to an ended session or from a foreign session is refused with the right code",
  rules: ["MA2H-ADR-005", "MA2H-ADR-007", "MA2H-ADR-008", "MA2H-ADR-009", "MA2H-ADR-012", "MA2H-ADR-013"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const { agent_list_visibility: isVisible } = await publishedSessions(context);
    const [ownSession, endedSession, foreignSession] = [
      await register(context),
      await register(context),
      await register(context, "b"),
    ];
    await close(context, endedSession.id);
    const sendNotify = (address: string): Promise<HttpReply> => post(context, messageTo(context, "notify", address));
    judgeRefusal(
      context,
      "MA2H-ADR-005",
      await sendNotify(`agent:${context.fresh("nobody")}`),
      "422 unknown_destination",
    );
    for (const session of ["sess_unknown", ownSession.id])
      judgeRefusal(
        context,
        "MA2H-ADR-007",
        await sendNotify(addressOf(context, "b", session)),
        "422 unknown_destination",
      );
    judgeRefusal(
      context,
      "MA2H-ADR-008",
      await sendNotify(addressOf(context, "a", endedSession.id)),
      "410 destination_gone",
    );
    await close(context, foreignSession.id, "b");
    if (isVisible === false)
      judgeRefusal(
        context,
        "MA2H-ADR-009",
        await sendNotify(addressOf(context, "b", foreignSession.id)),
        "422 unknown_destination",
      );
    else context.skip("MA2H-ADR-009", "the hub may show sessions of others");
    const sendFrom = (session: string): Promise<HttpReply> => post(context, fromSession(notify(context), session));
    const { id: foreignId } = await register(context, "b");
    const [foreignReply, unknownReply] = [await sendFrom(foreignId), await sendFrom("sess_unknown")];
    const isSameCode = codeOf(foreignReply) === codeOf(unknownReply);
    const isRefusedAlike = foreignReply.status === 422 && unknownReply.status === 422 && isSameCode;
    context.expect("MA2H-ADR-012", isRefusedAlike, `from a foreign session: ${inShort(foreignReply)}`, foreignReply);
    judgeRefusal(context, "MA2H-ADR-013", await sendFrom(endedSession.id), "410 destination_gone");
  },
};

const acceptsRightAddress: Scenario = {
  name: "addressing-accepted",
  says: "a correct message is accepted for an agent with or without a session, for a session, and for its own sender",
  rules: ["MA2H-ADR-016"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const accept = async (address: string, description: string): Promise<void> => {
      for (const type of ["notify", "ask", "task"] as const) {
        const reply = await post(context, messageTo(context, type, address));
        context.expect(
          "MA2H-ADR-016",
          isAccepted(reply),
          `a ${type} ${description} is answered with ${inShort(reply)}`,
          reply,
        );
      }
    };
    await accept(addressOf(context, "b"), "to an agent, perhaps without a session,");
    const [ownSession, session] = [await register(context), await register(context, "b")];
    await accept(addressOf(context, "b", session.id), "to a session");
    await accept(addressOf(context, "a"), "to its own sender");
    await accept(addressOf(context, "a", ownSession.id), "to a session of its sender");
  },
};

const addresseeCannotWithdraw: Scenario = {
  name: "addressing-strangers",
  says: "an addressee can neither read nor withdraw a message by its id, but its sender can",
  rules: ["MA2H-CAN-009", "MA2H-GET-015"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const id = await sendTo(context, "ask");
    const readReply = await read(context, id, "b");
    context.expect(
      "MA2H-GET-015",
      isClientError(readReply),
      `its addressee reads it: ${inShort(readReply)}`,
      readReply,
    );
    const cancelReply = await cancel(context, id, "b");
    const isStillOpen = isClientError(cancelReply) && (await statusOf(context, id)) === "open";
    const whyWithdrawn = `its addressee withdraws it: ${inShort(cancelReply)}`;
    context.expect("MA2H-CAN-009", isStillOpen, whyWithdrawn, cancelReply);
    context.expect("MA2H-GET-015", isStillOpen, whyWithdrawn, cancelReply);
    const ownCancelReply = await cancel(context, id);
    const isCancelled = isAccepted(ownCancelReply) && (await statusOf(context, id)) === "cancelled";
    const whyOpen = `its sender cannot withdraw it: ${inShort(ownCancelReply)}`;
    context.expect("MA2H-CAN-009", isCancelled, whyOpen, ownCancelReply);
    const lateReply = await resolveAs(context, id);
    const whyResolved = `it is resolved after that: ${inShort(lateReply)}`;
    context.expect("MA2H-CAN-009", lateReply.status === 409, whyResolved, lateReply);
  },
};

const recognizesRepetition: Scenario = {
  name: "addressing-repeating",
  says: "a repetition is recognized with another session and after its destination has ended, and not with another addressee",
  rules: ["MA2H-IDM-015", "MA2H-IDM-018", "MA2H-IDM-019", "MA2H-ADR-017"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [firstSession, secondSession] = [await register(context), await register(context)];
    const destination = await register(context, "b");
    const message = messageTo(context, "ask", addressOf(context, "b", destination.id), {
      idempotency_key: context.fresh("key"),
    });
    const { id } = await submit(context, fromSession(message, firstSession.id));
    for (const sendingSession of [secondSession.id, undefined]) {
      const reply = await post(context, fromSession(message, sendingSession));
      const isSame = isAccepted(reply) && idOf(reply) === id;
      context.expect("MA2H-IDM-015", isSame, `with another session it is answered with ${inShort(reply)}`, reply);
    }
    const { to: _, ...unaddressed } = message;
    for (const changed of [{ ...message, to: addressOf(context, "a") }, unaddressed as JsonObject])
      judgeRefusal(context, "MA2H-IDM-019", await post(context, changed), "409 idempotency_conflict");
    await close(context, destination.id, "b");
    const lateReply = await post(context, fromSession(message, firstSession.id));
    const isRecognized = isAccepted(lateReply) && idOf(lateReply) === id;
    context.expect("MA2H-IDM-018", isRecognized, `after the end of its destination: ${inShort(lateReply)}`, lateReply);
    const pastDeadline = { expires_at: new Date((await context.now()) - 60_000).toISOString() };
    const expiredReply = await post(context, messageTo(context, "ask", addressOf(context, "b"), pastDeadline));
    const why = `past its deadline it is answered with ${inShort(expiredReply)}`;
    context.expect("MA2H-ADR-017", expiredReply.status === 422, why, expiredReply);
  },
};

const showsReach: Scenario = {
  name: "addressing-reach",
  says: "the acknowledgment says whether the destination can be reached, but only to those who may see it",
  rules: ["MA2H-ACK-007", "MA2H-ACK-008", "MA2H-ACK-010"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const { agent_list_visibility: isVisible } = await publishedSessions(context);
    const readDestination = async (as: "a" | "b"): Promise<JsonObject> => {
      const { reply } = await submit(context, messageTo(context, "notify", addressOf(context, as)));
      const { destination } = isObject(reply.json) ? reply.json : {};
      return isObject(destination) ? destination : {};
    };
    const { reply } = await submit(context, notify(context));
    const isBare = isObject(reply.json) && reply.json.destination === undefined;
    context.expect("MA2H-ACK-010", isBare, "a message without `to` has a destination", "SHOULD", reply);
    const session = await register(context);
    const liveDestination = await readDestination("a");
    const { presence } = await readPublished(context);
    // A hub without presence does not publish how long an agent counts as online.
    const hasPresence = isObject(presence) && presence.enabled === true;
    const { state } = liveDestination;
    const isReachable = hasPresence ? state === "online" : state !== "unknown";
    context.expect("MA2H-ACK-007", isReachable, `an agent with a fresh session is ${state}`);
    await register(context, "b");
    const hiddenText = JSON.stringify(await readDestination("b"));
    const isHidden = isVisible !== false || hiddenText === '{"state":"unknown"}';
    context.expect("MA2H-ACK-008", isHidden, `the destination of a hidden agent is shown as ${hiddenText}`);
    await close(context, session.id);
    if ((await liveSessions(context, "a")).length > 0) return;
    const endedDestination = await readDestination("a");
    context.expect("MA2H-ACK-007", endedDestination.state !== "online", "an agent without a live session is online");
  },
};

const addresseeResolves: Scenario = {
  name: "addressing-resolving",
  says: "the addressee of a message can resolve it from any of its sessions, unless the message lists other resolvers",
  rules: ["MA2H-RSV-004", "MA2H-RSV-005", "MA2H-RSV-006", "MA2H-RSV-008", "MA2H-RSV-014", "MA2H-RSV-015"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [addressedSession, otherSession, endedSession] = [
      await register(context, "b"),
      await register(context, "b"),
      await register(context, "b"),
    ];
    await close(context, endedSession.id, "b");
    const secret = context.fresh("secret");
    const more = { state: { secret }, client_ref: secret };
    const id = await sendTo(context, "ask", { session: addressedSession.id, more });
    const submitterReply = await resolveAs(context, id, { as: "a" });
    const isStillOpen = isClientError(submitterReply) && (await statusOf(context, id)) === "open";
    const why = `its submitter resolves it: ${inShort(submitterReply)}`;
    context.expect("MA2H-RSV-005", isStillOpen, why, submitterReply);
    const unknownReply = await resolveAs(context, id, { session: "sess_unknown" });
    const whyUnknown = `with an unknown session: ${inShort(unknownReply)}`;
    context.expect("MA2H-RSV-014", unknownReply.status === 404, whyUnknown, unknownReply);
    const endedReply = await resolveAs(context, id, { session: endedSession.id });
    const whyEnded = `with an ended session: ${inShort(endedReply)}`;
    context.expect("MA2H-RSV-014", endedReply.status === 410, whyEnded, endedReply);
    const reply = await resolveAs(context, id, { session: otherSession.id });
    context.expect("MA2H-RSV-004", reply.status === 200, `its addressee does not resolve it: ${inShort(reply)}`, reply);
    const replies = [submitterReply, unknownReply, endedReply, reply];
    const hidesState = replies.every(({ text }) => !text.includes(secret));
    context.expect("MA2H-RSV-015", hidesState, "the answer has the sender's own state", reply);
    await judgeLists(context, addressedSession.id, otherSession.id);
  },
};

/** Judges which of two sessions of the addressee may resolve a message with a list of resolvers. */
async function judgeLists(context: ScenarioContext, listedSession: string, otherSession: string): Promise<void> {
  const send = async (...allowed: string[]): Promise<string> => {
    const message = messageTo(context, "ask", addressOf(context, "b"));
    const request = { ...(message.request as JsonObject), allowed_resolvers: allowed };
    return (await submit(context, { ...message, request })).id;
  };
  const forSubmitter = await send(addressOf(context, "a"));
  const addresseeReply = await resolveAs(context, forSubmitter);
  const whyUnlisted = `its unlisted addressee resolves it: ${inShort(addresseeReply)}`;
  context.expect("MA2H-RSV-006", isClientError(addresseeReply), whyUnlisted, addresseeReply);
  const submitterReply = await resolveAs(context, forSubmitter, { as: "a" });
  const whyListed = `the listed submitter does not resolve it: ${inShort(submitterReply)}`;
  context.expect("MA2H-RSV-006", submitterReply.status === 200, whyListed, submitterReply);
  const forSession = await send(addressOf(context, "b", listedSession));
  for (const session of [undefined, otherSession]) {
    const reply = await resolveAs(context, forSession, session === undefined ? {} : { session });
    const why = `it is for one session, and ${session === undefined ? "none" : "another"} resolves it: ${inShort(reply)}`;
    context.expect("MA2H-RSV-008", isClientError(reply), why, reply);
  }
  const sessionReply = await resolveAs(context, forSession, { session: listedSession });
  const whySession = `the listed session does not resolve it: ${inShort(sessionReply)}`;
  context.expect("MA2H-RSV-008", sessionReply.status === 200, whySession, sessionReply);
  const agentReply = await resolveAs(context, await send(addressOf(context, "b")), { session: otherSession });
  const whyAgent = `a session of the listed agent does not resolve it: ${inShort(agentReply)}`;
  context.expect("MA2H-RSV-008", agentReply.status === 200, whyAgent, agentReply);
}

const mailSurvivesRestart: Scenario = {
  name: "durable-mail",
  says: "leases, mail and due bounces survive a restart",
  rules: ["MA2H-DUR-007", "MA2H-DUR-008", "MA2H-DUR-009"],
  needs: [...twoAgents, "restart"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [session, endedSession] = [await register(context, "b"), await register(context, "b")];
    const id = await sendTo(context, "notify", { session: session.id });
    const bouncingId = await sendTo(context, "ask", { session: endedSession.id });
    await close(context, endedSession.id, "b");
    await context.hook("restart", {});
    const drained = await drain(context, "b", session.id).catch(() => undefined);
    context.expect("MA2H-DUR-008", drained !== undefined, "after a restart a live session cannot drain");
    if (drained !== undefined)
      context.expect("MA2H-DUR-007", entriesAbout(drained, id).length === 1, "after a restart mail is lost");
    const status = await waitUntil(
      context,
      () => statusOf(context, bouncingId),
      (current) => current !== "open",
    );
    const { state } = await bouncedTrack(context, bouncingId);
    context.expect("MA2H-DUR-009", state === "bounced", `mail that was due to bounce is ${JSON.stringify(state)}`);
    context.expect(
      "MA2H-DUR-009",
      status === "cancelled",
      `a message that was due to bounce is ${JSON.stringify(status)}`,
    );
  },
};

export const addressing: readonly Scenario[] = [
  acceptsRightAddress,
  refusesWrongAddress,
  addresseeCannotWithdraw,
  recognizesRepetition,
  showsReach,
  addresseeResolves,
  mailSurvivesRestart,
];
