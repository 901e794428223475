import type { JsonObject, ScenarioContext, Setting } from "../../../../schemas/index.ts";

/** A request of the suite, and the messages that the agent sent for it. */
export interface AgentExchange {
  request: JsonObject;
  messages: readonly JsonObject[];
}

/** Exchanges that are kept of one run. */
const maxExchanges = 2000;

const keptExchanges = new WeakMap<Setting, AgentExchange[]>();

/** Keeps the exchanges between the parties, so that all rules judge them at the end, regardless of the subject of the scenario. */
export function keep({ setting }: ScenarioContext, exchange: AgentExchange): void {
  const all = keptExchanges.get(setting) ?? [];
  keptExchanges.set(setting, all);
  if (all.length < maxExchanges && exchange.messages.length > 0) all.push(exchange);
}

/** All that this run has kept so far. */
export function exchangesOf({ setting }: ScenarioContext): readonly AgentExchange[] {
  return keptExchanges.get(setting) ?? [];
}
