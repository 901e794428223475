import { type HttpReply, isObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { inShort, isAccepted, readStored, submit } from "../../ahcp/scenarios/steps.ts";
import {
  about,
  addressOf,
  close,
  drain,
  fromSession,
  isSame,
  messageTo,
  publishedInbox,
  register,
  resolveAs,
  sendTo,
  take,
  trackOf,
} from "./talk.ts";

const both = ["second-credential"] as const;

const acknowledgesByKey: Scenario = {
  name: "mailbox-acknowledging",
  says: "an agent acknowledges entries of its own mailbox by their keys, whichever session it names, and learns nothing of others",
  rules: ["MA2H-INB-006", "MA2H-INB-015", "MA2H-INB-017"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [one, other] = [await register(context, "b"), await register(context, "b")];
    const id = await sendTo(context, "notify", { session: one.id });
    const guess = await take(context, "b", [id], one.id);
    context.expect("MA2H-INB-006", guess.status === 200, `an acknowledgment is answered with ${inShort(guess)}`, guess);
    const { state } = await trackOf(context, id);
    context.expect("MA2H-INB-017", state === "queued", `an entry that never came is ${state}`, "SHOULD");
    const came = about(await drain(context, "b", one.id), id).length > 0;
    if (!came) return;
    const foreign = await take(context, "a", [id, "msg_unknown"]);
    const unknown = await take(context, "a", ["msg_unknown", "msg_unknown_too"]);
    const isAlike = foreign.status === 200 && unknown.status === 200 && ackedIn(foreign) === ackedIn(unknown);
    context.expect("MA2H-INB-006", isAlike, `another agent's acknowledgment yields ${inShort(foreign)}`, foreign);
    const kept = await trackOf(context, id);
    context.expect("MA2H-INB-006", kept.state === "delivered", `after another agent's it is ${kept.state}`);
    await take(context, "b", [id], other.id);
    const taken = await trackOf(context, id);
    const why = `an acknowledgment by another session of the agent leaves it ${taken.state}`;
    context.expect("MA2H-INB-015", taken.state === "acknowledged", why);
    const again = await take(context, "b", [id], one.id);
    context.expect("MA2H-INB-006", again.status === 200, `a second one is answered with ${inShort(again)}`, again);
  },
};

/** The `acked` count of an acknowledgment; the hub chooses how it counts. */
function ackedIn({ json }: HttpReply): unknown {
  return isObject(json) ? json.acked : undefined;
}

const deliversOutcomes: Scenario = {
  name: "mailbox-outcomes",
  says: "the outcome comes to the session that submitted the message, as a read shows it, and to no other",
  rules: ["MA2H-ENT-005", "MA2H-ENT-006", "MA2H-IDM-016", "MA2H-AKN-009", "MA2H-BNC-012"],
  needs: both,
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, second, session] = [await register(context), await register(context), await register(context, "b")];
    const message = messageTo(context, "ask", addressOf(context, "b", session.id), {
      idempotency_key: context.fresh("key"),
    });
    const { id } = await submit(context, fromSession(message, sender.id));
    await submit(context, fromSession(message, second.id));
    await resolveAs(context, id, { session: session.id });
    const strange = about(await drain(context, "a", second.id), id);
    context.expect("MA2H-IDM-016", strange.length === 0, "the session of a repetition gets the outcome");
    const [entry] = about(await drain(context, "a", sender.id), id);
    context.expect("MA2H-ENT-005", entry?.kind === "response", "the session that submitted gets no outcome");
    if (entry === undefined) return;
    const { response } = await readStored(context, id);
    context.expect("MA2H-ENT-005", isSame(entry.payload, response), "the entry is another outcome than a read shows");
    await take(context, "a", [entry.key], sender.id);
    const { delivery } = await readStored(context, id);
    const { state } = isObject(delivery) ? delivery : {};
    context.expect("MA2H-AKN-009", state === "acknowledged", `once its entry is acknowledged, the outcome is ${state}`);
    await judgeEnded(context, second.id, session.id);
  },
};

/** Judges that an ended session gets no outcome, and that this does not affect the ask. */
async function judgeEnded(context: ScenarioContext, sender: string, session: string): Promise<void> {
  const id = await sendTo(context, "ask", { session, from: sender });
  await close(context, sender);
  const reply = await resolveAs(context, id, { session });
  context.expect(
    "MA2H-BNC-012",
    isAccepted(reply),
    `without its sender an ask is resolved with ${inShort(reply)}`,
    reply,
  );
  const next = await register(context);
  const strange = about([...(await drain(context, "a", next.id)), ...(await drain(context, "a"))], id);
  context.expect("MA2H-ENT-006", strange.length === 0, "the outcome for an ended session comes to another");
  const { status } = await readStored(context, id);
  context.expect(
    "MA2H-BNC-012",
    status === "answered",
    `an outcome without a session to come to leaves the ask ${status}`,
  );
}

export const mailboxOutcomes: readonly Scenario[] = [acknowledgesByKey, deliversOutcomes];
