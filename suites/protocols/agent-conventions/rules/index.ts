import type { Checker } from "../../../../schemas/index.ts";
import { baseCheckers } from "./base.ts";
import { cueCheckers } from "./cue.ts";
import { exchangeCheckers } from "./exchange.ts";
import { releaseCheckers } from "./release.ts";
import { stateCheckers } from "./state.ts";
import { taskCheckers } from "./task.ts";
import { teamCheckers } from "./team.ts";
import { troubleCheckers } from "./trouble.ts";

/** Checkers of all rules that need code. */
export const checkers: readonly Checker[] = [
  ...baseCheckers,
  ...taskCheckers,
  ...stateCheckers,
  ...cueCheckers,
  ...troubleCheckers,
  ...teamCheckers,
  ...releaseCheckers,
  ...exchangeCheckers,
];
