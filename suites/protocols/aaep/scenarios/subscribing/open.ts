import { missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import type { OpenSubscription, SubscriptionOptions } from "./open-subscription.ts";
import { subscribeOverCommand, subscribeOverSocket } from "./pipe.ts";
import { readProducerFacts } from "./producer-facts.ts";
import { subscribeOverSse } from "./sse.ts";
import { subscribeOverWebSocket } from "./websocket.ts";

/** The number of subscriptions that a scenario has opened under each name. */
const openedNames = new WeakMap<ScenarioContext, Map<string, number>>();

/** Gives each subscription of a scenario a unique name, because subscriptions may receive different copies of an event. */
function nameSubscription(
  context: ScenarioContext,
  { name = "subscriber", ...options }: SubscriptionOptions,
): SubscriptionOptions {
  const counts = openedNames.get(context) ?? new Map<string, number>();
  openedNames.set(context, counts);
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return { ...options, name: count === 1 ? name : `${name}-${count}` };
}

/** Opens a subscription with the named binding, or else with the first that the setting allows. */
export async function openSubscription(
  context: ScenarioContext,
  options: SubscriptionOptions = {},
): Promise<OpenSubscription> {
  const namedOptions = nameSubscription(context, options);
  const { url, command } = context.setting;
  const { binding, websocket, socket, framing } = readProducerFacts(context);
  const isChosen = (name: string, address: string | undefined): address is string =>
    address !== undefined && (binding === undefined || binding === name);
  if (isChosen("sse", url)) return subscribeOverSse(context, namedOptions);
  if (isChosen("websocket", websocket)) return subscribeOverWebSocket(context, websocket, namedOptions);
  if (isChosen("socket", socket)) return subscribeOverSocket(context, socket, framing, namedOptions);
  if (isChosen("command", command)) return subscribeOverCommand(context, namedOptions);
  const alternatives = "an address (--http), a command (--command), options.websocket or options.socket";
  throw new TargetSkip(
    `needs ${alternatives}${binding === undefined ? "" : `, for the binding "${binding}"`}`,
    missingNeeds("url", "command", "options.websocket", "options.socket"),
  );
}
