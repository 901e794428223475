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
import { spellingsOf } from "../../../packs/pack/renamed-scenarios.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { inShort } from "../../ahcp/scenarios/steps.ts";
import { isSigned } from "./signed.ts";
import { connect, mustConnect, publishedStream, sendMail } from "./stream-steps.ts";
import {
  about,
  close,
  type DrainedEntry,
  drain,
  entryIn,
  isSame,
  noClock,
  passWindow,
  register,
  take,
} from "./talk.ts";

const versionSwap = { member: "ahcp_version", values: ["0.3", "0.5"] } as const;

/** The entries in a stream item; undefined if the item has an unknown form. */
function entriesIn(data: string): DrainedEntry[] | undefined {
  const { toParent } = spellingsOf(protocolNamed("ma2h").extends as Extension, versionSwap);
  const found = jsonOf(toParent.text(data));
  const list = isObject(found) && Array.isArray(found.messages) ? found.messages : found;
  const elements = Array.isArray(list) ? list : [list];
  const entries = elements.flatMap((element) => (isObject(element) ? entryIn(element) : []));
  return entries.length === elements.length ? entries : undefined;
}

/** The entries that a stream has delivered. */
interface StreamedEntries {
  entries: DrainedEntry[];
  /** The first item with an unknown form. */
  strange?: string;
}

/** Reads a stream until an entry about a message comes, or until nothing comes for these milliseconds. */
async function readStream(stream: StreamReply, id: string, milliseconds?: number): Promise<StreamedEntries> {
  const read: StreamedEntries = { entries: [] };
  for (;;) {
    const next = await stream.next(milliseconds);
    if (next === "end" || next === "silence") return read;
    const found = entriesIn(next.item.data);
    if (found === undefined) read.strange ??= next.item.data;
    else read.entries.push(...found);
    if (about(read.entries, id).length > 0) return read;
  }
}

/** Milliseconds to wait for an entry; the protocol does not set a time. */
const patienceMs = 20_000;

const strangeForm = "the hub frames the entries of its stream in a way that is not known";

const deliversEntries: Scenario = {
  name: "streams-entries",
  says: "a stream brings entries as a drain does, hides them for a while, and proves no delivery",
  rules: ["MA2H-STR-001", "MA2H-STR-002", "MA2H-STR-003", "MA2H-STR-004"],
  needs: [],
  withinMs: 120_000,
  async play(context) {
    const { isHere, holdMs } = await publishedStream(context);
    const session = await register(context);
    const stream = await connect(context, session.id);
    const refusal = `the stream that the hub publishes answers with HTTP ${stream.status}`;
    if (stream.status !== 200 && !isHere) return context.skip("MA2H-STR-001", refusal);
    context.expect("MA2H-STR-001", stream.status === 200, refusal);
    if (stream.status !== 200) return;
    const { id, state } = await sendMail(context, session.id);
    const { entries, strange: refusesOtherSessions } = await readStream(stream, id, patienceMs);
    const [entry] = about(entries, id);
    if (entry === undefined && refusesOtherSessions !== undefined) return context.skip("MA2H-STR-001", strangeForm);
    context.expect("MA2H-STR-001", entry !== undefined, "a stream does not bring the mail of its session");
    if (entry === undefined) return;
    if (context.has("entry-key")) {
      const holds = await isSigned(context, entry, { agent: context.agents.a, session: session.id });
      context.expect("MA2H-STR-001", holds, `a streamed ${entry.kind} is not signed as a drained entry is`);
    } else context.skip("MA2H-STR-001", "no hook gives the key of entries");
    const before = await state();
    const isUnproved = before === "queued" || before === undefined;
    context.expect("MA2H-STR-003", isUnproved, `an entry that was streamed alone is ${before}`);
    const hidden = about(await drain(context, "a", session.id), id);
    context.expect("MA2H-STR-002", hidden.length === 0, "a drain brings an entry that was just streamed");
    await judgeTwoStreams(context, stream);
    const taken = await judgeStreamAck(context, stream, session.id);
    stream.cut();
    if (!context.has("clock")) {
      for (const rule of ["MA2H-STR-003", "MA2H-STR-004"]) context.skip(rule, noClock);
      return;
    }
    await context.wait(300);
    await context.pass(holdMs + 2000);
    const later = await judgeDrainAfterStream(context, { id, state, session: session.id, entry });
    if (taken === undefined) return context.skip("MA2H-STR-004", "the stream did not bring the entry to acknowledge");
    const again = about(later, taken);
    context.expect("MA2H-STR-004", again.length === 0, "a streamed entry comes again after its acknowledgment");
  },
};

/** Judges that mail for the agent comes to only one of two streams. */
async function judgeTwoStreams(context: ScenarioContext, stream: StreamReply): Promise<void> {
  const other = await register(context);
  const sibling = await mustConnect(context, other.id);
  const { id } = await sendMail(context);
  const [own, its] = await Promise.all([readStream(stream, id, 700), readStream(sibling, id, 700)]);
  sibling.cut();
  const times = about([...own.entries, ...its.entries], id).length;
  context.expect("MA2H-STR-002", times <= 1, "two streams at once bring the same entry");
  await take(context, "a", [id], other.id);
}

/** Judges the acknowledgment of an entry that was only streamed. Returns its id; undefined if no entry came. */
async function judgeStreamAck(
  context: ScenarioContext,
  stream: StreamReply,
  session: string,
): Promise<string | undefined> {
  const { id, state } = await sendMail(context, session);
  if (about((await readStream(stream, id)).entries, id).length === 0) return undefined;
  const reply = await take(context, "a", [id], session);
  const after = await state();
  const isTaken = reply.status === 200 && (after === "acknowledged" || after === undefined);
  context.expect("MA2H-STR-004", isTaken, `a streamed entry is acknowledged (${inShort(reply)}), and is ${after}`);
  return id;
}

/** Judges that an entry that was only streamed comes again, and that a drain delivers it. Returns all drained entries. */
async function judgeDrainAfterStream(
  context: ScenarioContext,
  { id, state, session, entry }: { id: string; state(): Promise<unknown>; session: string; entry: DrainedEntry },
): Promise<DrainedEntry[]> {
  await passWindow(context);
  const still = await state();
  const isStill = still === "queued" || still === undefined;
  context.expect("MA2H-STR-003", isStill, `some time after it was streamed an entry is ${still}`);
  // The stream may have claimed it once more if the hub does not know yet that the stream is cut.
  const found = await drain(context, "a", session);
  for (let tries = 0; about(found, id).length === 0 && tries < 2; tries++) {
    await passWindow(context);
    found.push(...(await drain(context, "a", session)));
  }
  const [again] = about(found, id);
  context.expect("MA2H-STR-003", again !== undefined, "an entry that was streamed alone never comes again");
  if (again === undefined) return found;
  const isAlike = again.kind === entry.kind && isSame(again.payload, entry.payload);
  context.expect("MA2H-STR-001", isAlike, "a stream and a drain bring the same entry with different content");
  const drained = await state();
  const isDelivered = drained === "delivered" || drained === undefined;
  context.expect("MA2H-STR-003", isDelivered, `after a drain a streamed entry is ${drained}`);
  await take(context, "a", [id], session);
  return found;
}

const strange: Scenario = {
  name: "streams-of-other-sessions",
  says: "a stream for a session that is foreign, unknown or has ended is refused as a drain is",
  rules: ["MA2H-STR-009"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    await publishedStream(context);
    // The refusals below show nothing if the hub refuses a live session too.
    (await mustConnect(context, (await register(context)).id)).cut();
    const expectRefusal = async (words: string, session: string | undefined, status: number): Promise<void> => {
      const stream = await connect(context, session);
      stream.cut();
      const why = `a stream for ${words} is answered with HTTP ${stream.status}, not ${status}`;
      context.expect("MA2H-STR-009", stream.status === status, why);
    };
    await expectRefusal("an unknown session", "sess_unknown", 404);
    if (context.has("second-credential"))
      await expectRefusal("another agent's session", (await register(context, "b")).id, 404);
    else context.skip("MA2H-STR-009", "there is no second agent with a session");
    const { sessions } = await readPublished(context);
    const kept = isObject(sessions) ? sessions.terminal_retention_seconds : undefined;
    if (typeof kept === "number" && kept < 10) return;
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
    const young = entries.filter(({ kind }) => kind !== "directive");
    context.expect("MA2H-STR-009", young.length === 0, `a stream without a session brings a ${young[0]?.kind}`);
  } catch (error) {
    if (!(error instanceof TargetFailure)) throw error;
  } finally {
    stream.cut();
  }
}

export const streams: readonly Scenario[] = [deliversEntries, strange];
