import type { Checker } from "../../../../schemas/index.ts";
import { answerCheckers } from "./answer.ts";
import { authoringCheckers } from "./authoring.ts";
import { conductCheckers } from "./conduct.ts";
import { defaultsCheckers } from "./defaults.ts";
import { deliveryCheckers } from "./delivery.ts";
import { digestCheckers } from "./digest.ts";
import { errorCheckers } from "./error.ts";
import { flatnessChecker } from "./flatness.ts";
import { openCheckers } from "./open.ts";
import { outcomeCheckers } from "./outcome.ts";
import { sensitiveChecker } from "./sensitive.ts";
import { storedChecker } from "./stored.ts";

/** The checkers of all rules that need code. */
export const checkers: readonly Checker[] = [
  ...openCheckers,
  ...authoringCheckers,
  flatnessChecker,
  ...defaultsCheckers,
  storedChecker,
  ...outcomeCheckers,
  ...answerCheckers,
  sensitiveChecker,
  ...errorCheckers,
  ...conductCheckers,
  ...deliveryCheckers,
  ...digestCheckers,
];
