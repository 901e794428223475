import type { RuntimeChoice } from "./choice.ts";
import { conduct } from "./conduct.ts";
import { runtimeManners, tempo } from "./manners.ts";

/** All that a right runtime may do otherwise than the reference; those of one factor exclude each other. */
export const runtimeChoices: readonly RuntimeChoice[] = [...conduct, ...tempo, ...runtimeManners];
