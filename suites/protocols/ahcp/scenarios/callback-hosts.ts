import { type Callback, type ScenarioContext, TargetFailure, TargetSkip } from "../../../../schemas/index.ts";
import { morePushesArrive, pushArrives } from "./due-messages.ts";
import { ask, fromAgent, task } from "./messages.ts";
import { bindHost, pushRequestMembers, type Scheme, submitPush } from "./pushes.ts";
import { idOf, isAccepted, post, redAnswer, resolveMessage } from "./steps.ts";

/** The milliseconds to wait for a push that must not arrive. */
const patienceMs = 4000;

/** Replaces the host in the callback's URL. */
export function urlAtHost(host: string, { url }: Callback): string {
  return url.replace(/^(https?:\/\/)(?:\[[^\]]*\]|[^:/?#]+)/, `$1${host}`);
}

/** Binds a host to the agent if the hub allows it. Errors are ignored, because then the hub still refuses the host. */
export async function bindAnyway(context: ScenarioContext, url: string): Promise<void> {
  await tolerateRefusal(() => bindHost(context, url));
}

/** Sends a request that the hub may refuse. */
async function tolerateRefusal(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof TargetFailure || error instanceof TargetSkip)) throw error;
  }
}

/** The message to push and its sender. The default is an ask of the first agent, with a scheme that the hub publishes. */
export interface PushOptions {
  scheme?: "hmac" | "bearer";
  as?: "a" | "b";
  createMessage?: typeof ask;
  /** Whether the push should arrive, so that the suite waits as long as for any due push. */
  isDue?: boolean;
}

/** Answers a message with this callback URL, and returns whether a push arrives. False if the hub refuses the message. */
export async function reachesCallback(
  context: ScenarioContext,
  callback: Callback,
  url: string,
  { scheme, as = "a", createMessage = ask, isDue = false }: PushOptions = {},
): Promise<boolean> {
  const arrivalsBefore = callback.arrivals.length;
  const message = createMessage(context, {}, await pushRequestMembers(context, url, scheme));
  const reply = await post(context, fromAgent(context.agents[as] as string, message), as);
  const id = idOf(reply);
  if (!isAccepted(reply) || id === undefined) return false;
  await resolveMessage(context, id, createMessage === task ? { resolution: "completed" } : redAnswer);
  return isDue
    ? pushArrives(context, callback, arrivalsBefore + 1)
    : morePushesArrive(context, callback, arrivalsBefore, patienceMs);
}

/** Public addresses without a server: one for documentation (RFC 5737), and a DNS sink (RFC 7535) for hubs that treat the first as private. */
export const unroutableHosts: readonly string[] = ["203.0.113.7", "192.31.196.7"];

/** Adds the tried addresses and a remedy to the reason for a skip. */
function adviseHost(error: unknown, url: string): unknown {
  if (!(error instanceof TargetSkip)) return error;
  const addressesTried = `the name of the callback led to ${unroutableHosts.join(", then to ")}, which count as public addresses`;
  const isTls = url.startsWith("https:");
  const advice = isTls ? "" : "; for a hub that requires https in production, receiver.url must begin with https://";
  return new TargetSkip(`${error.message}; ${addressesTried}${advice}`);
}

/** Submits a message with a callback that resolves to an address without a server: the first one that the hub treats as public. */
export async function submitToNowhere(
  context: ScenarioContext,
  host: string,
  url: string,
  scheme?: Scheme,
): Promise<{ id: string; nowhere: string }> {
  let reason: unknown;
  for (const nowhere of unroutableHosts) {
    await context.hook("names", { host, answers: [[nowhere]] });
    try {
      const { id } = await submitPush(context, ask(context, {}, await pushRequestMembers(context, url, scheme)));
      return { id, nowhere };
    } catch (error) {
      if (!(error instanceof TargetSkip)) throw error;
      reason = error;
    }
  }
  throw adviseHost(reason, url);
}
