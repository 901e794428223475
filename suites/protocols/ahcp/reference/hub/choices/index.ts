import { answers } from "./answers.ts";
import type { HubChoice } from "./choice.ts";
import { messages } from "./messages.ts";
import { outcomes } from "./outcomes.ts";
import { pushes } from "./pushes.ts";
import { tempos } from "./tempos.ts";

/** All permitted differences between correct hubs, in the order of application. Choices that change all answers come last. */
export const hubChoices: readonly HubChoice[] = [...messages, ...outcomes, ...pushes, ...answers, ...tempos];
