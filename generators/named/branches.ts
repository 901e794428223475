import { isObject, type Json, pointer } from "../../schemas/index.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { foreignMembers } from "../drafts/members.ts";
import { holdsAt, isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import type { Location } from "../model/model.ts";
import type { Candidate } from "./candidate.ts";
import { parentsWith } from "./parents.ts";

/** Objects of one branch of a choice with a member that only another branch declares, if a parent has such an object. */
export function* foreignBranchMembers(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  const { model, samples } = subject;
  const parents = parentsWith(subject, valid, isObject);
  const seen = new Set<string>();
  for (const place of places(model)) {
    if (place.again || place.at.length === 0) continue;
    for (const [name, node] of foreignMembers(model, place)) {
      const value = findSampleValue(samples, name, (each) => holdsAt(model, node, each));
      if (value === undefined) continue;
      const found = findObject(subject, parents, place.node, name);
      const path = found === undefined ? "" : pointer.append(found.at, name);
      if (found === undefined || seen.has(`${path} ${place.node}`)) continue;
      seen.add(`${path} ${place.node}`);
      const where = pointer.segments(found.at).join(".");
      yield {
        family: "cross-type",
        fault: "foreign-field",
        parent: found.parent,
        at: path,
        change: [{ op: "add", path, value }],
        description: `${where} has \`${name}\` as well, which belongs to another branch of its schema`,
      };
    }
  }
}

/** The location of an object that fulfils a schema and lacks a member, in the first parent that has one. */
function findObject(
  { model }: Subject,
  parents: readonly Draft[],
  wanted: Location,
  name: string,
): { parent: Draft; at: string } | undefined {
  for (const parent of parents) {
    const failed = new Set<string>();
    const passed: string[] = [];
    isValid(model, parent.data, {
      observe: (_keyword, at, value, holds, node) => {
        if (node.location !== wanted || !isObject(value) || Object.hasOwn(value, name)) return;
        if (holds) passed.push(at);
        else failed.add(at);
      },
    });
    const found = passed.find((at) => !failed.has(at));
    if (found !== undefined) return { parent, at: found };
  }
  return undefined;
}

/** A value of this name anywhere in a sample, if it is valid. */
function findSampleValue(samples: readonly Json[], name: string, fits: (value: Json) => boolean): Json | undefined {
  for (const sample of samples) {
    if (typeof sample !== "object" || sample === null) continue;
    if (isObject(sample) && Object.hasOwn(sample, name) && fits(sample[name] as Json)) return sample[name];
    const inner = findSampleValue(Object.values(sample), name, fits);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
