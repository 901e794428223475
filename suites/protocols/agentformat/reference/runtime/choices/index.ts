import type { RuntimeChoice } from "./choice.ts";
import { conduct } from "./conduct.ts";
import { runtimeManners, tempo } from "./manners.ts";

/** All permitted differences from the reference runtime. Choices with the same factor exclude each other. */
export const runtimeChoices: readonly RuntimeChoice[] = [...conduct, ...tempo, ...runtimeManners];
