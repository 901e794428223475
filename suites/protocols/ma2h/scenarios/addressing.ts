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
  about,
  addressOf,
  bouncedTrack,
  close,
  drain,
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

const both = ["second-credential"] as const;

function judgeRefusal(context: ScenarioContext, rule: string, reply: HttpReply, due: `${number} ${string}`): void {
  const isDue = `${reply.status} ${codeOf(reply)}` === due;
  context.expect(rule, isDue, `it is not refused with ${due}: ${inShort(reply)}`, reply);
}

const refusesWrongAddress: Scenario = {
  name: "addressing-refused",
  says: "a message to an unknown agent, to an ended session or from a strange session is refused, and each as the protocol says",
  rules: ["MA2H-ADR-005", "MA2H-ADR-007", "MA2H-ADR-008", "MA2H-ADR-009", "MA2H-ADR-012", "MA2H-ADR-013"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const { agent_list_visibility: isVisible } = await publishedSessions(context);
    const [mine, ended, theirs] = [await register(context), await register(context), await register(context, "b")];
    await close(context, ended.id);
    const to = (address: string): Promise<HttpReply> => post(context, messageTo(context, "notify", address));
    judgeRefusal(context, "MA2H-ADR-005", await to(`agent:${context.fresh("nobody")}`), "422 unknown_destination");
    for (const session of ["sess_unknown", mine.id])
      judgeRefusal(context, "MA2H-ADR-007", await to(addressOf(context, "b", session)), "422 unknown_destination");
    judgeRefusal(context, "MA2H-ADR-008", await to(addressOf(context, "a", ended.id)), "410 destination_gone");
    await close(context, theirs.id, "b");
    if (isVisible === false)
      judgeRefusal(context, "MA2H-ADR-009", await to(addressOf(context, "b", theirs.id)), "422 unknown_destination");
    else context.skip("MA2H-ADR-009", "the hub may show sessions of others");
    const from = (session: string): Promise<HttpReply> => post(context, fromSession(notify(context), session));
    const strange = await register(context, "b");
    const [foreign, unknown] = [await from(strange.id), await from("sess_unknown")];
    const isAlike = foreign.status === 422 && unknown.status === 422 && codeOf(foreign) === codeOf(unknown);
    context.expect("MA2H-ADR-012", isAlike, `from a strange session: ${inShort(foreign)}`, foreign);
    judgeRefusal(context, "MA2H-ADR-013", await from(ended.id), "410 destination_gone");
  },
};

const acceptsRightAddress: Scenario = {
  name: "addressing-accepted",
  says: "a correct message is accepted for an agent with or without a session, for a session, and for its own sender",
  rules: ["MA2H-ADR-016"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const accept = async (address: string, words: string): Promise<void> => {
      for (const type of ["notify", "ask", "task"] as const) {
        const reply = await post(context, messageTo(context, type, address));
        context.expect(
          "MA2H-ADR-016",
          isAccepted(reply),
          `a ${type} ${words} is answered with ${inShort(reply)}`,
          reply,
        );
      }
    };
    await accept(addressOf(context, "b"), "to an agent, perhaps without a session,");
    const [own, session] = [await register(context), await register(context, "b")];
    await accept(addressOf(context, "b", session.id), "to a session");
    await accept(addressOf(context, "a"), "to its own sender");
    await accept(addressOf(context, "a", own.id), "to a session of its sender");
  },
};

const addresseeCannotWithdraw: Scenario = {
  name: "addressing-strangers",
  says: "an addressee neither reads a message at its sender's address nor withdraws it, and its sender does",
  rules: ["MA2H-CAN-009", "MA2H-GET-015"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const id = await sendTo(context, "ask");
    const seen = await read(context, id, "b");
    context.expect("MA2H-GET-015", isClientError(seen), `its addressee reads it: ${inShort(seen)}`, seen);
    const withdrawn = await cancel(context, id, "b");
    const isLeft = isClientError(withdrawn) && (await statusOf(context, id)) === "open";
    context.expect("MA2H-CAN-009", isLeft, `its addressee withdraws it: ${inShort(withdrawn)}`, withdrawn);
    context.expect("MA2H-GET-015", isLeft, `its addressee withdraws it: ${inShort(withdrawn)}`, withdrawn);
    const own = await cancel(context, id);
    const isEnded = isAccepted(own) && (await statusOf(context, id)) === "cancelled";
    context.expect("MA2H-CAN-009", isEnded, `its sender withdraws it: ${inShort(own)}`, own);
    const late = await resolveAs(context, id);
    context.expect("MA2H-CAN-009", late.status === 409, `it is resolved after that: ${inShort(late)}`, late);
  },
};

const recognizesRepetition: Scenario = {
  name: "addressing-repeating",
  says: "a repetition is recognized with another session and after its destination has ended, and not with another addressee",
  rules: ["MA2H-IDM-015", "MA2H-IDM-018", "MA2H-IDM-019", "MA2H-ADR-017"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [one, other, session] = [await register(context), await register(context), await register(context, "b")];
    const message = messageTo(context, "ask", addressOf(context, "b", session.id), {
      idempotency_key: context.fresh("key"),
    });
    const { id } = await submit(context, fromSession(message, one.id));
    for (const from of [other.id, undefined]) {
      const reply = await post(context, fromSession(message, from));
      const isSame = isAccepted(reply) && idOf(reply) === id;
      context.expect("MA2H-IDM-015", isSame, `with another session it is answered with ${inShort(reply)}`, reply);
    }
    const { to: _, ...unaddressed } = message;
    for (const changed of [{ ...message, to: addressOf(context, "a") }, unaddressed as JsonObject])
      judgeRefusal(context, "MA2H-IDM-019", await post(context, changed), "409 idempotency_conflict");
    await close(context, session.id, "b");
    const late = await post(context, fromSession(message, one.id));
    const isKnown = isAccepted(late) && idOf(late) === id;
    context.expect("MA2H-IDM-018", isKnown, `after the end of its destination: ${inShort(late)}`, late);
    const past = { expires_at: new Date((await context.now()) - 60_000).toISOString() };
    const dead = await post(context, messageTo(context, "ask", addressOf(context, "b"), past));
    context.expect("MA2H-ADR-017", dead.status === 422, `past its deadline it is answered with ${inShort(dead)}`, dead);
  },
};

const showsReach: Scenario = {
  name: "addressing-reach",
  says: "the acknowledgement says whether the destination can be reached, to those alone that may see it",
  rules: ["MA2H-ACK-007", "MA2H-ACK-008", "MA2H-ACK-010"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const { agent_list_visibility: isVisible } = await publishedSessions(context);
    const destination = async (as: "a" | "b"): Promise<JsonObject> => {
      const { reply } = await submit(context, messageTo(context, "notify", addressOf(context, as)));
      const { destination: shown } = isObject(reply.json) ? reply.json : {};
      return isObject(shown) ? shown : {};
    };
    const { reply } = await submit(context, notify(context));
    const isBare = isObject(reply.json) && reply.json.destination === undefined;
    context.expect("MA2H-ACK-010", isBare, "a message without `to` has a destination", "SHOULD", reply);
    const session = await register(context);
    const live = await destination("a");
    const { presence } = await readPublished(context);
    // A hub without presence does not publish how long an agent counts as online.
    const isKnown =
      isObject(presence) && presence.enabled === true ? live.state === "online" : live.state !== "unknown";
    context.expect("MA2H-ACK-007", isKnown, `an agent with a fresh session is ${live.state}`);
    await register(context, "b");
    const hidden = await destination("b");
    const isHidden = isVisible !== false || JSON.stringify(hidden) === '{"state":"unknown"}';
    context.expect("MA2H-ACK-008", isHidden, `of an agent that is not shown it says ${JSON.stringify(hidden)}`);
    await close(context, session.id);
    if ((await liveSessions(context, "a")).length > 0) return;
    const gone = await destination("a");
    context.expect("MA2H-ACK-007", gone.state !== "online", "an agent without a live session is online");
  },
};

const addresseeResolves: Scenario = {
  name: "addressing-resolving",
  says: "its addressee resolves a message, from any of its sessions, unless the message lists others",
  rules: ["MA2H-RSV-004", "MA2H-RSV-005", "MA2H-RSV-006", "MA2H-RSV-008", "MA2H-RSV-014", "MA2H-RSV-015"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [one, other, ended] = [
      await register(context, "b"),
      await register(context, "b"),
      await register(context, "b"),
    ];
    await close(context, ended.id, "b");
    const secret = context.fresh("secret");
    const more = { state: { secret }, client_ref: secret };
    const id = await sendTo(context, "ask", { session: one.id, more });
    const own = await resolveAs(context, id, { as: "a" });
    const isLeft = isClientError(own) && (await statusOf(context, id)) === "open";
    context.expect("MA2H-RSV-005", isLeft, `its submitter resolves it: ${inShort(own)}`, own);
    const foreign = await resolveAs(context, id, { session: "sess_unknown" });
    context.expect("MA2H-RSV-014", foreign.status === 404, `with an unknown session: ${inShort(foreign)}`, foreign);
    const gone = await resolveAs(context, id, { session: ended.id });
    context.expect("MA2H-RSV-014", gone.status === 410, `with an ended session: ${inShort(gone)}`, gone);
    const reply = await resolveAs(context, id, { session: other.id });
    context.expect("MA2H-RSV-004", reply.status === 200, `its addressee does not resolve it: ${inShort(reply)}`, reply);
    const isSilent = [own, foreign, gone, reply].every(({ text }) => !text.includes(secret));
    context.expect("MA2H-RSV-015", isSilent, "the answer has the sender's own state", reply);
    await judgeLists(context, one.id, other.id);
  },
};

async function judgeLists(context: ScenarioContext, one: string, other: string): Promise<void> {
  const send = async (...allowed: string[]): Promise<string> => {
    const message = messageTo(context, "ask", addressOf(context, "b"));
    const request = { ...(message.request as JsonObject), allowed_resolvers: allowed };
    return (await submit(context, { ...message, request })).id;
  };
  const listed = await send(addressOf(context, "a"));
  const theirs = await resolveAs(context, listed);
  context.expect(
    "MA2H-RSV-006",
    isClientError(theirs),
    `its unlisted addressee resolves it: ${inShort(theirs)}`,
    theirs,
  );
  const ours = await resolveAs(context, listed, { as: "a" });
  context.expect(
    "MA2H-RSV-006",
    ours.status === 200,
    `the listed submitter does not resolve it: ${inShort(ours)}`,
    ours,
  );
  const narrow = await send(addressOf(context, "b", one));
  for (const session of [undefined, other]) {
    const reply = await resolveAs(context, narrow, session === undefined ? {} : { session });
    const why = `it is for one session, and ${session === undefined ? "none" : "another"} resolves it: ${inShort(reply)}`;
    context.expect("MA2H-RSV-008", isClientError(reply), why, reply);
  }
  const right = await resolveAs(context, narrow, { session: one });
  context.expect(
    "MA2H-RSV-008",
    right.status === 200,
    `the listed session does not resolve it: ${inShort(right)}`,
    right,
  );
  const wide = await resolveAs(context, await send(addressOf(context, "b")), { session: other });
  context.expect("MA2H-RSV-008", wide.status === 200, `a session of the listed agent does not: ${inShort(wide)}`, wide);
}

const mailSurvivesRestart: Scenario = {
  name: "durable-mail",
  says: "leases, mail and bounces that are due outlive a restart",
  rules: ["MA2H-DUR-007", "MA2H-DUR-008", "MA2H-DUR-009"],
  needs: [...both, "restart"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [session, doomed] = [await register(context, "b"), await register(context, "b")];
    const id = await sendTo(context, "notify", { session: session.id });
    const lost = await sendTo(context, "ask", { session: doomed.id });
    await close(context, doomed.id, "b");
    await context.hook("restart", {});
    const drained = await drain(context, "b", session.id).catch(() => undefined);
    context.expect("MA2H-DUR-008", drained !== undefined, "after a restart a live session cannot drain");
    if (drained !== undefined)
      context.expect("MA2H-DUR-007", about(drained, id).length === 1, "after a restart mail is lost");
    const status = await waitUntil(
      context,
      () => statusOf(context, lost),
      (current) => current !== "open",
    );
    const { state } = await bouncedTrack(context, lost);
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
