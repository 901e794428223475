import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import type { AgentWalkModel, Delivery } from "./model.ts";

/** The arrival of a message at the agent. */
export interface MessageArrival {
  context: ScenarioContext;
  model: AgentWalkModel;
  delivery: Delivery;
  /** The number of messages to the hub before the arrival. */
  fromIndex: number;
  /** Whether this is the first copy of the message. */
  isFirst: boolean;
  stepText: string;
  must: Must;
}
