import type { Checker } from "../../../../schemas/index.ts";
import { deliveryCheckersFor } from "../../ahcp/rules/delivery.ts";
import { digestCheckers } from "../../ahcp/rules/digest.ts";
import { errorCheckersFor } from "../../ahcp/rules/error.ts";
import { codes } from "./codes.ts";
import { drainCheckers } from "./drain.ts";
import { entryCheckers } from "./entry.ts";
import { renameCheckers } from "./rename.ts";
import { spelling } from "./spelling.ts";
import { storedChecker } from "./stored.ts";

export { resign } from "./resign.ts";

/** The checks that are written in code: MA2H's own, and AHCP's with the members renamed. */
export const checkers: readonly Checker[] = [
  ...renameCheckers(deliveryCheckersFor(spelling)),
  ...renameCheckers(digestCheckers),
  ...renameCheckers(errorCheckersFor(codes)),
  storedChecker,
  ...drainCheckers,
  ...entryCheckers,
];
