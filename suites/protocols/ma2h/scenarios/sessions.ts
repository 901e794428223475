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
  acknowledgeEntries,
  close,
  fromSession,
  liveSessions,
  type OpenSession,
  publishedMailboxes,
  publishedSessions,
  register,
  requestDrain,
  requestRegistration,
  sessionIn,
  sessionOf,
  sessionPath,
  waitUntil,
} from "./talk.ts";

const toMs = (value: unknown): number => Date.parse(String(value));

/** The shortest lease in seconds that the scenarios use: the hub's minimum, but at least a minute. */
async function shortLease(context: ScenarioContext): Promise<number> {
  const { min_ttl_seconds: minTtl } = await publishedSessions(context);
  return typeof minTtl === "number" ? Math.max(minTtl, 60) : 60;
}

const registersSessions: Scenario = {
  name: "sessions-registering",
  says: "the hub chooses the id and lease of a registered session, and refuses malformed registrations",
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
      `the answer violates its schema: ${fault?.at} ${fault?.why}`,
      reply,
    );
    const isActiveForAgent = shown.state === "active" && shown.agent_id === context.agents.a;
    const whyNotActive = `the session is ${shown.state}, and its agent is ${shown.agent_id}`;
    context.expect("MA2H-SES-001", isActiveForAgent, whyNotActive, reply);
    const claims = { id: "sess_mine", agent_id: "boss", state: "closed", closed_by_operator: true };
    const { shown: claimed, reply: claimedReply } = await register(context, "a", claims);
    const isFresh = claimed.id !== "sess_mine" && claimed.id !== id && claimed.agent_id === context.agents.a;
    const isActive = claimed.state === "active" && claimed.closed_by_operator === undefined;
    const why = `a registration that sets members of the hub is answered with ${inShort(claimedReply)}`;
    context.expect("MA2H-SES-002", isFresh && isActive, why, claimedReply);
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
    const reply = await requestRegistration(context, body);
    const isRefused = reply.status === 400 || reply.status === 422;
    context.expect("MA2H-SES-004", isRefused, `${JSON.stringify(body)} is answered with ${inShort(reply)}`, reply);
    const { id } = sessionIn(reply);
    if (typeof id === "string") await close(context, id);
  }
  const isUnchanged = (await liveSessions(context, "a")).length === before.length;
  context.expect("MA2H-SES-004", isUnchanged, "a refused registration created a session");
}

async function judgeBounds(context: ScenarioContext, bounds: JsonObject): Promise<void> {
  const { min_ttl_seconds: minTtl, max_ttl_seconds: maxTtl } = bounds;
  for (const [requestedTtl, isWithin, violation] of [
    [
      typeof maxTtl === "number" ? maxTtl * 10 : undefined,
      (ttl: number) => ttl <= Number(maxTtl),
      `more than ${maxTtl}`,
    ],
    [typeof minTtl === "number" ? 1 : undefined, (ttl: number) => ttl >= Number(minTtl), `less than ${minTtl}`],
  ] as const) {
    if (requestedTtl === undefined) continue;
    const { reply, shown } = await register(context, "a", { ttl_seconds: requestedTtl });
    const leaseSeconds = Math.round((toMs(shown.expires_at) - toMs(shown.created_at)) / 1000);
    context.expect("MA2H-SES-006", isWithin(leaseSeconds), `a lease of ${leaseSeconds} s is ${violation} s`, reply);
    const isConsistent = shown.ttl_seconds === undefined || Math.abs(Number(shown.ttl_seconds) - leaseSeconds) <= 1;
    const why = `ttl_seconds is ${shown.ttl_seconds}, and the lease lasts ${leaseSeconds} s`;
    context.expect("MA2H-SES-006", isConsistent, why, reply);
  }
}

const renewsLease: Scenario = {
  name: "sessions-renewing",
  says: "only drains, acknowledgments and submits of a session renew its lease",
  rules: ["MA2H-SES-008", "MA2H-SES-009", "MA2H-SES-026"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    const ttl = await shortLease(context);
    const { id } = await register(context, "a", { ttl_seconds: ttl });
    const mailboxActs: [name: string, act: () => Promise<unknown>][] = [
      ["a drain", () => requestDrain(context, "a", id)],
      ["an acknowledgment of entries", () => acknowledgeEntries(context, "a", ["msg_unknown"], id)],
    ];
    // A hub may offer sessions without mailboxes.
    const acts: typeof mailboxActs = [
      ...((await publishedMailboxes(context)) === undefined ? [] : mailboxActs),
      ["a submit", () => post(context, fromSession(notify(context), id))],
    ];
    for (const [name, act] of acts) {
      const before = await sessionOf(context, id);
      await context.pass((ttl * 1000) / 2);
      await act();
      // On a slow machine, the other half of the lease may pass in real time.
      if ((await context.now()) >= toMs(before.expires_at))
        throw new TargetSkip(`the lease of ${ttl} s ran out before ${name} was made`);
      const after = await sessionOf(context, id);
      const isLater = toMs(after.expires_at) > toMs(before.expires_at) && after.state === "active";
      context.expect("MA2H-SES-008", isLater, `${name} of the session does not renew its lease`);
      const isSeenLater = after.last_seen === undefined || toMs(after.last_seen) > toMs(before.last_seen ?? 0);
      context.expect("MA2H-SES-008", isSeenLater, `${name} of the session does not update last_seen`);
      const hasLastSeen = typeof after.last_seen === "string";
      context.expect("MA2H-SES-026", hasLastSeen, "the session is shown without last_seen", "SHOULD");
    }
    const first = await sessionOf(context, id);
    await context.pass((ttl * 1000) / 8);
    const before = await sessionOf(context, id);
    const isUnrenewed = before.expires_at === first.expires_at;
    context.expect("MA2H-SES-009", isUnrenewed, "a read of the session renews its lease", "SHOULD");
    // The reads below would renew the lease too.
    if (!isUnrenewed) return;
    const other = await register(context);
    await context.pass((ttl * 1000) / 8);
    await requestDrain(context, "a");
    await requestDrain(context, "a", other.id);
    await acknowledgeEntries(context, "a", ["msg_unknown"]);
    await sessionOf(context, id);
    const after = await sessionOf(context, id);
    const isSameExpiry = after.expires_at === before.expires_at;
    const why = "a drain without a session, or the traffic of another session, renews the lease";
    context.expect("MA2H-SES-009", isSameExpiry, why);
  },
};

const leaseLapses: Scenario = {
  name: "sessions-lapsing",
  says: "a session ends for good when its lease expires, and not earlier",
  rules: ["MA2H-SES-010", "MA2H-SES-012", "MA2H-SES-024"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    const ttl = await shortLease(context);
    const { id, shown } = await register(context, "a", { ttl_seconds: ttl });
    await context.pass(toMs(shown.expires_at) - (await context.now()) - 1000);
    const early = await sessionOf(context, id);
    context.expect("MA2H-SES-010", early.state === "active", `before expires_at the session is ${early.state}`);
    if (isRetentionBelow(await publishedSessions(context), 30)) return context.skip("MA2H-SES-012", briefRetention);
    await context.pass(toMs(early.expires_at ?? shown.expires_at) - (await context.now()) + 12_000);
    const late = await sessionOf(context, id);
    context.expect("MA2H-SES-010", late.state === "expired", `after expires_at the session is ${late.state}`);
    await judgeGone(context, id);
    await close(context, id);
    const last = await sessionOf(context, id);
    context.expect("MA2H-SES-010", last.state !== "active", "a late drain revives the session");
    context.expect("MA2H-SES-012", last.state !== "closed", "a session that expired becomes closed");
  },
};

const briefRetention = "the hub keeps ended sessions too briefly";

/** Whether the hub keeps ended sessions for less than the given number of seconds. */
function isRetentionBelow({ terminal_retention_seconds: retention }: JsonObject, seconds: number): boolean {
  return typeof retention === "number" && retention < seconds;
}

/** Judges the answers to requests that name the agent's own ended session. */
async function judgeGone(context: ScenarioContext, id: string): Promise<void> {
  if ((await publishedMailboxes(context)) === undefined)
    return context.skip("MA2H-SES-024", "the hub has no mailboxes");
  if (isRetentionBelow(await publishedSessions(context), 20)) return context.skip("MA2H-SES-024", briefRetention);
  for (const reply of [
    await requestDrain(context, "a", id),
    await acknowledgeEntries(context, "a", ["msg_unknown"], id),
  ]) {
    const isGone = reply.status === 410 && codeOf(reply) === "gone";
    context.expect("MA2H-SES-024", isGone, `a request of an ended session is answered with ${inShort(reply)}`, reply);
  }
}

const closesSession: Scenario = {
  name: "sessions-closing",
  says: "an agent can close its session repeatedly, and the session stays closed",
  rules: ["MA2H-SES-011", "MA2H-SES-012", "MA2H-SES-024"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const published = await publishedSessions(context);
    const ttl = await shortLease(context);
    const { id } = await register(context, "a", { ttl_seconds: ttl });
    const closeTimes: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const reply = await close(context, id);
      context.expect("MA2H-SES-011", isAccepted(reply), `a close is answered with ${inShort(reply)}`, reply);
      if (isRetentionBelow(published, 20)) continue;
      const { state, closed_at: closedAt } = await sessionOf(context, id);
      context.expect("MA2H-SES-011", state === "closed", `after a close the session is ${state}`);
      closeTimes.push(closedAt);
      await context.wait(5);
    }
    context.expect("MA2H-SES-011", new Set(closeTimes).size <= 1, `closed_at changes: ${closeTimes.join(", ")}`);
    await judgeGone(context, id);
    if (!context.has("clock")) return context.skip("MA2H-SES-012", "no hook moves the clock past the end of the lease");
    if (isRetentionBelow(published, ttl + 30)) return context.skip("MA2H-SES-012", briefRetention);
    await context.pass((ttl + 12) * 1000);
    const { state } = await sessionOf(context, id);
    context.expect("MA2H-SES-012", state === "closed", `after the end of its lease a closed session is ${state}`);
  },
};

const forgetsSessions: Scenario = {
  name: "sessions-kept",
  says: "an ended session can be read for the published time, and then is not found",
  rules: ["MA2H-SES-013"],
  needs: ["clock"],
  withinMs: 60_000,
  async play(context) {
    const { terminal_retention_seconds: retention } = await publishedSessions(context);
    if (typeof retention !== "number" || retention < 20)
      throw new TargetSkip("the hub does not publish a retention time of at least 20 s");
    const { id } = await register(context);
    await close(context, id);
    const readSession = (): Promise<HttpReply> => context.send({ method: "GET", path: sessionPath(id), as: "a" });
    await context.pass((retention - 10) * 1000);
    const early = await readSession();
    const whyEarly = `before the retention time is over, a read is answered with ${inShort(early)}`;
    context.expect("MA2H-SES-013", early.status === 200, whyEarly, early);
    await context.pass(20_000);
    const late = await waitUntil(context, readSession, ({ status }) => status === 404);
    const whyLate = `after the retention time, a read is answered with ${inShort(late)}`;
    context.expect("MA2H-SES-013", late.status === 404, whyLate, late);
  },
};

const refusesStrangers: Scenario = {
  name: "sessions-strangers",
  says: "another agent, or a request without a credential, can neither use nor read a session",
  rules: ["MA2H-SES-014", "MA2H-SES-016", "MA2H-SES-027"],
  needs: ["second-credential"],
  withinMs: 30_000,
  async play(context) {
    const { agent_list_visibility: showsOthers } = await publishedSessions(context);
    const { id } = await register(context);
    const replies = [
      await close(context, id, "b"),
      await requestDrain(context, "b", id),
      await acknowledgeEntries(context, "b", ["x"], id),
    ];
    const unknown = await requestDrain(context, "b", "sess_unknown");
    for (const reply of replies) {
      const isHidden = reply.status === 404 && reply.status === unknown.status;
      context.expect("MA2H-SES-014", isHidden, `another agent's request is answered with ${inShort(reply)}`, reply);
      context.expect(
        "MA2H-SES-027",
        isClientError(reply),
        `the session's id alone allows access: ${inShort(reply)}`,
        reply,
      );
    }
    const anonymous = await context.send({ method: "GET", path: sessionPath(id), as: "nobody" });
    const why = `a read without a credential is answered with ${inShort(anonymous)}`;
    context.expect("MA2H-SES-027", anonymous.status === 401 || anonymous.status === 404, why, anonymous);
    const { state } = await sessionOf(context, id);
    context.expect("MA2H-SES-014", state === "active", `after another agent's close the session is ${state}`);
    if (showsOthers !== false) return context.skip("MA2H-SES-016", "the hub may show sessions of others");
    const read = await context.send({ method: "GET", path: sessionPath(id), as: "b" });
    context.expect("MA2H-SES-016", isClientError(read), `another agent's read is answered with ${inShort(read)}`, read);
    const list = await context.send({ method: "GET", path: "/v1/sessions", as: "b" });
    context.expect("MA2H-SES-016", !list.text.includes(id), "another agent's list contains the session", list);
  },
};

const listsSessions: Scenario = {
  name: "sessions-listing",
  says: "an agent lists all of its sessions, including ended ones",
  rules: ["MA2H-SES-015"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    const published = await publishedSessions(context);
    const [live, ended] = [await register(context), await register(context)];
    await close(context, ended.id);
    const reply = await context.send({ method: "GET", path: "/v1/sessions", as: "a" });
    const violations = reply.status === 200 ? await context.violations("session-list", reply.json ?? null) : [];
    const [fault] = violations.filter(({ level }) => level === "MUST");
    const isList = reply.status === 200 && fault === undefined;
    context.expect(
      "MA2H-SES-015",
      isList,
      `the list is wrong: ${fault?.at ?? ""} ${fault?.why ?? inShort(reply)}`,
      reply,
    );
    const expectedSessions: OpenSession[] = isRetentionBelow(published, 20) ? [live] : [live, ended];
    const missing = expectedSessions.filter(({ id }) => !reply.text.includes(JSON.stringify(id)));
    const why = `the list lacks ${missing.map(({ id }) => id).join(", ")}`;
    context.expect("MA2H-SES-015", !isList || missing.length === 0, why, reply);
  },
};

/** Limits above this number are not tested. */
const maxTestedLimit = 64;

const limitsSessions: Scenario = {
  name: "sessions-limit",
  says: "an agent with the published number of live sessions cannot register another until one ends",
  rules: ["MA2H-SES-007"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const { max_live_per_agent: limit } = await publishedSessions(context);
    if (typeof limit !== "number" || limit > maxTestedLimit)
      throw new TargetSkip(`the hub does not publish a limit of at most ${maxTestedLimit} sessions`);
    const { length: liveBefore } = await liveSessions(context, "a");
    const registeredIds: string[] = [];
    for (let live = liveBefore; live < limit; live++) registeredIds.push((await register(context)).id);
    const excess = await context.send({ method: "POST", path: "/v1/sessions", body: {}, as: "a", isHurried: true });
    const isRefused = excess.status === 429 && codeOf(excess) === "rate_limited";
    context.expect("MA2H-SES-007", isRefused, `session ${limit + 1} is answered with ${inShort(excess)}`, excess);
    if (context.agents.b !== undefined) {
      const other = await requestRegistration(context, {}, "b");
      const why = `the registration of another agent is answered with ${inShort(other)}`;
      context.expect("MA2H-SES-007", other.status === 201, why, other);
      await close(context, String(sessionIn(other).id), "b");
    }
    const [closedId] = registeredIds;
    if (closedId === undefined) return;
    await close(context, closedId);
    const next = await requestRegistration(context, {});
    const why = `after a close, a registration is answered with ${inShort(next)}`;
    context.expect("MA2H-SES-007", next.status === 201, why, next);
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
