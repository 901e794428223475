import { missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import type { Line, SubscriptionWishes } from "./line.ts";
import { overCommand, overSocket } from "./pipe.ts";
import { knownOf } from "./producer-facts.ts";
import { overSse } from "./sse.ts";
import { overWebSocket } from "./websocket.ts";

/** Opens a subscription, by the binding that is named, or else by the first that the setting allows. */
export async function openLine(context: ScenarioContext, wanted: SubscriptionWishes = {}): Promise<Line> {
  const { url, command } = context.setting;
  const { binding, websocket, socket, framing } = knownOf(context);
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
