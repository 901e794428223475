import { type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { knownOf } from "./known.ts";
import type { Line, Wanted } from "./line.ts";
import { overCommand, overSocket } from "./pipe.ts";
import { overSse } from "./sse.ts";

/** Opens a subscription, by the binding that the setting allows. */
export async function open(stage: ScenarioContext, wanted: Wanted = {}): Promise<Line> {
  if (stage.setting.url !== undefined) return overSse(stage, wanted);
  const { socket, framing } = knownOf(stage);
  if (socket !== undefined) return overSocket(stage, socket, framing, wanted);
  if (stage.setting.command !== undefined) return overCommand(stage, wanted);
  throw new TargetSkip("needs an address (--http), a command (--command) or a Unix socket (options.socket)");
}
