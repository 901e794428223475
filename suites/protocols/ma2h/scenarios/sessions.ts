import {
  type HttpReply,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { notify } from "../../ahcp/scenarios/messages.ts";
import { codeOf, inShort, isAccepted, isClientError, post } from "../../ahcp/scenarios/steps.ts";
import {
  close,
  draining,
  fromSession,
  liveSessions,
  type OpenSession,
  publishedMailboxes,
  publishedSessions,
  register,
  registering,
  sessionIn,
  sessionOf,
  sessionPath,
  take,
  waitUntil,
} from "./talk.ts";

const toMs = (value: unknown): number => Date.parse(String(value));

/** The shortest lease in seconds that the scenarios use: the hub's minimum, but at least a minute. */
async function shortLease(context: ScenarioContext): Promise<number> {
  const { min_ttl_seconds: least } = await publishedSessions(context);
  return typeof least === "number" ? Math.max(least, 60) : 60;
}

const registersSessions: Scenario = {
  name: "sessions-registering",
  says: "an agent registers sessions, each with an id and a lease of the hub's making, and none that is malformed",
  rules: ["MA2H-SES-001", "MA2H-SES-002", "MA2H-SES-004", "MA2H-SES-006"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const bounds = await publishedSessions(context);
    const { reply, shown, id } = await register(context, "a", { label: context.fresh("label") });
    const [fault] = (await context.violations("session-envelope", reply.json ?? null)).filter(
      ({ level }) => level === "MUST",
    );
    context.expect(
      "MA2H-SES-001",
      fault === undefined,
      `the answer breaks its schema: ${fault?.at} ${fault?.why}`,
      reply,
    );
    const isOwn = shown.state === "active" && shown.agent_id === context.agents.a;
    context.expect("MA2H-SES-001", isOwn, `the session is ${shown.state}, of ${shown.agent_id}`, reply);
    const claims = { id: "sess_mine", agent_id: "boss", state: "closed", closed_by_operator: true };
    const claimed = await register(context, "a", claims);
    const { shown: told } = claimed;
    const isFresh = told.id !== "sess_mine" && told.id !== id && told.agent_id === context.agents.a;
    const isActive = told.state === "active" && told.closed_by_operator === undefined;
    const why = `a registration with claims yields ${inShort(claimed.reply)}`;
    context.expect("MA2H-SES-002", isFresh && isActive, why, claimed.reply);
    context.expect("MA2H-SES-002", /^sess_./.test(id), `the id "${id}" does not begin with sess_`, reply);
    await judgeMalformed(context);
    await judgeBounds(context, bounds);
  },
};

async function judgeMalformed(context: ScenarioContext): Promise<void> {
  const before = await liveSessions(context, "a");
  const bodies = [
    { ttl_seconds: 0 },
    { ttl_seconds: -1 },
    { ttl_seconds: 1.5 },
    { ttl_seconds: "900" },
    { run_id: "" },
  ];
  for (const body of [...bodies, { labels: { a: 1 } }]) {
    const reply = await registering(context, body);
    const isRefused = reply.status === 400 || reply.status === 422;
    context.expect("MA2H-SES-004", isRefused, `${JSON.stringify(body)} is answered with ${inShort(reply)}`, reply);
    const { id } = sessionIn(reply);
    if (typeof id === "string") await close(context, id);
  }
  const isSame = (await liveSessions(context, "a")).length === before.length;
  context.expect("MA2H-SES-004", isSame, "a refused registration has made a session");
}

async function judgeBounds(context: ScenarioContext, bounds: JsonObject): Promise<void> {
  const { min_ttl_seconds: least, max_ttl_seconds: most } = bounds;
  for (const [asked, isWithin, words] of [
    [typeof most === "number" ? most * 10 : undefined, (ttl: number) => ttl <= Number(most), `more than ${most}`],
    [typeof least === "number" ? 1 : undefined, (ttl: number) => ttl >= Number(least), `less than ${least}`],
  ] as const) {
    if (asked === undefined) continue;
    const { reply, shown } = await register(context, "a", { ttl_seconds: asked });
    const lasts = Math.round((toMs(shown.expires_at) - toMs(shown.created_at)) / 1000);
    context.expect("MA2H-SES-006", isWithin(lasts), `a lease of ${lasts} s is ${words} s`, reply);
    const isTold = shown.ttl_seconds === undefined || Math.abs(Number(shown.ttl_seconds) - lasts) <= 1;
    context.expect(
      "MA2H-SES-006",
      isTold,
      `ttl_seconds is ${shown.ttl_seconds}, and the lease lasts ${lasts} s`,
      reply,
    );
  }
}

const renewsLease: Scenario = {
  name: "sessions-renewing",
  says: "drains, acknowledgments and submits of a session renew its lease, and nothing else does",
  rules: ["MA2H-SES-008", "MA2H-SES-009", "MA2H-SES-026"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    const ttl = await shortLease(context);
    const { id } = await register(context, "a", { ttl_seconds: ttl });
    const ofMail: [string, () => Promise<unknown>][] = [
      ["a drain", () => draining(context, "a", id)],
      ["an acknowledgment of entries", () => take(context, "a", ["msg_unknown"], id)],
    ];
    // A hub may offer sessions without mailboxes.
    const acts: typeof ofMail = [
      ...((await publishedMailboxes(context)) === undefined ? [] : ofMail),
      ["a submit", () => post(context, fromSession(notify(context), id))],
    ];
    for (const [name, act] of acts) {
      const before = await sessionOf(context, id);
      await context.pass((ttl * 1000) / 2);
      await act();
      // On a slow machine, the other half of the lease may pass in real time.
      if ((await context.now()) >= toMs(before.expires_at))
        throw new TargetSkip(`the lease of ${ttl} s ran out before ${name} came`);
      const after = await sessionOf(context, id);
      const isLater = toMs(after.expires_at) > toMs(before.expires_at) && after.state === "active";
      context.expect("MA2H-SES-008", isLater, `${name} of the session does not renew its lease`);
      const isSeen = after.last_seen === undefined || toMs(after.last_seen) > toMs(before.last_seen ?? 0);
      context.expect("MA2H-SES-008", isSeen, `${name} of the session does not move last_seen`);
      const isShown = typeof after.last_seen === "string";
      context.expect("MA2H-SES-026", isShown, "a session that is read has no last_seen", "SHOULD");
    }
    const first = await sessionOf(context, id);
    await context.pass((ttl * 1000) / 8);
    const before = await sessionOf(context, id);
    const isStill = before.expires_at === first.expires_at;
    context.expect("MA2H-SES-009", isStill, "a read of the session renews its lease", "SHOULD");
    // Each further read would renew the lease.
    if (!isStill) return;
    const other = await register(context);
    await context.pass((ttl * 1000) / 8);
    await draining(context, "a");
    await draining(context, "a", other.id);
    await take(context, "a", ["msg_unknown"]);
    await sessionOf(context, id);
    const after = await sessionOf(context, id);
    const isSame = after.expires_at === before.expires_at;
    const why = "a drain without session or the traffic of another session renews the lease";
    context.expect("MA2H-SES-009", isSame, why);
  },
};

const leaseLapses: Scenario = {
  name: "sessions-lapsing",
  says: "a lease that is not renewed ends the session for good, at its time and not before",
  rules: ["MA2H-SES-010", "MA2H-SES-012", "MA2H-SES-024"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    const ttl = await shortLease(context);
    const { id, shown } = await register(context, "a", { ttl_seconds: ttl });
    await context.pass(toMs(shown.expires_at) - (await context.now()) - 1000);
    const early = await sessionOf(context, id);
    context.expect("MA2H-SES-010", early.state === "active", `before expires_at it is ${early.state}`);
    if (isRetentionBelow(await publishedSessions(context), 30)) return context.skip("MA2H-SES-012", notKept);
    await context.pass(toMs(early.expires_at ?? shown.expires_at) - (await context.now()) + 12_000);
    const late = await sessionOf(context, id);
    context.expect("MA2H-SES-010", late.state === "expired", `after expires_at it is ${late.state}`);
    await judgeGone(context, id);
    await close(context, id);
    const last = await sessionOf(context, id);
    context.expect("MA2H-SES-010", last.state !== "active", "a late drain brings the session back");
    context.expect("MA2H-SES-012", last.state !== "closed", "a session that expired becomes closed");
  },
};

const notKept = "the hub keeps ended sessions too briefly";

/** Whether the hub keeps ended sessions for fewer seconds than these. */
function isRetentionBelow({ terminal_retention_seconds: kept }: JsonObject, seconds: number): boolean {
  return typeof kept === "number" && kept < seconds;
}

/** Judges the answers to requests that name the agent's own ended session. */
async function judgeGone(context: ScenarioContext, id: string): Promise<void> {
  if ((await publishedMailboxes(context)) === undefined)
    return context.skip("MA2H-SES-024", "the hub has no mailboxes");
  if (isRetentionBelow(await publishedSessions(context), 20)) return context.skip("MA2H-SES-024", notKept);
  for (const reply of [await draining(context, "a", id), await take(context, "a", ["msg_unknown"], id)]) {
    const isGone = reply.status === 410 && codeOf(reply) === "gone";
    context.expect("MA2H-SES-024", isGone, `an own ended session is answered with ${inShort(reply)}`, reply);
  }
}

const closesSession: Scenario = {
  name: "sessions-closing",
  says: "an agent closes its session, as often as it likes, and it stays closed",
  rules: ["MA2H-SES-011", "MA2H-SES-012", "MA2H-SES-024"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const published = await publishedSessions(context);
    const ttl = await shortLease(context);
    const { id } = await register(context, "a", { ttl_seconds: ttl });
    const seen: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const reply = await close(context, id);
      context.expect("MA2H-SES-011", isAccepted(reply), `a close is answered with ${inShort(reply)}`, reply);
      if (isRetentionBelow(published, 20)) continue;
      const { state, closed_at: at } = await sessionOf(context, id);
      context.expect("MA2H-SES-011", state === "closed", `after a close it is ${state}`);
      seen.push(at);
      await context.wait(5);
    }
    context.expect("MA2H-SES-011", new Set(seen).size <= 1, `closed_at moves: ${seen.join(", ")}`);
    await judgeGone(context, id);
    if (!context.has("clock")) return context.skip("MA2H-SES-012", "no clock passes the deadline");
    if (isRetentionBelow(published, ttl + 30)) return context.skip("MA2H-SES-012", notKept);
    await context.pass((ttl + 12) * 1000);
    const { state } = await sessionOf(context, id);
    context.expect("MA2H-SES-012", state === "closed", `a closed session is ${state} after its deadline`);
  },
};

const forgetsSessions: Scenario = {
  name: "sessions-kept",
  says: "an ended session can be read for as long as the hub publishes, and then is gone",
  rules: ["MA2H-SES-013"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    const { terminal_retention_seconds: kept } = await publishedSessions(context);
    if (typeof kept !== "number" || kept < 20) throw new TargetSkip("the hub publishes no time of some length");
    const { id } = await register(context);
    await close(context, id);
    const look = (): Promise<HttpReply> => context.send({ method: "GET", path: sessionPath(id), as: "a" });
    await context.pass((kept - 10) * 1000);
    const early = await look();
    context.expect("MA2H-SES-013", early.status === 200, `within its time it yields ${inShort(early)}`, early);
    await context.pass(20_000);
    const late = await waitUntil(context, look, ({ status }) => status === 404);
    context.expect("MA2H-SES-013", late.status === 404, `after its time it yields ${inShort(late)}`, late);
  },
};

const refusesStrangers: Scenario = {
  name: "sessions-strangers",
  says: "a request of another agent, or without a credential, neither uses a session nor learns of it",
  rules: ["MA2H-SES-014", "MA2H-SES-016", "MA2H-SES-027"],
  needs: ["second-credential"],
  withinMs: 30_000,
  async play(context) {
    const { agent_list_visibility: isVisible } = await publishedSessions(context);
    const { id } = await register(context);
    const replies = [
      await close(context, id, "b"),
      await draining(context, "b", id),
      await take(context, "b", ["x"], id),
    ];
    const unknown = await draining(context, "b", "sess_unknown");
    for (const reply of replies) {
      const isHidden = reply.status === 404 && reply.status === unknown.status;
      context.expect("MA2H-SES-014", isHidden, `another agent's use is answered with ${inShort(reply)}`, reply);
      context.expect("MA2H-SES-027", isClientError(reply), `the id gives access: ${inShort(reply)}`, reply);
    }
    const anonymous = await context.send({ method: "GET", path: sessionPath(id), as: "nobody" });
    const why = `without a credential it is read: ${inShort(anonymous)}`;
    context.expect("MA2H-SES-027", anonymous.status === 401 || anonymous.status === 404, why, anonymous);
    const { state } = await sessionOf(context, id);
    context.expect("MA2H-SES-014", state === "active", `another agent's close leaves it ${state}`);
    if (isVisible !== false) return context.skip("MA2H-SES-016", "the hub may show sessions of others");
    const read = await context.send({ method: "GET", path: sessionPath(id), as: "b" });
    context.expect("MA2H-SES-016", isClientError(read), `another agent reads it: ${inShort(read)}`, read);
    const list = await context.send({ method: "GET", path: "/v1/sessions", as: "b" });
    context.expect("MA2H-SES-016", !list.text.includes(id), "another agent's list has it", list);
  },
};

const listsSessions: Scenario = {
  name: "sessions-listing",
  says: "an agent lists all of its own sessions, the ended ones too",
  rules: ["MA2H-SES-015"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const { terminal_retention_seconds: kept } = await publishedSessions(context);
    const [live, ended] = [await register(context), await register(context)];
    await close(context, ended.id);
    const reply = await context.send({ method: "GET", path: "/v1/sessions", as: "a" });
    const found = reply.status === 200 ? await context.violations("session-list", reply.json ?? null) : [];
    const [fault] = found.filter(({ level }) => level === "MUST");
    const isList = reply.status === 200 && fault === undefined;
    context.expect(
      "MA2H-SES-015",
      isList,
      `the list is wrong: ${fault?.at ?? ""} ${fault?.why ?? inShort(reply)}`,
      reply,
    );
    const isShort = typeof kept === "number" && kept < 20;
    const due: OpenSession[] = isShort ? [live] : [live, ended];
    const missing = due.filter(({ id }) => !reply.text.includes(JSON.stringify(id)));
    const why = `the list lacks ${missing.map(({ id }) => id).join(", ")}`;
    context.expect("MA2H-SES-015", !isList || missing.length === 0, why, reply);
  },
};

/** Limits above this number are not tested. */
const maxLimitTried = 64;

const limitsSessions: Scenario = {
  name: "sessions-limit",
  says: "an agent that has as many live sessions as the hub publishes registers no more until one ends",
  rules: ["MA2H-SES-007"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const { max_live_per_agent: most } = await publishedSessions(context);
    if (typeof most !== "number" || most > maxLimitTried)
      throw new TargetSkip(`no limit of at most ${maxLimitTried} sessions`);
    const had = (await liveSessions(context, "a")).length;
    const made: string[] = [];
    for (let live = had; live < most; live++) made.push((await register(context)).id);
    const over = await context.send({ method: "POST", path: "/v1/sessions", body: {}, as: "a", isHurried: true });
    const isRefused = over.status === 429 && codeOf(over) === "rate_limited";
    context.expect("MA2H-SES-007", isRefused, `session ${most + 1} is answered with ${inShort(over)}`, over);
    if (context.agents.b !== undefined) {
      const other = await registering(context, {}, "b");
      context.expect("MA2H-SES-007", other.status === 201, `another agent gets ${inShort(other)}`, other);
      await close(context, String(sessionIn(other).id), "b");
    }
    const [first] = made;
    if (first === undefined) return;
    await close(context, first);
    const next = await registering(context, {});
    context.expect("MA2H-SES-007", next.status === 201, `after a close it gets ${inShort(next)}`, next);
    await close(context, String(sessionIn(next).id));
  },
};

export const sessions: readonly Scenario[] = [
  registersSessions,
  listsSessions,
  renewsLease,
  leaseLapses,
  closesSession,
  forgetsSessions,
  refusesStrangers,
  limitsSessions,
];
