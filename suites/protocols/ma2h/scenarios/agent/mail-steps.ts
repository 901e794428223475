import {
  isObject,
  type JsonObject,
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

/** Milliseconds to wait for an action before it counts as missing. */
export const patienceMs = 8000;
/** Milliseconds without an action after which the suite concludes that there is none. */
export const quietMs = 1200;

/** The senders from which an agent accepts asks and tasks: any, the listed ones, or none (null). */
export type Senders = "any" | readonly string[] | null;

/** Starts a hub, orders the agent to attend to its mailbox there, and waits for a drain. Throws a TargetSkip if there is none. */
export async function attend(
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
  const hasDrained = (): boolean => ["/v1/inbox", streamPath].some((path) => requestsTo(hub, "GET", path).length > 0);
  if (!(await until(context, hasDrained))) throw new TargetSkip("the agent does not drain its mailbox when ordered to");
  return hub;
}

export function requestsTo({ requests }: MailSuiteHub, method: string, path: string): AgentMailRequest[] {
  return requests.filter((request) => request.method === method && request.path === path);
}

/** The absence of requests proves something only if it lasts this many times longer than the agent's usual delay. */
const slownessFactor = 4;

/**
 * Whether the agent is so slow, for example on a busy machine, that the absence of requests for this time proves nothing.
 * Its speed is measured from each registration to the next drain.
 */
export function isTooSlow({ setting }: ScenarioContext, { requests }: MailSuiteHub, milliseconds: number): boolean {
  const isRegistration = ({ method, path }: AgentMailRequest): boolean => method === "POST" && path === "/v1/sessions";
  const delays = requests.flatMap((request, index) => {
    if (!isRegistration(request)) return [];
    const drain = requests.slice(index).find(({ path }) => path === "/v1/inbox");
    return (drain?.at ?? performance.now()) - request.at;
  });
  return slownessFactor * Math.max(0, ...delays) > milliseconds * (setting.timeScale ?? 1);
}

/** Waits until a condition is met. Returns false if the time is over before. */
export async function until(
  context: ScenarioContext,
  isMet: () => boolean | Promise<boolean>,
  milliseconds: number = patienceMs,
): Promise<boolean> {
  for (let remainingMs = milliseconds; ; remainingMs -= 25) {
    if (await isMet()) return true;
    if (remainingMs <= 0) return false;
    await context.wait(25);
  }
}

/** Reads the actions of the agent so far from the hook. */
export async function readActions(context: ScenarioContext): Promise<JsonObject[]> {
  const { actions: acted } = await context.hook("acted", {});
  if (!Array.isArray(acted))
    throw new TargetFailure("errored", "hook", 'the hook "acted" does not answer with {"actions": […]}');
  return acted.filter(isObject);
}

/** How often the agent has acted on an entry. */
export async function timesActed(context: ScenarioContext, id: string): Promise<number> {
  return (await readActions(context)).filter((action) => action.id === id || action.in_reply_to === id).length;
}

/** Waits until the agent acts on an entry; false if it does not. */
export function waitForAction(context: ScenarioContext, id: string): Promise<boolean> {
  return until(context, async () => (await timesActed(context, id)) > 0);
}

/** Puts a correct directive into the mailbox, and waits until the agent acts on it. Throws a TargetSkip if it does not. */
export async function requireAction(context: ScenarioContext, hub: MailSuiteHub): Promise<void> {
  const payload = directiveFor(context, hub);
  hub.put({ kind: "directive", payload });
  if (!(await waitForAction(context, String(payload.id))))
    throw new TargetSkip("the agent does not act on a correct directive");
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
