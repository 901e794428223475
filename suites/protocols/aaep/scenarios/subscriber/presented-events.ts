import type { JsonObject, Level } from "../../../../../schemas/index.ts";
import { findPresented, isPresented, isRepeatedlyMissed, type SubscriberSession } from "./session.ts";

/** Expects that an event is presented. Skips if ordinary events of its type are not presented either. */
export async function expectPresented(
  session: SubscriberSession,
  event: JsonObject,
  { rule, why, level }: { rule: string; why: string; level?: Level | undefined },
): Promise<void> {
  // If ordinary events of the type were repeatedly not presented, one is tried first, which is quicker.
  const skipReason = `ordinary events of the type ${event.type} are not presented either`;
  if (isRepeatedlyMissed(session, nameOf(event)) && !(await isPresented(session, nameOf(event)))) {
    session.context.skip(rule, skipReason);
    return;
  }
  // If a frame was lost, the next one may be lost as well, so an ordinary event is tried several times.
  const items = await findPresented(session, event);
  if (items === undefined && !(await isPresented(session, nameOf(event)))) {
    session.context.skip(rule, skipReason);
    return;
  }
  session.context.expect(rule, items !== undefined, why, level);
}

function nameOf({ type }: JsonObject): string {
  return String(type).replace(/^aaep:agent\./, "");
}
