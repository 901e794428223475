import type { JsonObject, ScenarioContext, Setting } from "../../../../schemas/index.ts";

/** A request of the suite, and the messages that the agent sent for it. */
export interface AgentExchange {
  request: JsonObject;
  messages: readonly JsonObject[];
}

/** The maximum number of stored exchanges of a run. */
const maxExchanges = 2000;

const exchangesBySetting = new WeakMap<Setting, AgentExchange[]>();

/** Stores an exchange. At the end, all rules judge the stored exchanges, whatever their scenario. */
export function storeExchange({ setting }: ScenarioContext, exchange: AgentExchange): void {
  const stored = exchangesBySetting.get(setting) ?? [];
  exchangesBySetting.set(setting, stored);
  if (stored.length < maxExchanges && exchange.messages.length > 0) stored.push(exchange);
}

/** Returns all stored exchanges of this run. */
export function exchangesOf({ setting }: ScenarioContext): readonly AgentExchange[] {
  return exchangesBySetting.get(setting) ?? [];
}
