import type { RuntimeChoice } from "./choice.ts";
import { behaviourChoices } from "./conduct.ts";
import { runtimeManners, tempoChoices } from "./manners.ts";

/** All permitted differences from the reference runtime. Choices with the same factor exclude each other. */
export const runtimeChoices: readonly RuntimeChoice[] = [...behaviourChoices, ...tempoChoices, ...runtimeManners];
