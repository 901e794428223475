import { isObject, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { sharedBound } from "../bounds.ts";
import { hookDeclines } from "../needs.ts";
import { openLines } from "./lines.ts";
import { reach } from "./reach.ts";

/** Asks a hook of a party. Skips the scenario if the party has no such hook. */
export type Ask = (hook: string, given: JsonObject) => Promise<JsonObject>;

/**
 * The hooks of a party: the hooks of the setting or at its address, or else the hooks that its command answers, one after the other: a line { id, hook,
 * given } is answered by a line { id, answer }.
 */
export function asking(context: ScenarioContext, name: string): Ask {
  if (context.setting.command === undefined) return (hook, given) => recordAnswer(context, name, hook, given);
  const party = openLines(context, name, Number.POSITIVE_INFINITY);
  const patience = sharedBound(context.setting, "answer");
  let last = 0;
  return async (hook, given) => {
    const id = ++last;
    await party.tell({ id, hook, given });
    const said = await party.next(patience);
    if (said === undefined)
      throw new TargetFailure("timed-out", "answer", `the ${name} does not answer "${hook}" within ${patience} ms`);
    if (said.id !== id || !isObject(said.answer))
      throw new TargetFailure(
        "errored",
        "answer",
        `the ${name} does not answer "${hook}" with {"id": ${id}, "answer": {…}}`,
      );
    if (typeof said.answer.skipped === "string") throw hookDeclines(hook, said.answer.skipped);
    return said.answer;
  };
}

async function recordAnswer(
  context: ScenarioContext,
  name: string,
  hook: string,
  given: JsonObject,
): Promise<JsonObject> {
  const answer = await reach(context, hook, given);
  context.record({ from: "suite", to: name, text: JSON.stringify({ hook, given }) });
  context.record({ from: name, to: "suite", text: JSON.stringify({ answer }) });
  return answer;
}
