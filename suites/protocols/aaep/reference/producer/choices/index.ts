import type { Choice } from "../../choice.ts";
import type { Policy } from "../model.ts";
import { freedoms } from "./freedoms.ts";
import { tempos } from "./tempos.ts";
import { transports } from "./transports.ts";

/** What a right producer may do otherwise. */
export const producerChoices: readonly Choice<Policy>[] = [...freedoms, ...tempos, ...transports];
