import type { ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { red, resolve, submit } from "./steps.ts";

/** Whether resolutions at once have one winner; when not, a race with something else says no more. */
export async function isAtomic(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = await Promise.all(Array.from({ length: 6 }, () => resolve(context, id, red)));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** Whether one resolution after the other has one winner; when not, a race between them says no more. */
export async function isFinal(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = [];
  for (const given of [red, red, { resolution: "declined" }]) replies.push(await resolve(context, id, given));
  return replies.filter(({ applied }) => applied).length === 1;
}
