import { isObject, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { sharedBound } from "../bounds.ts";
import { hookDeclines } from "../needs.ts";
import { openLines } from "./lines.ts";
import { reachHook } from "./reach.ts";

/** Calls a hook of a party. Skips the scenario if the party has no such hook. */
export type Ask = (hook: string, parameters: JsonObject) => Promise<JsonObject>;

/** Creates a function that calls the hooks of a party. A party that is run as a command uses its standard streams: it answers each line { id, hook, given } with a line { id, answer }, one after another. Hooks of other parties are in the setting or at the party's address. */
export function createAsk(context: ScenarioContext, name: string): Ask {
  if (context.setting.command === undefined) return (hook, parameters) => callHook(context, name, hook, parameters);
  const party = openLines(context, name);
  const maxWait = sharedBound(context.setting, "answer");
  let lastId = 0;
  return async (hook, parameters) => {
    const id = ++lastId;
    await party.tell({ id, hook, given: parameters });
    const reply = await party.next(maxWait);
    if (reply === undefined)
      throw new TargetFailure("timed-out", "answer", `the ${name} does not answer "${hook}" within ${maxWait} ms`);
    if (reply.id !== id || !isObject(reply.answer))
      throw new TargetFailure(
        "errored",
        "answer",
        `the ${name} does not answer "${hook}" with {"id": ${id}, "answer": {…}}`,
      );
    if (typeof reply.answer.skipped === "string") throw hookDeclines(hook, reply.answer.skipped);
    return reply.answer;
  };
}

async function callHook(
  context: ScenarioContext,
  name: string,
  hook: string,
  parameters: JsonObject,
): Promise<JsonObject> {
  const answer = await reachHook(context, hook, parameters);
  context.record({ from: "suite", to: name, text: JSON.stringify({ hook, given: parameters }) });
  context.record({ from: name, to: "suite", text: JSON.stringify({ answer }) });
  return answer;
}
