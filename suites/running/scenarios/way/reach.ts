import { type JsonObject, missingNeeds, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { absentStatuses, hookAt } from "../hooks.ts";
import { hookDeclines } from "../needs.ts";

/** Calls a hook of a party, either from the setting or as `POST URL/NAME` at the party's address. Skips the scenario if there is neither. */
export async function reachHook(context: ScenarioContext, name: string, parameters: JsonObject): Promise<JsonObject> {
  const { url, hooks = {} } = context.setting;
  if (hooks[name] !== undefined || url === undefined) return context.hook(name, parameters);
  const { place, call } = hookAt(url, name);
  const answer = await call(parameters);
  context.signal.throwIfAborted();
  if (answer.applied === false && absentStatuses.includes(Number(answer.status)))
    throw new TargetSkip(`needs the hook "${name}", which is neither given nor at ${place}`, missingNeeds(name));
  if (typeof answer.skipped === "string") throw hookDeclines(name, answer.skipped);
  return answer;
}

/** Calls an optional hook; undefined if it is missing. */
export async function reachIfThere(
  context: ScenarioContext,
  name: string,
  parameters: JsonObject,
): Promise<JsonObject | undefined> {
  try {
    return await reachHook(context, name, parameters);
  } catch (error) {
    if (error instanceof TargetSkip) return undefined;
    throw error;
  }
}
