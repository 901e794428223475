import type { RuleFamily } from "../../../../schemas/index.ts";
import { baseCases } from "./base.cases.ts";
import { baseCheckers } from "./base.ts";
import { cueCases } from "./cue.cases.ts";
import { cueCheckers } from "./cue.ts";
import { exchangeCases } from "./exchange.cases.ts";
import { exchangeCheckers } from "./exchange.ts";
import { exchangeCueCases } from "./exchange-cue.cases.ts";
import { exchangeWorkCases } from "./exchange-work.cases.ts";
import { loaderCases } from "./loader.cases.ts";
import { releaseCases } from "./release.cases.ts";
import { releaseCheckers } from "./release.ts";
import { stateCases } from "./state.cases.ts";
import { stateCheckers } from "./state.ts";
import { taskCases } from "./task.cases.ts";
import { taskCheckers } from "./task.ts";
import { teamCases } from "./team.cases.ts";
import { teamCheckers } from "./team.ts";
import { troubleCases } from "./trouble.cases.ts";
import { troubleCheckers } from "./trouble.ts";

/** The semantic rules, family by family. */
export const families: readonly RuleFamily[] = [
  {
    name: "base",
    checkers: baseCheckers,
    cases: [...baseCases, ...loaderCases],
    enforcedBy: { "CONV-BASE-011": "formats", "CONV-BASE-012": "patterns" },
  },
  { name: "task", checkers: taskCheckers, cases: taskCases },
  { name: "state", checkers: stateCheckers, cases: stateCases },
  { name: "cue", checkers: cueCheckers, cases: cueCases },
  { name: "trouble", checkers: troubleCheckers, cases: troubleCases },
  { name: "team", checkers: teamCheckers, cases: teamCases },
  { name: "release", checkers: releaseCheckers, cases: releaseCases },
  {
    name: "exchange",
    checkers: exchangeCheckers,
    cases: [...exchangeCases, ...exchangeCueCases, ...exchangeWorkCases],
  },
];
