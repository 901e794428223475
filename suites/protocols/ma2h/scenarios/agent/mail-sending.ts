import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import {
  attend,
  directiveFor,
  isTooSlow,
  patienceMs,
  quietMs,
  requestsTo,
  timesActed,
  until,
  waitForAction,
} from "./mail-steps.ts";
import { type AgentMailRequest, type MailSuiteHub, type SuiteRefusal, streamPath } from "./suite-hub.ts";

const side = "agent";

/** The reason to skip a rule if the absence of requests proves nothing. */
const tooSlow = "the agent is too slow for the suite to tell that it does nothing";

/** Orders the agent to write to another agent. `failed` means that the agent reports a failure. */
async function orderMessage(context: ScenarioContext, hub: MailSuiteHub, type = "ask"): Promise<{ failed: boolean }> {
  const { failed } = await context.hook("write", { hub: hub.url, agent: hub.agent, to: "agent:friend", type });
  return { failed: failed === true };
}

function submitsOf(hub: MailSuiteHub): AgentMailRequest[] {
  return requestsTo(hub, "POST", "/v1/messages");
}

const actsOnceOnOutcome: Scenario = {
  name: "agent-mail-outcomes",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent acts once on an outcome that it both reads and finds in its mailbox",
  rules: ["MA2H-CNS-011"],
  needs: ["attend", "acted", "write"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    await orderMessage(context, hub);
    await until(context, () => submitsOf(hub).length > 0);
    const [submit] = submitsOf(hub);
    if (submit === undefined) throw new TargetSkip("the agent does not write when ordered to");
    const { agent, state } = submit.body;
    const { id: name = hub.agent, run_id = "run" } = isObject(agent) ? agent : {};
    const response: JsonObject = {
      ma2h_version: "0.5",
      in_reply_to: "msg_1",
      resolution_id: `res_${context.fresh("r")}`,
      agent: { id: name, run_id },
      resolution: "answered",
      response: { value: "approve", actor: "agent:friend", resolved_at: new Date().toISOString() },
      ...(state === undefined ? {} : { state }),
    };
    hub.end("msg_1", response);
    hub.put({ kind: "response", payload: response });
    if (!(await waitForAction(context, "msg_1"))) throw new TargetSkip("the agent does not act on an outcome");
    hub.put({ kind: "response", payload: response });
    await context.wait(2 * quietMs);
    const times = await timesActed(context, "msg_1");
    context.expect("MA2H-CNS-011", times === 1, `it acted ${times} times on an outcome that it received in two ways`);
  },
};

const obeysStop: Scenario = {
  name: "agent-mail-stopped",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent stopped by the operator does not register again, and reports a failure",
  rules: ["MA2H-CNS-014"],
  needs: ["attend"],
  withinMs: 60_000,
  async play(context) {
    let isStopped = false;
    let refusedCount = 0;
    const refusal = { status: 410, code: "session_closed_by_operator" };
    const refusesDrain = (): SuiteRefusal | undefined => {
      if (!isStopped) return undefined;
      refusedCount += 1;
      return refusal;
    };
    const hub = await attend(context, { refusesDrain });
    const sessionsBefore = requestsTo(hub, "POST", "/v1/sessions").length;
    if (sessionsBefore === 0) throw new TargetSkip("the agent does not register a session");
    isStopped = true;
    if (!(await until(context, () => refusedCount > 0)))
      throw new TargetSkip("the agent does not drain after the operator has stopped it");
    await context.wait(2 * quietMs);
    const newSessions = requestsTo(hub, "POST", "/v1/sessions").length - sessionsBefore;
    if (newSessions === 0 && isTooSlow(context, hub, 2 * quietMs)) throw new TargetSkip(tooSlow);
    const why = `after session_closed_by_operator it registers ${newSessions} sessions`;
    context.expect("MA2H-CNS-014", newSessions === 0, why);
    if (!context.has("failures"))
      return context.skip("MA2H-CNS-014", "no hook shows the failures that the agent reports");
    const { failures } = await context.hook("failures", {});
    const isReported = Array.isArray(failures) && failures.length > 0;
    context.expect("MA2H-CNS-014", isReported, "after session_closed_by_operator it does not report a failure");
  },
};

/** The maximum number of equal requests in a short time. More are a tight loop. */
const maxTries = 3;

const survivesUnknownCodes: Scenario = {
  name: "agent-mail-unknown-codes",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent treats an unknown code like the usual code of the status, without crashing or looping",
  rules: ["MA2H-CNS-015"],
  needs: ["attend", "write"],
  withinMs: 60_000,
  async play(context) {
    let hasSessionEnded = false;
    const hub = await attend(context, {
      refusesDrain: () => (hasSessionEnded ? { status: 410, code: "zzz" } : undefined),
      refusesMessage: { status: 422, code: "zzz" },
    });
    const { failed } = await orderMessage(context, hub);
    await context.wait(quietMs);
    const submits = submitsOf(hub).length;
    const why = `after a refusal with 422 and an unknown code, it submits ${submits} times`;
    context.expect("MA2H-CNS-015", submits <= maxTries, why);
    const whyUnreported = "it does not report a failure of a message that was refused with an unknown code";
    context.expect("MA2H-CNS-015", failed, whyUnreported);
    hasSessionEnded = true;
    const requestsBefore = hub.requests.length;
    await context.wait(2 * quietMs);
    const newRequests = hub.requests.slice(requestsBefore);
    if (!newRequests.some(({ path }) => path === "/v1/inbox"))
      return context.skip("MA2H-CNS-015", "the agent does not drain after its session has ended");
    const { length: newSessions } = newRequests.filter(({ path }) => path === "/v1/sessions");
    if (newSessions <= maxTries && isTooSlow(context, hub, 2 * quietMs)) return context.skip("MA2H-CNS-015", tooSlow);
    const whyLoop = `after a 410 with an unknown code, it registers ${newSessions} sessions in ${(2 * quietMs) / 1000} s`;
    context.expect("MA2H-CNS-015", newSessions <= maxTries, whyLoop);
  },
};

const addressesMessages: Scenario = {
  name: "agent-mail-sending",
  side,
  says: "an agent addresses messages only if the hub supports it, names its session, and treats a message without a destination as not sent",
  rules: ["MA2H-SND-001", "MA2H-SND-002", "MA2H-SND-003", "MA2H-SND-004"],
  needs: ["attend", "write"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    const { failed: cannotWrite } = await orderMessage(context, hub);
    await until(context, () => submitsOf(hub).length > 0);
    const [submit] = submitsOf(hub);
    if (submit === undefined || cannotWrite) throw new TargetSkip("the agent does not write when ordered to");
    const { session } = isObject(submit.body.agent) ? submit.body.agent : {};
    const namesSession = hub.session() === undefined || session === hub.session();
    context.expect("MA2H-SND-004", namesSession, `its message names the session ${session}, not ${hub.session()}`);
    const hubWithoutMail = await attend(context, { offersMail: false });
    await orderMessage(context, hubWithoutMail);
    await context.wait(quietMs);
    const isAddressed = submitsOf(hubWithoutMail).some(({ body }) => body.to !== undefined);
    const whyAddressed = "it addresses a message, though the hub does not offer messages between agents";
    context.expect("MA2H-SND-001", !isAddressed, whyAddressed);
    const oldHub = await attend(context, { namesDestination: false });
    const { failed } = await orderMessage(context, oldHub);
    const whyUnreported = "it does not report a failure of a message that was accepted without a destination";
    context.expect("MA2H-SND-002", failed, whyUnreported);
    const hasCancelled = (): boolean => oldHub.requests.some(({ path }) => path.endsWith("/cancel"));
    const isWithdrawn = await until(context, hasCancelled, quietMs);
    context.expect("MA2H-SND-003", isWithdrawn, "it does not withdraw an ask that was accepted without a destination");
  },
};

const namesSessionInAck: Scenario = {
  name: "agent-mail-stream",
  side,
  waits: patienceMs,
  says: "an agent names its session when it acknowledges an entry from the stream of the session",
  rules: ["MA2H-CNS-018"],
  needs: ["attend"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context, { streams: true });
    const streamRequests = (): AgentMailRequest[] => requestsTo(hub, "GET", streamPath);
    if (!(await until(context, () => streamRequests().length > 0)))
      throw new TargetSkip("the agent does not read the stream that the hub offers");
    if (!streamRequests().every(({ query }) => query.has("session")))
      throw new TargetSkip("the agent reads a stream without a session");
    hub.put({ kind: "directive", payload: directiveFor(context, hub) });
    const acks = (): AgentMailRequest[] => requestsTo(hub, "POST", "/v1/inbox/ack");
    if (!(await until(context, () => acks().length > 0)))
      throw new TargetSkip("the agent does not acknowledge entries of the stream");
    const sessions = acks().map(({ query }) => query.get("session"));
    const namesSession = sessions.every((session) => session !== null);
    const why = "it acknowledges an entry from its session's stream without naming the session";
    context.expect("MA2H-CNS-018", namesSession, why);
  },
};

/** Scenarios of an agent that sends mail, and of an agent that reads a stream. */
export const mailSenders: readonly Scenario[] = [
  actsOnceOnOutcome,
  obeysStop,
  survivesUnknownCodes,
  addressesMessages,
  namesSessionInAck,
];
