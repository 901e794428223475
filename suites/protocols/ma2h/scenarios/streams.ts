import {
  type Extension,
  isObject,
  jsonOf,
  protocolNamed,
  type Scenario,
  type ScenarioContext,
  type StreamReply,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { spellingsOf } from "../../../packs/pack/renamed-scenarios.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { inShort, submit } from "../../ahcp/scenarios/steps.ts";
import { mustDirect } from "./person.ts";
import { isSigned } from "./signed.ts";
import {
  type AgentName,
  about,
  addressOf,
  close,
  type DrainedEntry,
  drain,
  entryIn,
  isSame,
  messageTo,
  passWindow,
  register,
  sessionOf,
  take,
  trackOf,
  waitUntil,
} from "./talk.ts";

/** The place at which a hub streams entries. */
interface PublishedStream {
  path: string;
  /** Milliseconds after which each stream ends at the latest. */
  holdMs: number;
  /** Whether the address is that of the hub that is tested. */
  isHere: boolean;
}

/** Throws a TargetSkip for a hub that offers no streams. */
export async function publishedStream(context: ScenarioContext): Promise<PublishedStream> {
  const { inbound } = await readPublished(context);
  const { enabled, stream_url: address, stream_max_hold_seconds: hold } = isObject(inbound) ? inbound : {};
  if (enabled !== true || typeof address !== "string" || !URL.canParse(address))
    throw new TargetSkip("the hub streams no entries");
  const base = new URL(context.setting.url ?? address);
  const { origin, pathname, search } = new URL(address);
  const before = base.pathname.replace(/\/$/, "");
  const path = pathname.startsWith(before) ? pathname.slice(before.length) : pathname;
  return {
    path: `${path}${search}`,
    holdMs: (typeof hold === "number" ? hold : 60) * 1000,
    isHere: origin === base.origin && pathname.startsWith(before),
  };
}

/** Asks for the stream of a session, or for one without a session. */
export async function connect(
  context: ScenarioContext,
  session: string | undefined,
  as: AgentName = "a",
): Promise<StreamReply> {
  const { path } = await publishedStream(context);
  const named = session === undefined ? "" : `${path.includes("?") ? "&" : "?"}session=${encodeURIComponent(session)}`;
  return context.stream({
    method: "GET",
    path: `${path}${named}`,
    body: "",
    headers: { accept: "text/event-stream" },
    as,
  });
}

/** Opens the stream of a live session. Throws a TargetSkip if that is refused, which another rule judges. */
async function mustConnect(context: ScenarioContext, session: string): Promise<StreamReply> {
  const stream = await connect(context, session);
  if (stream.status !== 200) throw new TargetSkip(`a stream is refused with HTTP ${stream.status}`);
  return stream;
}

const version = { member: "ahcp_version", values: ["0.3", "0.5"] } as const;

/** The entries in an item of a stream; undefined if it has another form. */
function entriesIn(data: string): DrainedEntry[] | undefined {
  const { back } = spellingsOf(protocolNamed("ma2h").extends as Extension, version);
  const found = jsonOf(back.text(data));
  const all = Array.isArray(found)
    ? found
    : isObject(found) && Array.isArray(found.messages)
      ? found.messages
      : [found];
  const entries = all.flatMap((each) => (isObject(each) ? entryIn(each) : []));
  return entries.length === all.length ? entries : undefined;
}

/** What a stream has brought. */
interface StreamedEntries {
  entries: DrainedEntry[];
  /** The first item of another form. */
  strange?: string;
}

/** Reads a stream until an entry about a message comes, or nothing for so many milliseconds. */
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

/** Reads a stream to its end; false if it does not end within so many real milliseconds, whatever the scale. */
async function endsWithin(context: ScenarioContext, stream: StreamReply, milliseconds: number): Promise<boolean> {
  const { timeScale = 1 } = context.setting;
  const until = performance.now() + milliseconds;
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return false;
    if ((await stream.next(left / timeScale)) === "end") return true;
  }
}

/** Mail for a session of a, by itself or by its person; and its state. Throws a TargetSkip if neither is possible. */
async function mail(
  context: ScenarioContext,
  session?: string,
): Promise<{ id: string; state(): Promise<unknown> } & { isMessage: boolean }> {
  const to = addressOf(context, "a", session);
  const { inter_agent: between } = await readPublished(context);
  if (isObject(between) && between.enabled === true) {
    const { id } = await submit(context, messageTo(context, "notify", to));
    return { id, isMessage: true, state: async () => (await trackOf(context, id)).state };
  }
  if (!context.has("direct")) throw new TargetSkip("nothing shows how mail comes to an agent");
  const id = await mustDirect(context, { to, title: "d" });
  const state = async (): Promise<unknown> =>
    context.has("track") ? (await context.hook("track", { id })).state : undefined;
  return { id, isMessage: false, state };
}

const strangeForm = "the hub frames the entries of its stream in a way that is not known";

const brought: Scenario = {
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
    const { id, state } = await mail(context, session.id);
    const { entries, strange } = await readStream(stream, id);
    const [entry] = about(entries, id);
    if (entry === undefined && strange !== undefined) return context.skip("MA2H-STR-001", strangeForm);
    context.expect("MA2H-STR-001", entry !== undefined, "a stream does not bring the mail of its session");
    if (entry === undefined) return;
    if (context.has("entry-key")) {
      const holds = await isSigned(context, entry, { agent: context.agents.a, session: session.id });
      context.expect("MA2H-STR-001", holds, `a streamed ${entry.kind} is not signed as one that is drained`);
    } else context.skip("MA2H-STR-001", "no hook gives the key of entries");
    const before = await state();
    const isUnproved = before === "queued" || before === undefined;
    context.expect("MA2H-STR-003", isUnproved, `an entry that was streamed alone is ${before}`);
    const hidden = about(await drain(context, "a", session.id), id);
    context.expect("MA2H-STR-002", hidden.length === 0, "a drain brings an entry that was just streamed");
    await judgeShared(context, stream);
    const taken = await judgeTaken(context, stream, session.id);
    stream.cut();
    if (!context.has("clock")) return context.skip("MA2H-STR-003", "no hook moves the clock past the time of hiding");
    await context.wait(300);
    await context.pass(holdMs + 2000);
    const later = await judgeLater(context, { id, state, session: session.id, entry });
    const again = taken === undefined ? [] : about(later, taken);
    context.expect("MA2H-STR-004", again.length === 0, "a streamed entry comes again after its acknowledgment");
  },
};

/** Mail for the agent comes to one of two streams. */
async function judgeShared(context: ScenarioContext, stream: StreamReply): Promise<void> {
  const other = await register(context);
  const sibling = await mustConnect(context, other.id);
  const { id } = await mail(context);
  const [own, its] = await Promise.all([readStream(stream, id, 700), readStream(sibling, id, 700)]);
  sibling.cut();
  const times = about([...own.entries, ...its.entries], id).length;
  context.expect("MA2H-STR-002", times <= 1, "two streams at once bring the same entry");
  await take(context, "a", [id], other.id);
}

/** An acknowledgment after a stream alone; returns the id of the entry, unless none came. */
async function judgeTaken(context: ScenarioContext, stream: StreamReply, session: string): Promise<string | undefined> {
  const { id, state } = await mail(context, session);
  if (about((await readStream(stream, id)).entries, id).length === 0) return undefined;
  const reply = await take(context, "a", [id], session);
  const after = await state();
  const isTaken = reply.status === 200 && (after === "acknowledged" || after === undefined);
  context.expect("MA2H-STR-004", isTaken, `a streamed entry is acknowledged (${inShort(reply)}), and is ${after}`);
  return id;
}

/** An entry that was only streamed comes again, and is delivered by a drain. Returns all that was drained. */
async function judgeLater(
  context: ScenarioContext,
  { id, state, session, entry }: { id: string; state(): Promise<unknown>; session: string; entry: DrainedEntry },
): Promise<DrainedEntry[]> {
  await passWindow(context);
  const still = await state();
  const isStill = still === "queued" || still === undefined;
  context.expect("MA2H-STR-003", isStill, `some time after it was streamed an entry is ${still}`);
  // A stream that its hub does not know to be cut may have claimed it once more.
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

/** Streams that may last longer are not waited for. */
const longestHold = 90_000;

const ended: Scenario = {
  name: "streams-end",
  says: "the hub ends each stream within the time that it publishes",
  rules: ["MA2H-STR-005"],
  needs: [],
  withinMs: 150_000,
  waits: longestHold,
  ownTimers: true,
  async play(context) {
    const { holdMs } = await publishedStream(context);
    const { id } = await register(context);
    const stream = await mustConnect(context, id);
    if (context.has("clock")) await context.pass(holdMs + 2000);
    // It may have timers that no hook moves.
    const isMoved = context.has("clock") && (await endsWithin(context, stream, 1000));
    if (!isMoved && holdMs > longestHold) return context.skip("MA2H-STR-005", "its streams may last for too long");
    const hasEnded = isMoved || (await endsWithin(context, stream, holdMs + 2000));
    context.expect("MA2H-STR-005", hasEnded, `a stream lasts for more than the ${holdMs / 1000} s that are published`);
  },
};

/** Longer leases are not waited for, in milliseconds. */
const longestLease = 20_000;

const leased: Scenario = {
  name: "streams-short-lease",
  says: "a stream ends early enough for its session to connect again before its lease is over",
  rules: ["MA2H-STR-006"],
  needs: [],
  withinMs: 90_000,
  waits: 2 * longestLease,
  ownTimers: true,
  async play(context) {
    const { holdMs } = await publishedStream(context);
    const { sessions } = await readPublished(context);
    const least = isObject(sessions) && typeof sessions.min_ttl_seconds === "number" ? sessions.min_ttl_seconds : 5;
    if (least * 1000 > Math.min(longestLease, holdMs - 1))
      throw new TargetSkip("the hub gives no lease that is shorter than its streams, or none that is waited for");
    let isKept = false;
    // One try may fail because the machine is slow.
    for (let tries = 0; !isKept && tries < 2; tries++) {
      const { id, shown } = await register(context, "a", { ttl_seconds: least });
      const lease = Date.parse(String(shown.expires_at)) - Date.parse(String(shown.created_at));
      if (!(lease <= longestLease)) throw new TargetSkip(`the hub gives a lease of ${lease / 1000} s`);
      const stream = await mustConnect(context, id);
      if (!(await endsWithin(context, stream, lease + 2000))) continue;
      const again = await connect(context, id);
      isKept = again.status === 200;
      again.cut();
    }
    const why = "a stream lasts until the lease of its session is over, so that the session ends";
    context.expect("MA2H-STR-006", isKept, why);
  },
};

const idle: Scenario = {
  name: "streams-keep-nothing-alive",
  says: "a stream that is merely open renews no lease, and its session ends with its mail",
  waits: 1000,
  rules: ["MA2H-STR-007"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedStream(context);
    const { id } = await register(context, "a", { ttl_seconds: 60 });
    const stream = await mustConnect(context, id);
    const first = await sessionOf(context, id);
    const sent = await mail(context, id);
    await context.pass(2000);
    // A hub may renew leases only from time to time.
    await context.wait(1000);
    const second = await sessionOf(context, id);
    const isFixed = second.last_seen === first.last_seen && second.expires_at === first.expires_at;
    const words = `${first.last_seen} to ${second.last_seen}`;
    context.expect("MA2H-STR-007", isFixed, `with a stream merely open, last_seen moves from ${words}`);
    const left = Date.parse(String(second.expires_at)) - (await context.now());
    await context.pass(left + 1000);
    const third = await waitUntil(
      context,
      () => sessionOf(context, id),
      ({ state }) => state === "expired",
    );
    context.expect("MA2H-STR-007", third.state === "expired", `after its lease the session is ${third.state}`);
    if (third.state !== "expired") return;
    const state = await waitUntil(context, sent.state, (found) => found === "bounced");
    const isBounced = state === "bounced" || state === undefined;
    context.expect("MA2H-STR-007", isBounced, `the mail of the session is ${state}, though it was not acknowledged`);
    stream.cut();
  },
};

const renewing: Scenario = {
  name: "streams-renew",
  says: "each connection to a stream renews the lease of its session",
  rules: ["MA2H-STR-008"],
  needs: [],
  withinMs: 60_000,
  waits: 4000,
  async play(context) {
    await publishedStream(context);
    const { id, shown } = await register(context);
    let before = shown;
    for (const which of ["first", "second"]) {
      await context.pass(2000);
      (await mustConnect(context, id)).cut();
      const after = await sessionOf(context, id);
      const isLater = (name: string): boolean => Date.parse(String(after[name])) > Date.parse(String(before[name]));
      const isSeen = after.last_seen === undefined || before.last_seen === undefined || isLater("last_seen");
      const why = `a ${which} connection leaves the lease at ${after.expires_at} and last_seen at ${after.last_seen}`;
      context.expect("MA2H-STR-008", isLater("expires_at") && isSeen, why);
      before = after;
    }
  },
};

const strange: Scenario = {
  name: "streams-of-other-sessions",
  says: "a stream for a session that is foreign, unknown or has ended is refused as a drain is",
  rules: ["MA2H-STR-009"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    await publishedStream(context);
    // If it is refused to a live session as well, the refusals below show nothing.
    (await mustConnect(context, (await register(context)).id)).cut();
    const refuse = async (words: string, session: string | undefined, status: number): Promise<void> => {
      const stream = await connect(context, session);
      stream.cut();
      const why = `a stream for ${words} is answered with HTTP ${stream.status}, not ${status}`;
      context.expect("MA2H-STR-009", stream.status === status, why);
    };
    await refuse("an unknown session", "sess_unknown", 404);
    if (context.has("second-credential"))
      await refuse("another agent's session", (await register(context, "b")).id, 404);
    const { sessions } = await readPublished(context);
    const kept = isObject(sessions) ? sessions.terminal_retention_seconds : undefined;
    if (typeof kept === "number" && kept < 10) return;
    const { id } = await register(context);
    await close(context, id);
    await refuse("a session that has ended", id, 410);
    await judgeBare(context);
  },
};

/** Without a session a stream is refused, or brings directives alone. */
async function judgeBare(context: ScenarioContext): Promise<void> {
  const stream = await connect(context, undefined);
  if (stream.status !== 200) return stream.cut();
  try {
    const { id, isMessage } = await mail(context);
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

export const streams: readonly Scenario[] = [brought, ended, leased, idle, renewing, strange];
