import type { Scenario } from "../../../../../schemas/index.ts";
import { cues } from "./cues.ts";
import { receiving } from "./receiving.ts";
import { recorded } from "./recorded.ts";
import { sending } from "./sending.ts";
import { texts } from "./texts.ts";
import { work } from "./work.ts";

/** Scenarios in which the suite is the hub, the orchestrator and another agent; what is wrong with messages as such comes ahead of what follows from it. */
export const agentScenarios: readonly Scenario[] = [recorded, ...sending, ...receiving, ...texts, ...cues, ...work];
