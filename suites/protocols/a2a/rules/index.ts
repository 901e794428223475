import type { Checker } from "../../../../schemas/index.ts";
import { cardCheckers } from "./card.ts";
import { contentCheckers } from "./content.ts";
import { errorCheckers } from "./error.ts";
import { signatureCheckers } from "./signature.ts";
import { traceCheckers } from "./trace.ts";

/** The checks of the rules that have code. */
export const checkers: readonly Checker[] = [
  ...contentCheckers,
  ...cardCheckers,
  ...signatureCheckers,
  ...errorCheckers,
  ...traceCheckers,
];
