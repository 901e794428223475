import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import {
  acts,
  attend,
  directiveFor,
  isTooSlow,
  patienceMs,
  quietMs,
  requestsTo,
  timesActed,
  until,
} from "./mail-steps.ts";
import { type AgentMailRequest, type MailSuiteHub, type SuiteRefusal, streamPath } from "./suite-hub.ts";

const side = "agent";

/** The reason to skip if silence proves nothing. */
const tooSlow = "the agent works too slowly for a silence to show that it does nothing";

/** Has the agent write to another agent. `failed` means that it reports a failure. */
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
  says: "an agent acts once on an outcome that it reads and that comes to its mailbox",
  rules: ["MA2H-CNS-011"],
  needs: ["attend", "acted", "write"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    await orderMessage(context, hub);
    await until(context, () => submitsOf(hub).length > 0);
    const [submit] = submitsOf(hub);
    if (submit === undefined) throw new TargetSkip("the agent writes nothing when asked to");
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
    if (!(await acts(context, "msg_1"))) throw new TargetSkip("the agent does not act on an outcome");
    hub.put({ kind: "response", payload: response });
    await context.wait(2 * quietMs);
    const times = await timesActed(context, "msg_1");
    context.expect("MA2H-CNS-011", times === 1, `on an outcome that came in two ways it acted ${times} times`);
  },
};

const obeysStop: Scenario = {
  name: "agent-mail-stopped",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent that was stopped by the operator registers no more, and says so",
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
    const before = requestsTo(hub, "POST", "/v1/sessions").length;
    if (before === 0) throw new TargetSkip("the agent registers no session");
    isStopped = true;
    if (!(await until(context, () => refusedCount > 0)))
      throw new TargetSkip("the agent does not drain after the operator has stopped it");
    await context.wait(2 * quietMs);
    const after = requestsTo(hub, "POST", "/v1/sessions").length - before;
    if (after === 0 && isTooSlow(context, hub, 2 * quietMs)) throw new TargetSkip(tooSlow);
    context.expect("MA2H-CNS-014", after === 0, `after session_closed_by_operator it registers ${after} sessions`);
    if (!context.has("failures"))
      return context.skip("MA2H-CNS-014", "no hook shows the failures that the agent reports");
    const { failures } = await context.hook("failures", {});
    const isSaid = Array.isArray(failures) && failures.length > 0;
    context.expect("MA2H-CNS-014", isSaid, "after session_closed_by_operator it reports no failure");
  },
};

/** More requests of a kind than this in so short a time are a tight loop. */
const maxTries = 3;

const survivesUnknownCodes: Scenario = {
  name: "agent-mail-unknown-codes",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an unknown code counts as the usual one of its status: no agent breaks down or loops",
  rules: ["MA2H-CNS-015"],
  needs: ["attend", "write"],
  withinMs: 60_000,
  async play(context) {
    let isOver = false;
    const hub = await attend(context, {
      refusesDrain: () => (isOver ? { status: 410, code: "zzz" } : undefined),
      refusesMessage: { status: 422, code: "zzz" },
    });
    const { failed } = await orderMessage(context, hub);
    await context.wait(quietMs);
    const submits = submitsOf(hub).length;
    const why = `after a refusal with 422 and an unknown code it submits ${submits} times`;
    context.expect("MA2H-CNS-015", submits <= maxTries, why);
    context.expect("MA2H-CNS-015", failed, "it reports no failure of a message that was refused with an unknown code");
    isOver = true;
    const before = hub.requests.length;
    await context.wait(2 * quietMs);
    const after = hub.requests.slice(before);
    if (!after.some(({ path }) => path === "/v1/inbox"))
      return context.skip("MA2H-CNS-015", "the agent does not drain after its session has ended");
    const registered = after.filter(({ path }) => path === "/v1/sessions").length;
    if (registered <= maxTries && isTooSlow(context, hub, 2 * quietMs)) return context.skip("MA2H-CNS-015", tooSlow);
    const loops = `after a 410 with an unknown code it registers ${registered} sessions in ${(2 * quietMs) / 1000} s`;
    context.expect("MA2H-CNS-015", registered <= maxTries, loops);
  },
};

const addressesMessages: Scenario = {
  name: "agent-mail-sending",
  side,
  says: "an agent addresses messages only if the hub publishes that, names its session, and counts a message without a destination as not sent",
  rules: ["MA2H-SND-001", "MA2H-SND-002", "MA2H-SND-003", "MA2H-SND-004"],
  needs: ["attend", "write"],
  withinMs: 60_000,
  async play(context) {
    const right = await attend(context);
    const { failed: fails } = await orderMessage(context, right);
    await until(context, () => submitsOf(right).length > 0);
    const [submit] = submitsOf(right);
    if (submit === undefined || fails) throw new TargetSkip("the agent writes nothing when asked to");
    const { session } = isObject(submit.body.agent) ? submit.body.agent : {};
    const isNamed = right.session() === undefined || session === right.session();
    context.expect("MA2H-SND-004", isNamed, `its message names the session ${session}, not ${right.session()}`);
    const without = await attend(context, { offersMail: false });
    await orderMessage(context, without);
    await context.wait(quietMs);
    const addressed = submitsOf(without).some(({ body }) => body.to !== undefined);
    context.expect("MA2H-SND-001", !addressed, "it addresses a message at a hub that publishes none between agents");
    const old = await attend(context, { namesDestination: false });
    const { failed } = await orderMessage(context, old);
    context.expect(
      "MA2H-SND-002",
      failed,
      "it reports no failure of a message that was accepted without a destination",
    );
    const cancels = (): boolean => old.requests.some(({ path }) => path.endsWith("/cancel"));
    const isWithdrawn = await until(context, cancels, quietMs);
    context.expect("MA2H-SND-003", isWithdrawn, "it does not withdraw an ask that was accepted without a destination");
  },
};

const namesSessionInAck: Scenario = {
  name: "agent-mail-stream",
  side,
  waits: patienceMs,
  says: "an agent that reads a stream of its session names the session when it acknowledges",
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
      throw new TargetSkip("the agent acknowledges no entry of the stream");
    const sessions = acks().map(({ query }) => query.get("session"));
    const isNamed = sessions.every((session) => session !== null);
    context.expect(
      "MA2H-CNS-018",
      isNamed,
      "it acknowledges an entry of the stream of its session without the session",
    );
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
