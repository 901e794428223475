import type { JsonObject, ScenarioContext, Setting } from "../../../../schemas/index.ts";

/** A request of the suite, and the messages that the agent sent for it. */
export interface AgentExchange {
  request: JsonObject;
  messages: readonly JsonObject[];
}

/** The maximum number of stored exchanges of a run. */
const maxExchanges = 2000;

const keptExchanges = new WeakMap<Setting, AgentExchange[]>();

/** Stores the exchanges between the parties. At the end, all rules judge them, independent of the scenario. */
export function keep({ setting }: ScenarioContext, exchange: AgentExchange): void {
  const all = keptExchanges.get(setting) ?? [];
  keptExchanges.set(setting, all);
  if (all.length < maxExchanges && exchange.messages.length > 0) all.push(exchange);
}

/** All stored exchanges of this run. */
export function exchangesOf({ setting }: ScenarioContext): readonly AgentExchange[] {
  return keptExchanges.get(setting) ?? [];
}
