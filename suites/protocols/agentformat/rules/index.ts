import type { Checker } from "../../../../schemas/index.ts";
import { agentCheckers } from "./agent.ts";
import { bundleCheckers } from "./bundle.ts";
import { consentCheckers } from "./consent.ts";
import { matchCheckers } from "./match.ts";
import { mergerCheckers } from "./merger.ts";
import { readingCheckers } from "./reading.ts";
import { selectionCheckers } from "./selection.ts";
import { textCheckers } from "./texts.ts";
import { tighteningCheckers } from "./tightening.ts";

/** Checkers of all rules that need code. */
export const checkers: readonly Checker[] = [
  ...agentCheckers,
  ...textCheckers,
  ...readingCheckers,
  ...bundleCheckers,
  ...matchCheckers,
  ...consentCheckers,
  ...tighteningCheckers,
  ...mergerCheckers,
  ...selectionCheckers,
];
