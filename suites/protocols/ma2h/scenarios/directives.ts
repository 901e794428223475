import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { inShort, isClientError, read, readStored, submit } from "../../ahcp/scenarios/steps.ts";
import { requireDirective, sendDirective } from "./person.ts";
import { hasValidSignature } from "./signed.ts";
import {
  acknowledgeEntries,
  addressOf,
  close,
  type DrainedEntry,
  drain,
  entriesAbout,
  fromSession,
  isSameJson,
  messageTo,
  publishedInbox,
  publishedMailboxes,
  publishedSessions,
  register,
  resolveAs,
} from "./talk.ts";

/** Throws a TargetSkip for a hub without mailboxes. */
async function requireInbox(context: ScenarioContext): Promise<JsonObject> {
  const mailboxes = await publishedMailboxes(context);
  if (mailboxes === undefined) throw new TargetSkip("the hub has no mailboxes");
  return mailboxes;
}

/** Members of a directive that are easily changed on their way, or serialized differently. */
const trickyContent = {
  title: "Größe 1",
  body: "a\u2028b <b>&",
  priority: "low",
  tags: [],
  context: [{ kind: "data", data: { k: -0.001, n: 1e21, "€": 1 } }],
  sensitive: true,
};

const arrivesAsWritten: Scenario = {
  name: "directives-arrive",
  says: "a directive arrives as it was written, with its true author, and cannot be read or resolved as a message",
  rules: ["MA2H-DIR-002", "MA2H-DIR-006", "MA2H-DIR-007", "MA2H-AKN-010"],
  needs: ["direct"],
  withinMs: 60_000,
  async play(context) {
    await requireInbox(context);
    const expires_at = new Date((await context.now()) + 3_600_000).toISOString();
    const claims = { from: "human:boss", id: "dir_mine" };
    const id = await requireDirective(context, {
      ...trickyContent,
      expires_at,
      to: addressOf(context, "a"),
      ...claims,
    });
    const entry = (await drain(context, "a")).find(({ key }) => key === id);
    if (entry === undefined) return context.skip("MA2H-DIR-006", "the directive does not arrive");
    const { from, ...payload } = entry.payload;
    const isTrueAuthor = from !== claims.from && /^(?:human|system):./.test(String(from));
    const isOwnId = id !== claims.id && /^dir_./.test(id);
    context.expect("MA2H-DIR-002", isTrueAuthor && isOwnId, `it is from ${from}, and its id is "${id}"`);
    const written = { ...trickyContent, expires_at };
    const changedNames = Object.entries(written).flatMap(([name, value]) =>
      isSameJson(payload[name], value) ? [] : [name],
    );
    const whyChanged = `it arrives with a different ${changedNames.join(", ")} than was written`;
    context.expect("MA2H-DIR-006", changedNames.length === 0, whyChanged);
    const readReply = await read(context, id);
    context.expect("MA2H-DIR-007", isClientError(readReply), `it reads as a message: ${inShort(readReply)}`, readReply);
    const resolveReply = await resolveAs(context, id, { as: "a" });
    context.expect(
      "MA2H-DIR-007",
      isClientError(resolveReply),
      `it is resolved: ${inShort(resolveReply)}`,
      resolveReply,
    );
    const note = context.fresh("note");
    await context.send({ method: "POST", path: "/v1/inbox/ack", body: { ids: [id], note }, as: "a" });
    if (!context.has("track")) return context.skip("MA2H-AKN-010", "no hook shows the person's view");
    const { state, note: shownNote } = await context.hook("track", { id });
    const isShown = state === "acknowledged" && shownNote === note;
    const why = `after the acknowledgment, the person sees ${state} and the note ${shownNote}`;
    context.expect("MA2H-AKN-010", isShown, why);
  },
};

const refusesDirectives: Scenario = {
  name: "directives-refused",
  says: "a directive to an unknown destination or past its deadline is refused, and none arrives after its deadline",
  rules: ["MA2H-DIR-004", "MA2H-DIR-005"],
  needs: ["direct"],
  withinMs: 60_000,
  async play(context) {
    await requireInbox(context);
    const expectRefusal = async (rule: string, members: JsonObject, description: string): Promise<void> => {
      const answer = await sendDirective(context, { title: "d", ...members });
      context.expect(rule, "refused" in answer, `a directive ${description} is accepted`);
    };
    await expectRefusal("MA2H-DIR-004", { to: `agent:${context.fresh("nobody")}` }, "to an unknown agent");
    const { sessions } = await readPublished(context);
    if (isObject(sessions) && sessions.enabled === true) {
      await expectRefusal("MA2H-DIR-004", { to: addressOf(context, "a", "sess_unknown") }, "to an unknown session");
      const { id } = await register(context);
      await close(context, id);
      await expectRefusal("MA2H-DIR-004", { to: addressOf(context, "a", id) }, "to an ended session");
    }
    const now = await context.now();
    const past = new Date(now - 60_000).toISOString();
    await expectRefusal("MA2H-DIR-005", { to: addressOf(context, "a"), expires_at: past }, "past its deadline");
    if (!context.has("clock")) return context.skip("MA2H-DIR-005", "no hook moves the clock past a deadline");
    const soon = new Date(now + 60_000).toISOString();
    const id = await requireDirective(context, { to: addressOf(context, "a"), title: "d", expires_at: soon });
    await context.pass(75_000);
    const hasArrived = (await drain(context, "a")).some(({ key }) => key === id);
    context.expect("MA2H-DIR-005", !hasArrived, "a directive arrives after its deadline");
  },
};

const staysWithSession: Scenario = {
  name: "directives-for-sessions",
  says: "a directive for a session only reaches that session, and bounces with it without a receipt",
  rules: ["MA2H-DIR-008", "MA2H-BNC-010"],
  needs: ["direct"],
  withinMs: 60_000,
  async play(context) {
    await requireInbox(context);
    await publishedSessions(context);
    const [session, otherSession] = [await register(context), await register(context)];
    const id = await requireDirective(context, { to: addressOf(context, "a", session.id), title: "d" });
    const otherEntries = [...(await drain(context, "a", otherSession.id)), ...(await drain(context, "a"))];
    const isWithheld = !otherEntries.some(({ key }) => key === id);
    context.expect("MA2H-DIR-008", isWithheld, "a directive for a session is returned by another drain");
    const hasArrived = (await drain(context, "a", session.id)).some(({ key }) => key === id);
    context.expect("MA2H-DIR-008", hasArrived || !isWithheld, "a directive for a session does not reach it");
    await close(context, session.id);
    if (!context.has("track")) return context.skip("MA2H-BNC-010", "no hook shows the person's view");
    const { state } = await context.hook("track", { id });
    context.expect("MA2H-BNC-010", state === "bounced", `after the end of its session, a directive is ${state}`);
    const receipts = entriesAbout(await drain(context, "a", otherSession.id), id);
    context.expect("MA2H-BNC-010", receipts.length === 0, "there is a receipt for a bounced directive");
  },
};

const signsDirectives: Scenario = {
  name: "directives-signed",
  says: "each delivery of a directive is signed over its seven members",
  rules: ["MA2H-DSG-001", "MA2H-DSG-002", "MA2H-DSG-003"],
  needs: ["direct", "entry-key"],
  withinMs: 60_000,
  async play(context) {
    await requireInbox(context);
    for (const members of [trickyContent, { title: "d" }] as const) {
      const id = await requireDirective(context, { ...members, to: addressOf(context, "a") });
      const entry = (await drain(context, "a")).find(({ key }) => key === id);
      if (entry === undefined) continue;
      const isValid = await hasValidSignature(context, entry, { agent: context.agents.a });
      for (const rule of ["MA2H-DSG-001", "MA2H-DSG-002", "MA2H-DSG-003"])
        context.expect(rule, isValid, "the signature of a directive does not verify over its seven members");
      await acknowledgeEntries(context, "a", [id]);
    }
  },
};

const signsEntries: Scenario = {
  name: "mailbox-signatures",
  says: "messages, outcomes and receipts in a mailbox have valid signatures, whatever their strings and numbers",
  rules: ["MA2H-ESG-001", "MA2H-ESG-002", "MA2H-ESG-003", "MA2H-ESG-005", "MA2H-ESG-006"],
  needs: ["second-credential", "entry-key"],
  withinMs: 60_000,
  async play(context) {
    await publishedInbox(context);
    const [sender, session] = [await register(context), await register(context, "b")];
    const to = addressOf(context, "b", session.id);
    const addressee = { agent: context.agents.b ?? "", session: session.id };
    const { body, context: parts } = trickyContent;
    const judge = async (rule: string, entry: DrainedEntry | undefined, owner: typeof addressee): Promise<void> => {
      if (entry === undefined) return;
      const why = `the signature of a ${entry.kind} does not verify over the members that its addressee rebuilds`;
      context.expect(rule, await hasValidSignature(context, entry, owner), why);
    };
    for (const sensitive of [true, false, undefined]) {
      const more = { state: { n: 1e21 }, client_ref: "mine", ...(sensitive === undefined ? {} : { sensitive }) };
      const { id } = await submit(context, messageTo(context, "ask", to, more));
      const [entry] = entriesAbout(await drain(context, "b", session.id), id);
      for (const rule of ["MA2H-ESG-001", "MA2H-ESG-002"]) await judge(rule, entry, addressee);
    }
    const trickyAsk = messageTo(context, "ask", to, { body, context: parts, state: { n: 1e21, k: -0.001, "€": "ö" } });
    const { id } = await submit(context, fromSession(trickyAsk, sender.id));
    await judge("MA2H-ESG-006", entriesAbout(await drain(context, "b", session.id), id)[0], addressee);
    await resolveAs(context, id, { session: session.id });
    await readStored(context, id);
    const submitter = { agent: context.agents.a, session: sender.id };
    const response = entriesAbout(await drain(context, "a", sender.id), id).find(({ kind }) => kind === "response");
    for (const rule of ["MA2H-ESG-003", "MA2H-ESG-006"]) await judge(rule, response, submitter);
    const bounced = await submit(context, fromSession(messageTo(context, "notify", to), sender.id));
    await close(context, session.id, "b");
    const receipt = entriesAbout(await drain(context, "a", sender.id), bounced.id).find(
      ({ kind }) => kind === "receipt",
    );
    await judge("MA2H-ESG-005", receipt, submitter);
  },
};

export const directives: readonly Scenario[] = [
  arrivesAsWritten,
  refusesDirectives,
  staysWithSession,
  signsDirectives,
  signsEntries,
];
