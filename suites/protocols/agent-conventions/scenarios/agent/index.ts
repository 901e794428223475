import type { Scenario } from "../../../../../schemas/index.ts";
import { cues } from "./cues.ts";
import { receiving } from "./receiving.ts";
import { sending } from "./sending.ts";
import { texts } from "./texts.ts";
import { work } from "./work.ts";

/** Scenarios in which the suite is the hub, the orchestrator and another agent. */
export const agentScenarios: readonly Scenario[] = [...sending, ...receiving, ...texts, ...cues, ...work];
