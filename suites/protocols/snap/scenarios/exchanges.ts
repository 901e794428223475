import type { JsonObject, ScenarioContext, Setting } from "../../../../schemas/index.ts";

/** A request of the suite, and the messages that the agent sent for it. */
export interface AgentExchange {
  request: JsonObject;
  messages: readonly JsonObject[];
}

/** Exchanges that are kept of one run. */
const most = 2000;

const kept = new WeakMap<Setting, AgentExchange[]>();

/** Keeps the exchanges between the parties, so that all rules judge them at the end, regardless of the subject of the scenario. */
export function keep({ setting }: ScenarioContext, exchange: AgentExchange): void {
  const all = kept.get(setting) ?? [];
  kept.set(setting, all);
  if (all.length < most && exchange.messages.length > 0) all.push(exchange);
}

/** All that this run has kept so far. */
export function exchangesOf({ setting }: ScenarioContext): readonly AgentExchange[] {
  return kept.get(setting) ?? [];
}
