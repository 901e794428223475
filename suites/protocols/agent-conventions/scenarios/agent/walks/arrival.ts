import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import type { AgentWalkModel, Letter } from "./model.ts";

/** An arrival: its message, the earlier messages, and whether it is the first copy. */
export interface MessageArrival {
  context: ScenarioContext;
  model: AgentWalkModel;
  letter: Letter;
  after: number;
  isFirst: boolean;
  stepText: string;
  must: Must;
}
