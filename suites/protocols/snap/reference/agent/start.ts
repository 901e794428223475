import { type Hook, type JsonObject, protocolNamed, type Service } from "../../../../../schemas/index.ts";
import { ruled } from "../../../../packs/pack/load.ts";
import { createApp } from "../../../../packs/reference/app.ts";
import { serve } from "../../../../packs/reference/serve.ts";
import { variantNamed } from "../../../../packs/reference/start.ts";
import { keyB } from "../../rules/keys.ts";
import { serveHooks } from "../hook-server.ts";
import { service } from "../service.ts";
import { serveThrough, type Transport } from "../transport.ts";
import { type AgentDecisions, type AgentSettings, nowMs, type RunningAgent } from "./agent.ts";
import { routes } from "./http.ts";
import { rightAgentDecisions } from "./policy.ts";
import { useRelays } from "./relays.ts";
import { serveSocket } from "./socket.ts";

export interface ListeningAgent {
  agent: RunningAgent;
  url: string;
  /** The address of its WebSocket. */
  websocket: string;
  close(): Promise<void>;
}

/** Serves an agent with the test key B on loopback ports until it is closed. Throws a usage error for a port that cannot be used. */
export async function startAgent(
  settings: AgentSettings,
  policy: Partial<AgentDecisions> = {},
  transport?: Transport,
): Promise<ListeningAgent> {
  const protocol = await ruled(protocolNamed("snap"));
  let startedAgent: RunningAgent | undefined;
  const { variant: name } = settings;
  const slip = name === undefined ? undefined : variantNamed(name, { protocol, service: undefined });
  const agentService: Service = {
    protocol: service.protocol,
    media: service.media,
    routes(app, { judge }) {
      startedAgent = {
        key: keyB,
        identity: keyB.address.main,
        url: "",
        settings,
        policy: { ...rightAgentDecisions, ...policy },
        protocol,
        judge,
        ahead: 0,
        memory: new Map(),
        originals: new Map(),
        tasks: new Map(),
        handledCount: 0,
        requests: [],
        ticks: new Set(),
        relays: [],
        ending: new AbortController(),
      };
      if (slip !== undefined) startedAgent.slip = slip;
      routes(app, startedAgent);
      serveHooks(app, () => hooksOf(startedAgent as RunningAgent));
    },
  };
  const handler = await createApp(protocol, agentService, slip);
  const agent = startedAgent as unknown as RunningAgent;
  const served = await serve(handler, settings.port);
  const proxy = transport === undefined ? served : await serveThrough(() => served.url, transport);
  agent.url = proxy.url;
  const socket = await serveSocket(agent);
  return {
    agent,
    url: agent.url,
    websocket: socket.url,
    async close() {
      agent.ending.abort();
      for (const relay of agent.relays) relay.close();
      if (proxy !== served) await proxy.close();
      await Promise.all([served.close(), socket.close()]);
    },
  };
}

/** Returns the hooks of an agent, by name. */
export function hooksOf(agent: RunningAgent): Record<string, Hook> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]): [string, Hook] => [name, (input) => operation(agent, input)]),
  );
}

const operations: Readonly<
  Record<string, (agent: RunningAgent, input: JsonObject) => Promise<JsonObject> | JsonObject>
> = {
  clock(agent, { advanceMs }) {
    if (typeof advanceMs === "number") agent.ahead += advanceMs;
    for (const tick of [...agent.ticks]) tick();
    return { now: new Date(nowMs(agent)).toISOString() };
  },
  handled: ({ handledCount }) => ({ count: handledCount }),
  async relays(agent, { relays }) {
    await useRelays(agent, Array.isArray(relays) ? relays.map(String) : []);
    return {};
  },
};
