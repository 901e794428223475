import type { Model } from "../model/model.ts";

/** The stages of the work on a document: compile its schemas, break assertions, kill mutants, add named families, run the validators, choose vectors, write texts. */
export type Stage = "compiling" | "faults" | "mutants" | "families" | "judging" | "choosing" | "texts";

/** The progress of a stage. */
export interface WorkProgress {
  stage: Stage;
  done: number;
  total: number;
}

/** Called with the progress. If it returns `false`, the stage ends early, and its remaining work is listed as unfinished. */
export type Watch = (progress: WorkProgress) => boolean;

/** Whether a stage continues: nothing ended it, and permitted work remains. */
export function mayContinue(progress: WorkProgress, { effort }: Model, watch: Watch = () => true): boolean {
  return watch(progress) && effort?.isSpent !== true;
}

/** Returns the reason for a missing vector, if a stage ended early. */
export function describeUnfinished({ done, total }: Pick<WorkProgress, "done" | "total">): string {
  return `not worked on: of ${total} places the first ${done} were`;
}

/** The work that is allowed for a stage of a foreign schema: about ten seconds on a common machine. */
export const usualEffort = 4_000_000;

/** A schema with more entries in one keyword is vast. */
const maxMembers = 2000;

/** Whether one schema has so many members that an instance with all of them is useless. */
export function isVast({ nodes }: Model): boolean {
  for (const { keywords } of nodes.values())
    for (const keyword of keywords) if ("entries" in keyword && keyword.entries.length > maxMembers) return true;
  return false;
}
