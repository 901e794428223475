import type { Drafts, Subject } from "../drafts/draft.ts";
import { mayContinue } from "../drafts/work-progress.ts";
import { add } from "./add.ts";
import { foreignBranchMembers } from "./branches.ts";
import { proposeBetween } from "./cross-members.ts";
import { mistakes } from "./mistake.ts";
import { proposeWithin } from "./shared-document.ts";
import { timeouts } from "./timeout.ts";
import { tokens } from "./token.ts";

/** All named families, in the order of their vectors. */
const sources = [proposeWithin, proposeBetween, foreignBranchMembers, timeouts, tokens, mistakes];

/** Adds the drafts of all named families. They are made last and do not influence other choices, so no other vector is renamed or displaced. */
export function addNamed(subject: Subject, valid: Drafts, invalid: Drafts): void {
  if (subject.named === undefined) return;
  const parents = [...valid.all];
  for (const source of sources)
    for (const candidate of source(subject, parents)) {
      if (!mayContinue({ stage: "families", done: 1, total: 1 }, subject.model, subject.watch)) return;
      add(subject, valid, invalid, candidate);
    }
}
