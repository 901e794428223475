import type { Walks } from "../../../../../../schemas/index.ts";
import { walksAlong } from "../../../../../running/scenarios/walks/index.ts";
import { agentModel } from "./walks.ts";

export const walks: Walks = walksAlong(agentModel);
