import type { ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import type { Letter, Model } from "./model.ts";

/** An arrival: what it is of, what had been heard before it, and whether it has come for the first time. */
export interface Arrival {
  context: ScenarioContext;
  model: Model;
  letter: Letter;
  after: number;
  isFirst: boolean;
  what: string;
  must: Must;
}
