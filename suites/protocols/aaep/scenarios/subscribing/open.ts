import { missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import type { Line, SubscriptionWishes } from "./line.ts";
import { overCommand, overSocket } from "./pipe.ts";
import { producerFacts } from "./producer-facts.ts";
import { overSse } from "./sse.ts";
import { overWebSocket } from "./websocket.ts";

/** The number of subscriptions of each name that a scenario has opened. */
const openedNames = new WeakMap<ScenarioContext, Map<string, number>>();

/** Gives each subscription of a scenario its own name: its copies of events may differ from those of others. */
function nameLine(
  context: ScenarioContext,
  { name = "subscriber", ...wanted }: SubscriptionWishes,
): SubscriptionWishes {
  const counts = openedNames.get(context) ?? new Map<string, number>();
  openedNames.set(context, counts);
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return { ...wanted, name: count === 1 ? name : `${name}-${count}` };
}

/** Opens a subscription with the named binding, otherwise with the first that the setting allows. */
export async function openLine(context: ScenarioContext, given: SubscriptionWishes = {}): Promise<Line> {
  const wanted = nameLine(context, given);
  const { url, command } = context.setting;
  const { binding, websocket, socket, framing } = producerFacts(context);
  const isIt = (name: string, place: string | undefined): place is string =>
    place !== undefined && (binding === undefined || binding === name);
  if (isIt("sse", url)) return overSse(context, wanted);
  if (isIt("websocket", websocket)) return overWebSocket(context, websocket, wanted);
  if (isIt("socket", socket)) return overSocket(context, socket, framing, wanted);
  if (isIt("command", command)) return overCommand(context, wanted);
  const places = "an address (--http), a command (--command), options.websocket or options.socket";
  throw new TargetSkip(
    `needs ${places}${binding === undefined ? "" : `, for the binding "${binding}"`}`,
    missingNeeds("url", "command", "options.websocket", "options.socket"),
  );
}
