import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { AgentPost, ReferenceAgent } from "./agent.ts";
import type { A2aTask, TaskEvent } from "./tasks.ts";

/** Posts the events of a task to a webhook, one at a time, as long as the configuration exists. */
export function pushTo(agent: ReferenceAgent, task: A2aTask, config: JsonObject): void {
  let lastDelivery = Promise.resolve();
  let count = 0;
  const watcher = (event: TaskEvent): void => {
    if (task.configs.get(String(config.id)) !== config && !agent.policy.callsDeletedWebhooks) {
      task.watchers.delete(watcher);
      return;
    }
    count += 1;
    const post = agent.policy.changePost(postOf(config, event), { task, event, count });
    if (post !== undefined) lastDelivery = lastDelivery.then(() => deliver(agent, post));
  };
  task.watchers.add(watcher);
}

function postOf({ url, token, authentication }: JsonObject, event: TaskEvent): AgentPost {
  const { scheme, credentials } = isObject(authentication) ? authentication : {};
  const authorization = typeof credentials === "string" ? { authorization: `${scheme} ${credentials}` } : {};
  return {
    url: String(url),
    method: "POST",
    headers: {
      "content-type": "application/a2a+json",
      ...authorization,
      ...(typeof token === "string" ? { "x-a2a-notification-token": token } : {}),
    },
    body: event as unknown as JsonObject,
  };
}

async function deliver({ policy, ending }: ReferenceAgent, { url, method, headers, body }: AgentPost): Promise<void> {
  for (const pause of [0, ...policy.retryDelays]) {
    if (pause > 0) await sleep(pause, undefined, { signal: ending.signal }).catch(() => {});
    if (ending.signal.aborted) return;
    const status = await post({ url, method, headers, body }, policy.postTimeout, ending.signal);
    if (status >= 200 && status < 300) return;
  }
}

/** Makes one call and returns the status of its answer; 0 if there is no answer in time. */
async function post({ url, method, headers, body }: AgentPost, limit: number, ending: AbortSignal): Promise<number> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limit);
  const abortCall = (): void => abort.abort();
  ending.addEventListener("abort", abortCall);
  try {
    const text = JSON.stringify(body);
    const answer = await request(url, { method: method as "POST", headers, body: text, signal: abort.signal });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0;
  } finally {
    clearTimeout(timer);
    ending.removeEventListener("abort", abortCall);
  }
}
