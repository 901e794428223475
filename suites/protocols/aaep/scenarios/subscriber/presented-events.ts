import type { JsonObject, Level } from "../../../../../schemas/index.ts";
import { findPresented, isPresented, isRepeatedlyMissed, type SubscriberSession } from "./story.ts";

/** Fails if an event is not presented although ordinary events of its type are. */
export async function mustHear(
  given: SubscriberSession,
  event: JsonObject,
  { rule, why, level }: { rule: string; why: string; level?: Level | undefined },
): Promise<void> {
  // If no ordinary event of the type was presented so far, one is tried first, which is quicker.
  const unheard = `ordinary events of the type ${event.type} are not presented either`;
  if (isRepeatedlyMissed(given, nameOf(event)) && !(await isPresented(given, nameOf(event)))) {
    given.context.skip(rule, unheard);
    return;
  }
  // A subscriber that loses a frame may lose the next one as well, which shows nothing about an ordinary event.
  const items = await findPresented(given, event);
  if (items === undefined && !(await isPresented(given, nameOf(event)))) {
    given.context.skip(rule, unheard);
    return;
  }
  given.context.expect(rule, items !== undefined, why, level);
}

function nameOf({ type }: JsonObject): string {
  return String(type).replace(/^aaep:agent\./, "");
}
