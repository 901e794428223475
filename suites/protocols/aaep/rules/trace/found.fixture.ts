import type { Json } from "../../../../../schemas/index.ts";
import { traceFamilies } from "./index.ts";

const checkers = traceFamilies.flatMap((family) => family.checkers);

/** What a recording breaks: rule, place and level, where that is not the rule's own. */
export function broken(trace: Json): string[] {
  return checkers.flatMap(({ rule, check }) =>
    [...(check?.(trace, "session") ?? [])].map(({ at, level }) =>
      [rule.slice("AAEP-".length), at, ...(level === undefined ? [] : [level])].join(" "),
    ),
  );
}
