import { answers } from "./answers.ts";
import type { HubChoice } from "./choice.ts";
import { messages } from "./messages.ts";
import { outcomes } from "./outcomes.ts";
import { pushes } from "./pushes.ts";
import { tempos } from "./tempos.ts";

/** All differences that a right hub may have, in the order of their application: changes of all answers come late. */
export const hubChoices: readonly HubChoice[] = [...messages, ...outcomes, ...pushes, ...answers, ...tempos];
