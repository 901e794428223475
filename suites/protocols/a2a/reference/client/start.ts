import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, type Hook, isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { OperationName } from "../agent/agent.ts";
import { type Client, ClientFailure, type ClientOrder, type ClientPolicy } from "./client.ts";
import { callAgent, followTask, streamAgent } from "./work.ts";

/** Starts a client that hooks control. */
export function clientEnvironment(policy: ClientPolicy): Environment {
  const client: Client = { policy, callCount: 0, ending: new AbortController() };
  // Each wait and each call adds a listener, so the default limit would print warnings.
  setMaxListeners(0, client.ending.signal);
  const hooks: Record<string, Hook> = {
    call: createHook(client, async (order) => ({ result: await callAgent(client, order) })),
    stream: createHook(client, async (order, items) => {
      await streamAgent(client, order, items);
      return { items };
    }),
    follow: createHook(client, async (order) => ({ task: await followTask(client, order) })),
  };
  return { setting: { side: "client", hooks }, close: async () => client.ending.abort() };
}

/** Makes a hook that carries out an order. It returns a failure of the client instead of throwing it. */
function createHook(
  { policy }: Client,
  carryOutOrder: (order: ClientOrder, items: Json[]) => Promise<JsonObject>,
): Hook {
  return async (request) => {
    if (policy.delay > 0) await sleep(policy.delay);
    const items: Json[] = [];
    try {
      return await carryOutOrder(orderIn(request), items);
    } catch (error) {
      if (!(error instanceof ClientFailure)) throw error;
      const facts = policy.reportFailure(error.facts);
      return { ...(facts === undefined ? { result: null } : { error: facts }), items };
    }
  };
}

function orderIn({ url, operation = "SendMessage", params, extensions, credentials, keys }: JsonObject): ClientOrder {
  return {
    url: String(url),
    operation: operation as OperationName,
    params: isObject(params) ? params : {},
    extensions: Array.isArray(extensions) ? extensions.map(String) : [],
    credentials: isObject(credentials) ? (credentials as Record<string, string>) : {},
    keys: Array.isArray(keys) ? keys : [],
  };
}
