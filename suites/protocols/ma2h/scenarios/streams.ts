import {
  type Extension,
  isObject,
  jsonOf,
  protocolNamed,
  type Scenario,
  type ScenarioContext,
  type StreamReply,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { messageSpellings } from "../../../packs/pack/renamed-scenarios.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { inShort } from "../../ahcp/scenarios/steps.ts";
import { hasValidSignature } from "./signed.ts";
import { connect, mustConnect, publishedStream, sendMail } from "./stream-steps.ts";
import {
  acknowledgeEntries,
  close,
  type DrainedEntry,
  drain,
  entriesAbout,
  entryIn,
  isSameJson,
  noClock,
  passWindow,
  register,
} from "./talk.ts";

const versionSwap = { member: "ahcp_version", values: ["0.3", "0.5"] } as const;

/** The entries in a stream item; undefined if the item has an unknown form. */
function entriesIn(data: string): DrainedEntry[] | undefined {
  const { toParent } = messageSpellings(protocolNamed("ma2h").extends as Extension, versionSwap);
  const item = jsonOf(toParent.text(data));
  const content = isObject(item) && Array.isArray(item.messages) ? item.messages : item;
  const elements = Array.isArray(content) ? content : [content];
  const entries = elements.flatMap((element) => (isObject(element) ? entryIn(element) : []));
  return entries.length === elements.length ? entries : undefined;
}

/** The entries that a stream has delivered. */
interface StreamedEntries {
  entries: DrainedEntry[];
  /** The first item with an unknown form. */
  unknownItem?: string;
}

/** Reads a stream until an entry about the message arrives, or until nothing arrives for the given time. */
async function readStream(stream: StreamReply, id: string, milliseconds?: number): Promise<StreamedEntries> {
  const streamed: StreamedEntries = { entries: [] };
  for (;;) {
    const next = await stream.next(milliseconds);
    if (next === "end" || next === "silence") return streamed;
    const entries = entriesIn(next.item.data);
    if (entries === undefined) streamed.unknownItem ??= next.item.data;
    else streamed.entries.push(...entries);
    if (entriesAbout(streamed.entries, id).length > 0) return streamed;
  }
}

/** Milliseconds to wait for an entry; the protocol does not set a time. */
const patienceMs = 20_000;

const unknownForm = "the entries of the hub's stream have an unknown form";

const deliversEntries: Scenario = {
  name: "streams-entries",
  says: "a stream sends the same entries as a drain and hides them for a while, but they do not count as delivered",
  rules: ["MA2H-STR-001", "MA2H-STR-002", "MA2H-STR-003", "MA2H-STR-004"],
  needs: [],
  withinMs: 120_000,
  async play(context) {
    const { isHere, holdMs } = await publishedStream(context);
    const session = await register(context);
    const stream = await connect(context, session.id);
    const refusal = `the published stream answers with HTTP ${stream.status}`;
    if (stream.status !== 200 && !isHere) return context.skip("MA2H-STR-001", refusal);
    context.expect("MA2H-STR-001", stream.status === 200, refusal);
    if (stream.status !== 200) return;
    const { id, state } = await sendMail(context, session.id);
    const { entries, unknownItem } = await readStream(stream, id, patienceMs);
    const [entry] = entriesAbout(entries, id);
    if (entry === undefined && unknownItem !== undefined) return context.skip("MA2H-STR-001", unknownForm);
    context.expect("MA2H-STR-001", entry !== undefined, "a stream does not deliver the mail of its session");
    if (entry === undefined) return;
    if (context.has("entry-key")) {
      const isValid = await hasValidSignature(context, entry, { agent: context.agents.a, session: session.id });
      context.expect("MA2H-STR-001", isValid, `a streamed ${entry.kind} is not signed like a drained entry`);
    } else context.skip("MA2H-STR-001", "no hook returns the key of entries");
    const stateBefore = await state();
    const isUndelivered = stateBefore === "queued" || stateBefore === undefined;
    context.expect("MA2H-STR-003", isUndelivered, `an entry that was only streamed is ${stateBefore}`);
    const hidden = entriesAbout(await drain(context, "a", session.id), id);
    context.expect("MA2H-STR-002", hidden.length === 0, "a drain returns an entry that was just streamed");
    await judgeTwoStreams(context, stream);
    const ackedId = await judgeStreamAck(context, stream, session.id);
    stream.cut();
    if (!context.has("clock")) {
      for (const rule of ["MA2H-STR-003", "MA2H-STR-004"]) context.skip(rule, noClock);
      return;
    }
    await context.wait(300);
    await context.pass(holdMs + 2000);
    const drained = await judgeDrainAfterStream(context, { id, state, session: session.id, entry });
    if (ackedId === undefined)
      return context.skip("MA2H-STR-004", "the stream did not deliver the entry to acknowledge");
    const repeated = entriesAbout(drained, ackedId);
    context.expect("MA2H-STR-004", repeated.length === 0, "a streamed entry is repeated after its acknowledgment");
  },
};

/** Judges that only one of two streams delivers mail for the agent. */
async function judgeTwoStreams(context: ScenarioContext, stream: StreamReply): Promise<void> {
  const siblingSession = await register(context);
  const siblingStream = await mustConnect(context, siblingSession.id);
  const { id } = await sendMail(context);
  const streamed = await Promise.all([readStream(stream, id, 700), readStream(siblingStream, id, 700)]);
  siblingStream.cut();
  const deliveries = entriesAbout(
    streamed.flatMap(({ entries }) => entries),
    id,
  );
  context.expect("MA2H-STR-002", deliveries.length <= 1, "two simultaneous streams deliver the same entry");
  await acknowledgeEntries(context, "a", [id], siblingSession.id);
}

/** Judges the acknowledgment of an entry that was only streamed. Returns its id; undefined if no entry arrived. */
async function judgeStreamAck(
  context: ScenarioContext,
  stream: StreamReply,
  session: string,
): Promise<string | undefined> {
  const { id, state } = await sendMail(context, session);
  if (entriesAbout((await readStream(stream, id)).entries, id).length === 0) return undefined;
  const reply = await acknowledgeEntries(context, "a", [id], session);
  const stateAfter = await state();
  const isAcknowledged = reply.status === 200 && (stateAfter === "acknowledged" || stateAfter === undefined);
  const why = `the acknowledgment of a streamed entry is answered with ${inShort(reply)}, and the entry is ${stateAfter}`;
  context.expect("MA2H-STR-004", isAcknowledged, why);
  return id;
}

/** Judges that an entry that was only streamed is repeated, and counts as delivered after a drain. Returns all drained entries. */
async function judgeDrainAfterStream(
  context: ScenarioContext,
  { id, state, session, entry }: { id: string; state(): Promise<unknown>; session: string; entry: DrainedEntry },
): Promise<DrainedEntry[]> {
  await passWindow(context);
  const stateBefore = await state();
  const isStillQueued = stateBefore === "queued" || stateBefore === undefined;
  context.expect("MA2H-STR-003", isStillQueued, `some time after it was streamed, an entry is ${stateBefore}`);
  // The stream may have claimed the entry once more if the hub does not know yet that the stream is cut.
  const drained = await drain(context, "a", session);
  for (let tries = 0; entriesAbout(drained, id).length === 0 && tries < 2; tries++) {
    await passWindow(context);
    drained.push(...(await drain(context, "a", session)));
  }
  const [repeated] = entriesAbout(drained, id);
  context.expect("MA2H-STR-003", repeated !== undefined, "an entry that was only streamed is never repeated");
  if (repeated === undefined) return drained;
  const isAlike = repeated.kind === entry.kind && isSameJson(repeated.payload, entry.payload);
  context.expect("MA2H-STR-001", isAlike, "a stream and a drain deliver the same entry with different content");
  const stateAfter = await state();
  const isDelivered = stateAfter === "delivered" || stateAfter === undefined;
  context.expect("MA2H-STR-003", isDelivered, `after a drain a streamed entry is ${stateAfter}`);
  await acknowledgeEntries(context, "a", [id], session);
  return drained;
}

const refusesOtherSessions: Scenario = {
  name: "streams-of-other-sessions",
  says: "a stream of an unknown, ended or another agent's session is refused, like a drain",
  rules: ["MA2H-STR-009"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    await publishedStream(context);
    // The refusals below prove nothing if the hub refuses a live session too.
    (await mustConnect(context, (await register(context)).id)).cut();
    const expectRefusal = async (subject: string, session: string | undefined, status: number): Promise<void> => {
      const stream = await connect(context, session);
      stream.cut();
      const why = `a stream for ${subject} is answered with HTTP ${stream.status}, not ${status}`;
      context.expect("MA2H-STR-009", stream.status === status, why);
    };
    await expectRefusal("an unknown session", "sess_unknown", 404);
    if (context.has("second-credential"))
      await expectRefusal("another agent's session", (await register(context, "b")).id, 404);
    else context.skip("MA2H-STR-009", "there is no second agent with a session");
    const { sessions } = await readPublished(context);
    const retention = isObject(sessions) ? sessions.terminal_retention_seconds : undefined;
    if (typeof retention === "number" && retention < 10) return;
    const { id } = await register(context);
    await close(context, id);
    await expectRefusal("a session that has ended", id, 410);
    await judgeWithoutSession(context);
  },
};

/** Judges that a stream without a session is refused, or delivers only directives. */
async function judgeWithoutSession(context: ScenarioContext): Promise<void> {
  const stream = await connect(context, undefined);
  if (stream.status !== 200) return stream.cut();
  try {
    const { id, isMessage } = await sendMail(context);
    if (!isMessage) return;
    const { entries } = await readStream(stream, id, 1000);
    const unexpected = entries.find(({ kind }) => kind !== "directive");
    const why = `a stream without a session delivers a ${unexpected?.kind}`;
    context.expect("MA2H-STR-009", unexpected === undefined, why);
  } catch (error) {
    if (!(error instanceof TargetFailure)) throw error;
  } finally {
    stream.cut();
  }
}

export const streams: readonly Scenario[] = [deliversEntries, refusesOtherSessions];
