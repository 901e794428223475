export {
  type CheckedHistory as Checked,
  check,
  checkOne,
  type HistoryVerdict as Verdict,
  usualSteps,
} from "./check.ts";
export {
  forgetOutput as forgotten,
  type History,
  type HistoryOperation,
  partitionOperations as partitioned,
  type SequentialModel,
} from "./history.ts";
export { type Smallest, smallestIllegal } from "./smallest-history.ts";
