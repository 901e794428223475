import type { Cases, Checker, RuleFamily } from "../../../../schemas/index.ts";

/** A family whose cases are made when they are first asked for: most need signatures, which checkers in use never do. */
export function familyOf(
  name: string,
  checkers: readonly Checker[],
  make: () => Cases[],
  more: Pick<RuleFamily, "enforcedBy" | "seals"> = {},
): RuleFamily {
  let made: Cases[] | undefined;
  return {
    name,
    checkers,
    ...more,
    get cases() {
      made ??= make();
      return made;
    },
  };
}
