import { type KnownMistake, pointer, TouchstoneError } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Candidate } from "./candidate.ts";

/** Proposes the known mistakes of a profile. Throws a usage error for an impossible change, or if the schema has another verdict. */
export function* mistakes(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  for (const mistake of subject.named?.mistakes ?? []) {
    const { name, says, change, sample = 1, accepted = false } = mistake;
    // A draft with the same instance may have another name, such as that of the smallest instance.
    const sampleText = JSON.stringify(subject.samples[sample - 1]);
    const parent = valid.find(({ data }) => JSON.stringify(data) === sampleText);
    if (parent === undefined) throw mistakeError(mistake, `there is no valid sample ${sample} to be changed`);
    const data = applyChanges(parent.data, change);
    if (data === undefined) throw mistakeError(mistake, `its change does not fit sample ${sample}`);
    if (isValid(subject.model, data) !== accepted)
      throw mistakeError(mistake, `the schema ${accepted ? "refuses" : "accepts"} what comes of its change`);
    const [{ path: at }] = change as [KnownMistake["change"][number]];
    yield {
      family: "known-mistake",
      fault: "known-mistake",
      detail: name,
      parent,
      change,
      at,
      description: `${at === "" ? "the document" : pointer.segments(at).join(".")} ${says}`,
      mayBreakSeveral: "anywhere",
    };
  }
}

function mistakeError({ name }: KnownMistake, what: string): TouchstoneError {
  return new TouchstoneError("usage", what, {
    where: `the mistake "${name}" of the profile`,
    hint: "correct its `change` or `sample`, or leave it out",
  });
}
