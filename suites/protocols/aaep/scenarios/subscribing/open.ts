import { type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { knownOf } from "./known.ts";
import type { Line, Wanted } from "./line.ts";
import { overCommand, overSocket } from "./pipe.ts";
import { overSse } from "./sse.ts";
import { overWebSocket } from "./websocket.ts";

/** Opens a subscription, by the binding that is named, or else by the first that the setting allows. */
export async function open(stage: ScenarioContext, wanted: Wanted = {}): Promise<Line> {
  const { url, command } = stage.setting;
  const { binding, websocket, socket, framing } = knownOf(stage);
  const isIt = (name: string, place: string | undefined): place is string =>
    place !== undefined && (binding === undefined || binding === name);
  if (isIt("sse", url)) return overSse(stage, wanted);
  if (isIt("websocket", websocket)) return overWebSocket(stage, websocket, wanted);
  if (isIt("socket", socket)) return overSocket(stage, socket, framing, wanted);
  if (isIt("command", command)) return overCommand(stage, wanted);
  const places = "an address (--http), a command (--command), options.websocket or options.socket";
  throw new TargetSkip(`needs ${places}${binding === undefined ? "" : `, for the binding "${binding}"`}`);
}
