import type { JsonObject, Level } from "../../../../../schemas/index.ts";
import { type ContextOptions, isHeard, isUnheard, presentedAtAll } from "./story.ts";

/** An event must be presented, if ordinary ones of its type are. */
export async function mustHear(
  given: ContextOptions,
  rule: string,
  event: JsonObject,
  why: string,
  level?: Level,
): Promise<void> {
  // Where no ordinary event of the type was presented so far, one is tried first, which takes less time.
  const unheard = `ordinary events of the type ${event.type} are not presented either`;
  if (isUnheard(given, nameOf(event)) && !(await isHeard(given, nameOf(event)))) {
    given.context.skip(rule, unheard);
    return;
  }
  // Whoever loses a frame may lose what follows with it, which is not what an ordinary event is to be known by.
  const items = await presentedAtAll(given, event);
  if (items === undefined && !(await isHeard(given, nameOf(event)))) {
    given.context.skip(rule, unheard);
    return;
  }
  given.context.expect(rule, items !== undefined, why, level);
}

function nameOf({ type }: JsonObject): string {
  return String(type).replace(/^aaep:agent\./, "");
}
