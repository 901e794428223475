import type { PartyChoice } from "../../party-choice.ts";
import type { ProducerPolicy } from "../model.ts";
import { freedoms } from "./freedoms.ts";
import { tempos } from "./tempos.ts";
import { transports } from "./transports.ts";

/** The ways in which conforming producers may differ. */
export const producerChoices: readonly PartyChoice<ProducerPolicy>[] = [...freedoms, ...tempos, ...transports];
