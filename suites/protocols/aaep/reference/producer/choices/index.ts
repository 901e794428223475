import type { Choice } from "../../choice.ts";
import type { Policy } from "../model.ts";
import { freedoms } from "./freedoms.ts";
import { tempos } from "./tempos.ts";
import { transports } from "./transports.ts";

/** Behaviour in which right producers differ. */
export const producerChoices: readonly Choice<Policy>[] = [...freedoms, ...tempos, ...transports];
