import { type HttpReply, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { waitInRealTime } from "../../ahcp/scenarios/deadline.ts";
import { notify } from "../../ahcp/scenarios/messages.ts";
import { restart } from "../../ahcp/scenarios/restarting.ts";
import { codeOf, inShort, isAccepted, post } from "../../ahcp/scenarios/steps.ts";
import { askAsPerson } from "./person.ts";
import {
  close,
  draining,
  fromSession,
  liveSessions,
  publishedSessions,
  register,
  registering,
  sessionIn,
  sessionOf,
  sessionPath,
  take,
} from "./talk.ts";

const closeHooks = ["close-session", "resume-agent", "second-credential"] as const;

/** Plays, and then lets both agents register again even if the play fails. */
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
  says: "a session that the person of the account closes says so, at each place that its agent names it, and no other does",
  rules: ["MA2H-SES-021", "MA2H-SES-022", "MA2H-SES-023"],
  needs: [...closeHooks],
  withinMs: 60_000,
  async play(context) {
    await publishedSessions(context);
    await resumeAfter(context, async () => {
      const [stopBlocksRegistration, own] = [await register(context), await register(context)];
      await close(context, own.id);
      await context.hook("close-session", { session: own.id });
      const left = await sessionOf(context, own.id);
      const isLeft = left.state === "closed" && left.closed_by_operator === undefined;
      context.expect(
        "MA2H-SES-022",
        isLeft,
        `a close by the operator turns an ended session into ${describeSession(left)}`,
      );
      const { closed_by_operator: early } = await sessionOf(context, stopBlocksRegistration.id);
      context.expect("MA2H-SES-021", early === undefined, "a live session is marked as closed by the operator");
      await context.hook("close-session", { session: stopBlocksRegistration.id });
      const found = await sessionOf(context, stopBlocksRegistration.id);
      const isMarked = found.state === "closed" && found.closed_by_operator === true;
      context.expect("MA2H-SES-021", isMarked, `a session that the operator closed is ${describeSession(found)}`);
      const replies: HttpReply[] = [
        await draining(context, "a", stopBlocksRegistration.id),
        await take(context, "a", ["msg_unknown"], stopBlocksRegistration.id),
        await post(context, fromSession(notify(context), stopBlocksRegistration.id)),
      ];
      for (const reply of replies) {
        const isTold = reply.status === 410 && codeOf(reply) === "session_closed_by_operator";
        context.expect("MA2H-SES-023", isTold, `a session that the operator closed yields ${inShort(reply)}`, reply);
      }
    });
  },
};

function describeSession(session: object): string {
  const { state, closed_by_operator: mark } = session as Record<string, unknown>;
  return `${state}${mark === undefined ? "" : ", marked"}`;
}

const stopped: Scenario = {
  name: "operator-stops",
  says: "a hard stop refuses registrations of its agent until the operator lifts it, and those of no other",
  rules: ["MA2H-HST-001", "MA2H-HST-003"],
  needs: [...closeHooks],
  withinMs: 60_000,
  async play(context) {
    await stopAgent(context, async (id) => {
      judgeStopped(context, "MA2H-HST-001", await registering(context, {}));
      const other = await registering(context, {}, "b");
      context.expect("MA2H-HST-001", other.status === 201, `another agent gets ${inShort(other)}`, other);
      await close(context, String(sessionIn(other).id), "b");
      await close(context, id);
      for (const body of [{}, { run_id: context.fresh("run") }, { label: "another" }, {}, {}])
        judgeStopped(context, "MA2H-HST-003", await registering(context, body));
      await context.hook("resume-agent", { agent: context.agents.a });
      const again = await registering(context, {});
      context.expect("MA2H-HST-003", again.status === 201, `once the stop is lifted it gets ${inShort(again)}`, again);
      await close(context, String(sessionIn(again).id));
    });
  },
};

const stopSurvivesRestart: Scenario = {
  name: "operator-stop-lasts",
  says: "a hard stop outlives a restart of the hub",
  rules: ["MA2H-HST-002"],
  needs: [...closeHooks, "restart"],
  withinMs: 60_000,
  async play(context) {
    await stopAgent(context, async () => {
      await restart(context);
      judgeStopped(context, "MA2H-HST-002", await registering(context, {}));
    });
  },
};

/** The usual rounds of the race, the rounds at most if no registration comes before a stop, and the registrations per round. */
const [rounds, maxRounds, rivalCount] = [3, 6, 8];

/** Milliseconds from the registrations to the stop. Later rounds wait longer, for a hub that answers slowly. */
function leadOf(round: number): number {
  return round < rounds ? 15 * round : 15 * 2 ** (round - 1);
}

/** Tolerance for the hub's own times: a session may seem to be created this long after the stop. */
const slackMs = 1000;

const stopWinsRaces: Scenario = {
  name: "operator-stop-races",
  says: "no registration at the same time as a hard stop outlives it",
  rules: ["MA2H-HST-004"],
  needs: [...closeHooks],
  withinMs: 120_000,
  async play(context) {
    const { operator_hard_stop: isOffered } = await publishedSessions(context);
    if (isOffered !== true) throw new TargetSkip("the hub publishes no hard stop");
    let isRaced = false;
    for (let round = 0; round < rounds || (!isRaced && round < maxRounds); round++)
      await resumeAfter(context, async () => {
        const { id } = await register(context);
        const made = Array.from({ length: rivalCount }, () => registering(context, {}));
        await waitInRealTime(context, leadOf(round));
        await Promise.all([context.hook("close-session", { session: id }), ...made]);
        judgeStopped(context, "MA2H-HST-004", await registering(context, {}));
        const { closed_at: stop } = await sessionOf(context, id);
        const live = await liveSessions(context, "a");
        const late = live.find(({ created_at: at }) => Date.parse(String(at)) > Date.parse(String(stop)) + slackMs);
        const why = `a session is made at ${late?.created_at}, and its agent was stopped at ${stop}`;
        context.expect("MA2H-HST-004", late === undefined, why);
        for (const reply of await Promise.all(made)) {
          const { id: other } = sessionIn(reply);
          if (typeof other !== "string") continue;
          isRaced = true;
          await close(context, other);
        }
      });
    if (!isRaced) context.skip("MA2H-HST-004", "each registration came after the stop");
  },
};

/** Has the operator close a session of agent `a`, which stops the agent, and plays. Throws a TargetSkip if the hub publishes no hard stop. */
async function stopAgent(context: ScenarioContext, play: (session: string) => Promise<void>): Promise<void> {
  const { operator_hard_stop: isOffered } = await publishedSessions(context);
  if (isOffered !== true) throw new TargetSkip("the hub publishes no hard stop");
  await resumeAfter(context, async () => {
    const { id } = await register(context);
    await context.hook("close-session", { session: id });
    await play(id);
  });
}

function judgeStopped(context: ScenarioContext, rule: string, reply: HttpReply): void {
  const isRefused = reply.status === 403 && codeOf(reply) === "session_closed_by_operator";
  context.expect(rule, isRefused, `a stopped agent registers, and gets ${inShort(reply)}`, reply);
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
  stopped,
  stopSurvivesRestart,
  stopWinsRaces,
  personManagesSessions,
];
