import type { HttpReply, ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { cancel, isRefused, post, submit } from "./steps.ts";

/** Whether a message is refused because a different message has the same key. */
export const isKeyConflict = (reply: HttpReply): boolean => isRefused(reply, 409, "idempotency_conflict");

/** Whether the hub notices conflicts at all. If not, further checks of conflicts would only repeat that finding. */
export async function findsConflicts(context: ScenarioContext): Promise<boolean> {
  const message = ask(context);
  const { id } = await submit(context, message);
  const isConflict = isKeyConflict(await post(context, { ...message, title: context.fresh("other") }));
  await cancel(context, id);
  return isConflict;
}
