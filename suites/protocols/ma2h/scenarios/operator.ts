import { type HttpReply, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { waitInRealTime } from "../../ahcp/scenarios/deadline.ts";
import { notify } from "../../ahcp/scenarios/messages.ts";
import { restart } from "../../ahcp/scenarios/restarting.ts";
import { codeOf, inShort, isAccepted, post } from "../../ahcp/scenarios/steps.ts";
import { askAsPerson } from "./person.ts";
import {
  acknowledgeEntries,
  close,
  fromSession,
  liveSessions,
  publishedSessions,
  register,
  requestDrain,
  requestRegistration,
  sessionIn,
  sessionOf,
  sessionPath,
} from "./talk.ts";

const closeHooks = ["close-session", "resume-agent", "second-credential"] as const;

/** Plays, and then lifts the stops of both agents, even if the play fails. */
async function resumeAfter(context: ScenarioContext, play: () => Promise<void>): Promise<void> {
  try {
    await play();
  } finally {
    for (const agent of [context.agents.a, context.agents.b ?? ""])
      await context.hook("resume-agent", { agent }).catch(() => undefined);
  }
}

const marksClosedSessions: Scenario = {
  name: "operator-closes",
  says: "only a session that the person of the account closed is marked so, in reads and in refusals",
  rules: ["MA2H-SES-021", "MA2H-SES-022", "MA2H-SES-023"],
  needs: [...closeHooks],
  withinMs: 60_000,
  async play(context) {
    await publishedSessions(context);
    await resumeAfter(context, async () => {
      const [liveSession, endedSession] = [await register(context), await register(context)];
      await close(context, endedSession.id);
      await context.hook("close-session", { session: endedSession.id });
      const ended = await sessionOf(context, endedSession.id);
      const isUnchanged = ended.state === "closed" && ended.closed_by_operator === undefined;
      const whyChanged = `a close by the operator turns an ended session into ${describeSession(ended)}`;
      context.expect("MA2H-SES-022", isUnchanged, whyChanged);
      const { closed_by_operator: earlyMark } = await sessionOf(context, liveSession.id);
      context.expect("MA2H-SES-021", earlyMark === undefined, "a live session is marked as closed by the operator");
      await context.hook("close-session", { session: liveSession.id });
      const closed = await sessionOf(context, liveSession.id);
      const isMarked = closed.state === "closed" && closed.closed_by_operator === true;
      context.expect("MA2H-SES-021", isMarked, `a session that the operator closed is ${describeSession(closed)}`);
      const replies: HttpReply[] = [
        await requestDrain(context, "a", liveSession.id),
        await acknowledgeEntries(context, "a", ["msg_unknown"], liveSession.id),
        await post(context, fromSession(notify(context), liveSession.id)),
      ];
      for (const reply of replies) {
        const namesOperator = reply.status === 410 && codeOf(reply) === "session_closed_by_operator";
        context.expect(
          "MA2H-SES-023",
          namesOperator,
          `a session that the operator closed yields ${inShort(reply)}`,
          reply,
        );
      }
    });
  },
};

function describeSession(session: object): string {
  const { state, closed_by_operator: mark } = session as Record<string, unknown>;
  return `${state}${mark === undefined ? "" : ", marked"}`;
}

const stopBlocksRegistration: Scenario = {
  name: "operator-stops",
  says: "after a hard stop only registrations of its agent are refused, until the operator lifts the stop",
  rules: ["MA2H-HST-001", "MA2H-HST-003"],
  needs: [...closeHooks],
  withinMs: 60_000,
  async play(context) {
    await playStopped(context, async (id) => {
      judgeStopped(context, "MA2H-HST-001", await requestRegistration(context, {}));
      const otherReply = await requestRegistration(context, {}, "b");
      const whyOther = `the registration of another agent is answered with ${inShort(otherReply)}`;
      context.expect("MA2H-HST-001", otherReply.status === 201, whyOther, otherReply);
      await close(context, String(sessionIn(otherReply).id), "b");
      await close(context, id);
      for (const body of [{}, { run_id: context.fresh("run") }, { label: "another" }, {}, {}])
        judgeStopped(context, "MA2H-HST-003", await requestRegistration(context, body));
      await context.hook("resume-agent", { agent: context.agents.a });
      const resumedReply = await requestRegistration(context, {});
      const whyResumed = `after the stop was lifted, its registration is answered with ${inShort(resumedReply)}`;
      context.expect("MA2H-HST-003", resumedReply.status === 201, whyResumed, resumedReply);
      await close(context, String(sessionIn(resumedReply).id));
    });
  },
};

const stopSurvivesRestart: Scenario = {
  name: "operator-stop-lasts",
  says: "a hard stop survives a restart of the hub",
  rules: ["MA2H-HST-002"],
  needs: [...closeHooks, "restart"],
  withinMs: 60_000,
  async play(context) {
    await playStopped(context, async () => {
      await restart(context);
      judgeStopped(context, "MA2H-HST-002", await requestRegistration(context, {}));
    });
  },
};

/** The usual number of rounds of the race. */
const rounds = 3;

/** The maximum number of rounds, if no registration arrives before a stop. */
const maxRounds = 6;

/** The number of parallel registrations in each round. */
const rivalCount = 8;

/** The milliseconds between the registrations and the stop. Extra rounds wait longer, in case the hub is slow. */
function leadMsOf(round: number): number {
  return round < rounds ? 15 * round : 15 * 2 ** (round - 1);
}

/** How much later than the stop a session may seem to be created, because the hub's times are not exact. */
const toleranceMs = 1000;

const stopWinsRaces: Scenario = {
  name: "operator-stop-races",
  says: "a registration that is parallel to a hard stop does not survive it",
  rules: ["MA2H-HST-004"],
  needs: [...closeHooks],
  withinMs: 120_000,
  async play(context) {
    const { operator_hard_stop: isOffered } = await publishedSessions(context);
    if (isOffered !== true) throw new TargetSkip("the hub does not publish a hard stop");
    let hasRaced = false;
    for (let round = 0; round < rounds || (!hasRaced && round < maxRounds); round++)
      await resumeAfter(context, async () => {
        const { id } = await register(context);
        const registrations = Array.from({ length: rivalCount }, () => requestRegistration(context, {}));
        await waitInRealTime(context, leadMsOf(round));
        await Promise.all([context.hook("close-session", { session: id }), ...registrations]);
        judgeStopped(context, "MA2H-HST-004", await requestRegistration(context, {}));
        const { closed_at: stoppedAt } = await sessionOf(context, id);
        const activeSessions = await liveSessions(context, "a");
        const lateSession = activeSessions.find(
          ({ created_at: createdAt }) => Date.parse(String(createdAt)) > Date.parse(String(stoppedAt)) + toleranceMs,
        );
        const why = `a session was created at ${lateSession?.created_at}, and its agent was stopped at ${stoppedAt}`;
        context.expect("MA2H-HST-004", lateSession === undefined, why);
        for (const reply of await Promise.all(registrations)) {
          const { id: other } = sessionIn(reply);
          if (typeof other !== "string") continue;
          hasRaced = true;
          await close(context, other);
        }
      });
    if (!hasRaced) context.skip("MA2H-HST-004", "every registration arrived after the stop");
  },
};

/** Stops agent `a` by closing one of its sessions as the operator, and plays. Throws a TargetSkip if the hub does not publish a hard stop. */
async function playStopped(context: ScenarioContext, play: (session: string) => Promise<void>): Promise<void> {
  const { operator_hard_stop: isOffered } = await publishedSessions(context);
  if (isOffered !== true) throw new TargetSkip("the hub does not publish a hard stop");
  await resumeAfter(context, async () => {
    const { id } = await register(context);
    await context.hook("close-session", { session: id });
    await play(id);
  });
}

function judgeStopped(context: ScenarioContext, rule: string, reply: HttpReply): void {
  const isRefused = reply.status === 403 && codeOf(reply) === "session_closed_by_operator";
  context.expect(rule, isRefused, `the registration of a stopped agent is answered with ${inShort(reply)}`, reply);
}

const personManagesSessions: Scenario = {
  name: "operator-sees",
  says: "the person of the account lists, reads and closes the sessions of its agents",
  rules: ["MA2H-SES-020"],
  needs: ["person", "resume-agent", "second-credential"],
  withinMs: 60_000,
  async play(context) {
    await publishedSessions(context);
    await resumeAfter(context, async () => {
      for (const as of ["a", "b"] as const) {
        const { id } = await register(context, as);
        const list = await askAsPerson(context, "GET", "/v1/sessions");
        const isListed = list.status === 200 && list.text.includes(JSON.stringify(id));
        context.expect("MA2H-SES-020", isListed, `the person's list lacks a session: ${inShort(list)}`, list);
        const read = await askAsPerson(context, "GET", sessionPath(id));
        context.expect("MA2H-SES-020", sessionIn(read).id === id, `the person reads ${inShort(read)}`, read);
        const closed = await askAsPerson(context, "DELETE", sessionPath(id));
        const { state } = await sessionOf(context, id, as);
        const isClosed = isAccepted(closed) && (state === "closed" || state === undefined);
        context.expect("MA2H-SES-020", isClosed, `the person's close is answered with ${inShort(closed)}`, closed);
      }
    });
  },
};

export const operating: readonly Scenario[] = [
  marksClosedSessions,
  stopBlocksRegistration,
  stopSurvivesRestart,
  stopWinsRaces,
  personManagesSessions,
];
