import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import {
  type AgentMailRequest,
  type MailSuiteHub,
  type SuiteHubSettings,
  startMailHub,
  streamPath,
} from "./suite-hub.ts";

const side = "agent";

/** Milliseconds until an action is missing, and of silence that shows none. */
const [patienceMs, quietMs] = [8000, 1200];

/** The senders with asks and tasks that an agent accepts: any, some, or none. */
type Senders = "any" | readonly string[] | null;

/** Has the agent attend to its mailbox at a hub of the suite, and waits until it drains. Throws a TargetSkip if it does not. */
async function attend(
  context: ScenarioContext,
  settings: SuiteHubSettings = {},
  senders: Senders = "any",
): Promise<MailSuiteHub> {
  const hub = await startMailHub(context, settings);
  const { url, agent, key } = hub;
  await context.hook("attend", {
    hub: url,
    agent,
    key: { ...key },
    senders: senders === null ? null : (senders as never),
  });
  const drains = (): boolean => ["/v1/inbox", streamPath].some((path) => requestsTo(hub, "GET", path).length > 0);
  if (!(await until(context, drains))) throw new TargetSkip("the agent does not drain its mailbox when asked to");
  return hub;
}

function requestsTo({ requests }: MailSuiteHub, method: string, path: string): AgentMailRequest[] {
  return requests.filter((request) => request.method === method && request.path === path);
}

async function until(
  context: ScenarioContext,
  holds: () => boolean | Promise<boolean>,
  milliseconds = patienceMs,
): Promise<boolean> {
  for (let left = milliseconds; ; left -= 25) {
    if (await holds()) return true;
    if (left <= 0) return false;
    await context.wait(25);
  }
}

/** The actions of the agent so far. */
async function actions(context: ScenarioContext): Promise<JsonObject[]> {
  const { actions: found } = await context.hook("acted", {});
  if (!Array.isArray(found))
    throw new TargetFailure("errored", "hook", 'the hook "acted" does not answer with {"actions": […]}');
  return found.filter(isObject);
}

/** How often the agent has acted on an entry. */
async function timesActed(context: ScenarioContext, id: string): Promise<number> {
  return (await actions(context)).filter((action) => action.id === id || action.in_reply_to === id).length;
}

/** Waits until the agent acts on an entry; false if it does not. */
function acts(context: ScenarioContext, id: string): Promise<boolean> {
  return until(context, async () => (await timesActed(context, id)) > 0);
}

/** Puts a right directive into the mailbox and waits until the agent acts on it. Throws a TargetSkip if it does not: nothing is shown then. */
async function mustAct(context: ScenarioContext, hub: MailSuiteHub): Promise<void> {
  const payload = directiveFor(context, hub);
  hub.put({ kind: "directive", payload });
  if (!(await acts(context, String(payload.id)))) throw new TargetSkip("the agent does not act on a right directive");
}

export function directiveFor(context: ScenarioContext, { agent }: MailSuiteHub, more: JsonObject = {}): JsonObject {
  return {
    ma2h_version: "0.5",
    type: "directive",
    id: `dir_${context.fresh("d")}`,
    from: "human:alice",
    to: `agent:${agent}`,
    created_at: new Date().toISOString(),
    title: "Hold the deploys.",
    ...more,
  };
}

export function askFor(context: ScenarioContext, { agent }: MailSuiteHub, more: JsonObject = {}): JsonObject {
  return {
    ma2h_version: "0.5",
    type: "ask",
    id: `msg_${context.fresh("m")}`,
    from: "agent:friend",
    to: `agent:${agent}`,
    agent: { id: "friend", run_id: "run", runtime: "cloud" },
    idempotency_key: context.fresh("key"),
    created_at: new Date().toISOString(),
    title: "May I restart your queue?",
    request: { mode: "confirm" },
    ...more,
  };
}

const careful: Scenario = {
  name: "agent-mail-once",
  side,
  says: "an agent acts once on each entry, in any order and even if it comes again, and acknowledges it afterwards",
  rules: ["MA2H-CNS-006", "MA2H-CNS-007", "MA2H-CNS-013"],
  needs: ["attend", "acted"],
  withinMs: 90_000,
  async play(context) {
    const early = new Set<string>();
    const taken = new Set<string>();
    let entries: string[] = [];
    const hub = await attend(context, {
      async acknowledged(keys) {
        for (const key of keys.filter((each) => entries.includes(each))) {
          if ((await timesActed(context, key)) === 0) early.add(key);
          taken.add(key);
        }
      },
    });
    const now = Date.now();
    const at = (offset: number): string => new Date(now + offset).toISOString();
    const [newer, older] = [
      directiveFor(context, hub, { created_at: at(0) }),
      directiveFor(context, hub, { created_at: at(-60_000) }),
    ];
    const ask = askFor(context, hub);
    entries = [newer, older, ask].map(({ id }) => String(id));
    const hasActed: boolean[] = [];
    for (const payload of [newer, older, ask]) {
      hub.put({ kind: payload === ask ? "message" : "directive", payload });
      hasActed.push(await acts(context, String(payload.id)));
    }
    if (!hasActed[0]) throw new TargetSkip("the agent does not act on a right directive");
    context.expect("MA2H-CNS-013", hasActed[1] === true, "after a newer directive it does not act on an older one");
    const areTaken = (): boolean => entries.every((id, index) => !hasActed[index] || taken.has(id));
    const why = `it acts on ${entries.join(", ")}, and acknowledges ${[...taken].join(", ") || "none of them"}`;
    context.expect("MA2H-CNS-007", await until(context, areTaken), why);
    // An agent may acknowledge an entry that it refuses.
    const wrong = entries.filter((id, index) => hasActed[index] && early.has(id));
    context.expect("MA2H-CNS-007", wrong.length === 0, `it acknowledges ${wrong.join(", ")} before it acts`);
    for (const payload of [newer, ask]) hub.put({ kind: payload === ask ? "message" : "directive", payload });
    await context.wait(quietMs);
    for (const [index, id] of entries.entries()) {
      const times = await timesActed(context, id);
      if (hasActed[index])
        context.expect("MA2H-CNS-006", times === 1, `on an entry that came again it acted ${times} times`);
    }
  },
};

const shaped: Scenario = {
  name: "agent-mail-forms",
  side,
  says: "an agent acts on no entry with members that such an entry never has, though its signature is right",
  rules: ["MA2H-CNS-002"],
  needs: ["attend", "acted"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    await mustAct(context, hub);
    const wrong: [string, "directive" | "message", JsonObject][] = [
      ["a directive with a request", "directive", directiveFor(context, hub, { request: { mode: "confirm" } })],
      ["a directive with an action", "directive", directiveFor(context, hub, { action: { instructions: "Go." } })],
      ["a directive with a state", "directive", directiveFor(context, hub, { state: {} })],
      ["a message with a state", "message", askFor(context, hub, { state: {} })],
      ["a message with a client_ref", "message", askFor(context, hub, { client_ref: "mine" })],
      [
        "a message with a callback",
        "message",
        askFor(context, hub, { request: { mode: "confirm", callback: { mode: "pull" } } }),
      ],
      ["a message of version 0.4", "message", askFor(context, hub, { ma2h_version: "0.4" })],
    ];
    for (const [, kind, payload] of wrong) hub.put({ kind, payload });
    await mustAct(context, hub);
    await context.wait(quietMs);
    for (const [words, , { id }] of wrong) {
      const times = await timesActed(context, String(id));
      context.expect("MA2H-CNS-002", times === 0, `it acts on ${words}`);
    }
  },
};

const unbound: Scenario = {
  name: "agent-mail-unsigned-members",
  side,
  says: "members that are not signed reach no action, and decide on none",
  rules: ["MA2H-CNS-003", "MA2H-CNS-009"],
  needs: ["attend", "acted"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context, {}, ["friend"]);
    await mustAct(context, hub);
    const canary = context.fresh("canary");
    const plain = askFor(context, hub);
    hub.put({ kind: "message", payload: plain });
    const isUsual = await acts(context, String(plain.id));
    const odd = askFor(context, hub);
    const agent = { id: "friend", run_id: "run", runtime: "cloud", note: canary };
    hub.put({ kind: "message", payload: odd, unsigned: { urgent_note: canary, agent } });
    const other = askFor(context, hub);
    const moved = { created_at: "2020-01-01T00:00:00Z", agent: { id: "stranger", run_id: "other", runtime: "cloud" } };
    hub.put({ kind: "message", payload: other, unsigned: moved });
    const marked = directiveFor(context, hub);
    hub.put({ kind: "directive", payload: marked, unsigned: { sensitive: true, created_at: "2020-01-01T00:00:00Z" } });
    const hasActed = await acts(context, String(other.id));
    const onMarked = await acts(context, String(marked.id));
    await context.wait(quietMs);
    const told = JSON.stringify(await actions(context));
    context.expect(
      "MA2H-CNS-003",
      !told.includes(canary),
      "a member that is unknown and not signed reaches its action",
    );
    const why = `with another created_at and agent it ${hasActed ? "acts" : "does not act"} on an ask`;
    context.expect("MA2H-CNS-009", hasActed === isUsual, why);
    context.expect("MA2H-CNS-009", onMarked, "with another created_at and sensitive it does not act on a directive");
  },
};

const guarded: Scenario = {
  name: "agent-mail-senders",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent acts on asks of other agents only under its policy on senders, which looks at `from`",
  rules: ["MA2H-CNS-008"],
  needs: ["attend", "acted"],
  withinMs: 90_000,
  async play(context) {
    const cases: [Senders, string, string, boolean][] = [
      [null, "friend", "no policy", false],
      [["colleague"], "friend", "a policy for another agent", false],
      [["friend"], "friend", "a policy for this agent", true],
      ["any", "friend", "a policy for any agent", true],
    ];
    for (const [senders, from, words, isDue] of cases) {
      const hub = await attend(context, {}, senders);
      await mustAct(context, hub);
      // The member that is not signed names an agent that may.
      const ask = askFor(context, hub, {
        from: `agent:${from}`,
        agent: { id: "colleague", run_id: "run", runtime: "cloud" },
      });
      hub.put({ kind: "message", payload: ask });
      const id = String(ask.id);
      if (!isDue) await context.wait(quietMs);
      const hasActed = isDue ? await acts(context, id) : (await timesActed(context, id)) > 0;
      const why = `with ${words} it ${hasActed ? "acts" : "does not act"} on an ask from agent:${from}`;
      context.expect("MA2H-CNS-008", hasActed === isDue, why);
    }
  },
};

/** Has the agent write to another; `failed` says that it reports a failure. */
async function write(context: ScenarioContext, hub: MailSuiteHub, type = "ask"): Promise<{ failed: boolean }> {
  const { failed } = await context.hook("write", { hub: hub.url, agent: hub.agent, to: "agent:friend", type });
  return { failed: failed === true };
}

function submitsOf(hub: MailSuiteHub): AgentMailRequest[] {
  return requestsTo(hub, "POST", "/v1/messages");
}

const answered: Scenario = {
  name: "agent-mail-outcomes",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent acts once on an outcome that it reads and that comes to its mailbox",
  rules: ["MA2H-CNS-011"],
  needs: ["attend", "acted", "write"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    await write(context, hub);
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

const stopped: Scenario = {
  name: "agent-mail-stopped",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent that was stopped by the operator registers no more, and says so",
  rules: ["MA2H-CNS-014"],
  needs: ["attend"],
  withinMs: 60_000,
  async play(context) {
    let isStopped = false;
    const refusal = { status: 410, code: "session_closed_by_operator" };
    const hub = await attend(context, { refusesDrain: () => (isStopped ? refusal : undefined) });
    const before = requestsTo(hub, "POST", "/v1/sessions").length;
    if (before === 0) throw new TargetSkip("the agent registers no session");
    isStopped = true;
    await context.wait(2 * quietMs);
    const after = requestsTo(hub, "POST", "/v1/sessions").length - before;
    context.expect("MA2H-CNS-014", after === 0, `after session_closed_by_operator it registers ${after} sessions`);
    if (!context.has("failures"))
      return context.skip("MA2H-CNS-014", "no hook shows the failures that the agent reports");
    const { failures } = await context.hook("failures", {});
    const isSaid = Array.isArray(failures) && failures.length > 0;
    context.expect("MA2H-CNS-014", isSaid, "after session_closed_by_operator it reports no failure");
  },
};

/** Requests of a kind in so short a time are a tight loop. */
const mostTries = 3;

const lost: Scenario = {
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
    const { failed } = await write(context, hub);
    await context.wait(quietMs);
    const submits = submitsOf(hub).length;
    const why = `after a refusal with 422 and an unknown code it submits ${submits} times`;
    context.expect("MA2H-CNS-015", submits <= mostTries, why);
    context.expect("MA2H-CNS-015", failed, "it reports no failure of a message that was refused with an unknown code");
    isOver = true;
    const before = hub.requests.length;
    await context.wait(2 * quietMs);
    const after = hub.requests.slice(before);
    if (!after.some(({ path }) => path === "/v1/inbox"))
      return context.skip("MA2H-CNS-015", "the agent does not drain after its session has ended");
    const registered = after.filter(({ path }) => path === "/v1/sessions").length;
    const loops = `after a 410 with an unknown code it registers ${registered} sessions in ${(2 * quietMs) / 1000} s`;
    context.expect("MA2H-CNS-015", registered <= mostTries, loops);
  },
};

const sending: Scenario = {
  name: "agent-mail-sending",
  side,
  says: "an agent addresses messages only if the hub publishes that, names its session, and counts a message without a destination as not sent",
  rules: ["MA2H-SND-001", "MA2H-SND-002", "MA2H-SND-003", "MA2H-SND-004"],
  needs: ["attend", "write"],
  withinMs: 60_000,
  async play(context) {
    const right = await attend(context);
    const { failed: fails } = await write(context, right);
    await until(context, () => submitsOf(right).length > 0);
    const [submit] = submitsOf(right);
    if (submit === undefined || fails) throw new TargetSkip("the agent writes nothing when asked to");
    const { session } = isObject(submit.body.agent) ? submit.body.agent : {};
    const isNamed = right.session() === undefined || session === right.session();
    context.expect("MA2H-SND-004", isNamed, `its message names the session ${session}, not ${right.session()}`);
    const without = await attend(context, { offersMail: false });
    await write(context, without);
    await context.wait(quietMs);
    const addressed = submitsOf(without).some(({ body }) => body.to !== undefined);
    context.expect("MA2H-SND-001", !addressed, "it addresses a message at a hub that publishes none between agents");
    const old = await attend(context, { namesDestination: false });
    const { failed } = await write(context, old);
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

const streaming: Scenario = {
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

/** The scenarios with the suite as the hub of an agent. */
export const agents: readonly Scenario[] = [
  careful,
  shaped,
  unbound,
  guarded,
  answered,
  stopped,
  lost,
  sending,
  streaming,
];
