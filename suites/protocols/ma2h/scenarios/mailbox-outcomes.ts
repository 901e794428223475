import { type HttpReply, isObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { inShort, isAccepted, readStored, submit } from "../../ahcp/scenarios/steps.ts";
import {
  acknowledgeEntries,
  addressOf,
  close,
  drain,
  entriesAbout,
  fromSession,
  isSameJson,
  messageTo,
  publishedInbox,
  register,
  resolveAs,
  sendTo,
  trackOf,
} from "./talk.ts";

const twoAgents = ["second-credential"] as const;

const acknowledgesByKey: Scenario = {
  name: "mailbox-acknowledging",
  says: "an agent acknowledges entries of its own mailbox by their keys, from any session, and learns nothing about other mailboxes",
  rules: ["MA2H-INB-006", "MA2H-INB-015", "MA2H-INB-017"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [session, otherSession] = [await register(context, "b"), await register(context, "b")];
    const id = await sendTo(context, "notify", { session: session.id });
    const earlyReply = await acknowledgeEntries(context, "b", [id], session.id);
    const whyEarly = `an acknowledgment is answered with ${inShort(earlyReply)}`;
    context.expect("MA2H-INB-006", earlyReply.status === 200, whyEarly, earlyReply);
    const { state } = await trackOf(context, id);
    context.expect("MA2H-INB-017", state === "queued", `an entry that was never drained is ${state}`, "SHOULD");
    const hasArrived = entriesAbout(await drain(context, "b", session.id), id).length > 0;
    if (!hasArrived) return;
    const foreignReply = await acknowledgeEntries(context, "a", [id, "msg_unknown"]);
    const unknownReply = await acknowledgeEntries(context, "a", ["msg_unknown", "msg_unknown_too"]);
    const isSameCount = ackedIn(foreignReply) === ackedIn(unknownReply);
    const isAlike = foreignReply.status === 200 && unknownReply.status === 200 && isSameCount;
    const whyForeign = `the acknowledgment of another agent is answered with ${inShort(foreignReply)}`;
    context.expect("MA2H-INB-006", isAlike, whyForeign, foreignReply);
    const { state: stateAfterForeign } = await trackOf(context, id);
    const whyChanged = `after the acknowledgment of another agent it is ${stateAfterForeign}`;
    context.expect("MA2H-INB-006", stateAfterForeign === "delivered", whyChanged);
    await acknowledgeEntries(context, "b", [id], otherSession.id);
    const { state: finalState } = await trackOf(context, id);
    const why = `an acknowledgment by another session of the agent leaves it ${finalState}`;
    context.expect("MA2H-INB-015", finalState === "acknowledged", why);
    const secondReply = await acknowledgeEntries(context, "b", [id], session.id);
    const whySecond = `a second acknowledgment is answered with ${inShort(secondReply)}`;
    context.expect("MA2H-INB-006", secondReply.status === 200, whySecond, secondReply);
  },
};

/** The member `acked` in the answer to an acknowledgment. Hubs count differently. */
function ackedIn({ json }: HttpReply): unknown {
  return isObject(json) ? json.acked : undefined;
}

const deliversOutcomes: Scenario = {
  name: "mailbox-outcomes",
  says: "the outcome arrives at the session that submitted the message, as a read shows it, and at no other session",
  rules: ["MA2H-ENT-005", "MA2H-ENT-006", "MA2H-IDM-016", "MA2H-AKN-009", "MA2H-BNC-012"],
  needs: twoAgents,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, secondSender] = [await register(context), await register(context)];
    const session = await register(context, "b");
    const message = messageTo(context, "ask", addressOf(context, "b", session.id), {
      idempotency_key: context.fresh("key"),
    });
    const { id } = await submit(context, fromSession(message, sender.id));
    await submit(context, fromSession(message, secondSender.id));
    await resolveAs(context, id, { session: session.id });
    const wrongEntries = entriesAbout(await drain(context, "a", secondSender.id), id);
    context.expect("MA2H-IDM-016", wrongEntries.length === 0, "the session of a repetition receives the outcome");
    const [entry] = entriesAbout(await drain(context, "a", sender.id), id);
    context.expect(
      "MA2H-ENT-005",
      entry?.kind === "response",
      "the session that submitted the message does not receive the outcome",
    );
    if (entry === undefined) return;
    const { response } = await readStored(context, id);
    context.expect("MA2H-ENT-005", isSameJson(entry.payload, response), "the entry differs from the outcome in a read");
    await acknowledgeEntries(context, "a", [entry.key], sender.id);
    const { delivery } = await readStored(context, id);
    const { state } = isObject(delivery) ? delivery : {};
    context.expect(
      "MA2H-AKN-009",
      state === "acknowledged",
      `after its entry was acknowledged, the outcome is ${state}`,
    );
    await judgeEndedSender(context, secondSender.id, session.id);
  },
};

/** Judges that the outcome for an ended session is not delivered to another, and that the ask is answered anyway. */
async function judgeEndedSender(context: ScenarioContext, sender: string, session: string): Promise<void> {
  const id = await sendTo(context, "ask", { session, from: sender });
  await close(context, sender);
  const reply = await resolveAs(context, id, { session });
  context.expect(
    "MA2H-BNC-012",
    isAccepted(reply),
    `after the end of its sender, the resolve of an ask is answered with ${inShort(reply)}`,
    reply,
  );
  const nextSession = await register(context);
  const drained = [...(await drain(context, "a", nextSession.id)), ...(await drain(context, "a"))];
  const isWithheld = entriesAbout(drained, id).length === 0;
  context.expect("MA2H-ENT-006", isWithheld, "the outcome for an ended session is delivered to another");
  const { status } = await readStored(context, id);
  context.expect(
    "MA2H-BNC-012",
    status === "answered",
    `an outcome that cannot be delivered to a session leaves the ask ${status}`,
  );
}

export const mailboxOutcomes: readonly Scenario[] = [acknowledgesByKey, deliversOutcomes];
