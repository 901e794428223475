import { answers } from "./answers.ts";
import type { HubChoice } from "./choice.ts";
import { messages } from "./messages.ts";
import { outcomes } from "./outcomes.ts";
import { pushes } from "./pushes.ts";
import { tempos } from "./tempos.ts";

/** Everything that a right hub may do otherwise, in the order in which it is laid on: what changes all answers comes late. */
export const hubChoices: readonly HubChoice[] = [...messages, ...outcomes, ...pushes, ...answers, ...tempos];
