import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { destinationOf } from "./destination.ts";
import type { Attempt, Echo, RunningHub } from "./hub.ts";
import type { PushState } from "./journal.ts";
import { commit, note } from "./keeping.ts";
import { credentialHeader } from "./keys.ts";
import { post } from "./post.ts";
import type { PushDialect } from "./settings.ts";
import type { StoredMessage } from "./store.ts";

/** Pushes the outcome of a message on request, until it has arrived, is refused, or the attempts are used up. */
export function deliver(hub: RunningHub, entry: StoredMessage): void {
  const callback = hub.policy.callbackOf(entry, hub);
  if (callback === undefined || entry.envelope === undefined) return;
  const { startsAfter, startsReally } = hub.policy;
  const begin = (): void => beginDelivery(hub, entry, callback);
  if (startsAfter === 0 || entry.attempts > 0) begin();
  else runAfter(hub, startsAfter, startsReally, begin);
}

/** Runs an action after these milliseconds, real ones or those of the clock, unless the hub closes first. */
function runAfter(hub: RunningHub, milliseconds: number, isReal: boolean, task: () => void): void {
  const { signal } = hub.ending;
  if (isReal) setTimeout(() => signal.aborted || task(), milliseconds).unref();
  else hub.clock.at(hub.clock.now() + milliseconds, task);
}

function beginDelivery(hub: RunningHub, entry: StoredMessage, callback: JsonObject): void {
  const { signal } = hub.ending;
  void attempt(hub, entry, callback, signal).catch((error: Error) => {
    if (!signal.aborted) note(hub, "delivery failed", { id: entry.id, note: error.name });
  });
}

async function attempt(
  hub: RunningHub,
  entry: StoredMessage,
  callback: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const { policy } = hub;
  const attempts = entry.attempts + 1;
  const made = { entry, url: String(callback.url), number: attempts };
  const echo = await send(hub, made, callback, signal);
  if (signal.aborted) return;
  const refusal = typeof echo === "string" ? echo : undefined;
  const reply = typeof echo === "number" ? echo : undefined;
  const failure = typeof echo === "object" ? echo.failure : undefined;
  const again = refusal === undefined && policy.retries(reply, failure) ? policy.pause(attempts) : undefined;
  const push = again === undefined ? stateOf(refusal, reply) : "pending";
  commit(hub, { event: "attempted", id: entry.id, at: hub.clock.now(), attempts, push });
  note(hub, "pushed", { id: entry.id, note: `attempt ${attempts}: ${refusal ?? reply ?? "no answer"}, ${push}` });
  if (again === undefined) return;
  const pause = again * (hub.settings.timeScale ?? 1);
  runAfter(hub, pause, policy.pausesReally, () => deliver(hub, entry));
}

function stateOf(refusal: string | undefined, reply: Echo): PushState {
  if (refusal !== undefined || (reply !== undefined && reply >= 300 && reply < 500)) return "refused";
  return reply !== undefined && reply < 300 ? "delivered" : "exhausted";
}

/** The code of the error if no answer came. */
interface UnansweredPush {
  failure: string | undefined;
}

/** Makes one attempt. Returns the status, the failure if no answer came, or the reason why there was no attempt. */
async function send(
  hub: RunningHub,
  made: Attempt,
  callback: JsonObject,
  signal: AbortSignal,
): Promise<number | UnansweredPush | string> {
  const { policy } = hub;
  const { entry, url } = made;
  const key = policy.keyFor(callback, hub);
  if (key === undefined) return "no key to sign with";
  const { dialect } = hub.settings;
  const ahcpSignature = dialect?.signatures ?? (await import("../../rules/signature.ts"));
  const destination = await destinationOf(hub, url, entry).catch(() => undefined);
  if (destination === undefined) return { failure: "ENOTFOUND" };
  if (typeof destination === "string") return `the url ${destination}`;
  const body = policy.pushed(entry.envelope as JsonObject, made);
  const stamp = policy.stamp(hub.clock.now(), made);
  const headers = policy.headers(
    {
      "content-type": "application/json",
      "ahcp-signature": ahcpSignature.sign(body, url, stamp, key),
      ...(destination.isBound ? credentialHeader(hub, callback) : {}),
    },
    { ahcpSignature, body, url, stamp, key, attempt: made, callback, hub },
  );
  const timeoutMs = Math.max(2000, 10_000 * (hub.settings.timeScale ?? 1));
  const path = policy.target(url);
  const limit = new AbortController();
  // Either clock ends the wait, but a clock that was moved forward leaves the callback a second.
  const forget = hub.clock.at(hub.clock.now() + timeoutMs, () => void setTimeout(() => limit.abort(), 1000).unref());
  const ending = AbortSignal.any([signal, limit.signal]);
  const text = policy.written(body);
  const written = dialect === undefined ? { headers, body: text } : writeIn(dialect, headers, text);
  const posting = { ...destination, path, ...written, timeoutMs, signal: ending };
  const answer = await post(posting).catch(unansweredOf).finally(forget);
  if ("failure" in answer) return answer;
  if (!policy.follows || answer.location === undefined) return answer.status;
  const next = new URL(answer.location, destination.url);
  const there = { ...posting, url: next, path: next.pathname + next.search };
  const followed = await post(there).catch(unansweredOf);
  return "failure" in followed ? followed : followed.status;
}

function writeIn(
  dialect: PushDialect,
  headers: Record<string, string>,
  text: string,
): { headers: Record<string, string>; body: string } {
  return { headers: dialect.headers(headers), body: dialect.text(text) };
}

function unansweredOf({ code }: NodeJS.ErrnoException): UnansweredPush {
  return { failure: code };
}

/** The callback of a message that requested a push. */
export function pushTarget({ message }: StoredMessage): JsonObject | undefined {
  const block = message.type === "task" ? message.action : message.request;
  const callback = isObject(block) ? block.callback : undefined;
  const isPush = isObject(callback) && callback.mode === "push" && typeof callback.url === "string";
  return isPush && message.type !== "notify" ? (callback as JsonObject) : undefined;
}
