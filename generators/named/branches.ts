import { isObject, type Json, pointer } from "../../schemas/index.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { foreignMembers } from "../drafts/members.ts";
import { holdsAt, isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import type { Location } from "../model/model.ts";
import type { Candidate } from "./candidate.ts";
import { parentsWith } from "./parents.ts";

/** Proposes objects of one branch of a choice with a member that only another branch declares, if a parent has such an object. */
export function* foreignBranchMembers(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  const { model, samples } = subject;
  const parents = parentsWith(subject, valid, isObject);
  const seen = new Set<string>();
  for (const place of places(model)) {
    if (place.isRepeatedStep || place.at.length === 0) continue;
    for (const [name, node] of foreignMembers(model, place)) {
      const value = findSampleValue(samples, name, (candidate) => holdsAt(model, node, candidate));
      if (value === undefined) continue;
      const objectPlace = findObject(subject, parents, place.node, name);
      const path = objectPlace === undefined ? "" : pointer.append(objectPlace.at, name);
      if (objectPlace === undefined || seen.has(`${path} ${place.node}`)) continue;
      seen.add(`${path} ${place.node}`);
      const location = pointer.segments(objectPlace.at).join(".");
      yield {
        family: "cross-type",
        fault: "foreign-field",
        parent: objectPlace.parent,
        at: path,
        change: [{ op: "add", path, value }],
        description: `${location} has \`${name}\` as well, which belongs to another branch of its schema`,
      };
    }
  }
}

/** Finds an object that fulfils a schema and lacks a member, in the first parent that has one. */
function findObject(
  { model }: Subject,
  parents: readonly Draft[],
  schemaLocation: Location,
  name: string,
): { parent: Draft; at: string } | undefined {
  for (const parent of parents) {
    const failed = new Set<string>();
    const fulfillingPaths: string[] = [];
    isValid(model, parent.data, {
      observe: (_keyword, at, value, holds, node) => {
        if (node.location !== schemaLocation || !isObject(value) || Object.hasOwn(value, name)) return;
        if (holds) fulfillingPaths.push(at);
        else failed.add(at);
      },
    });
    const path = fulfillingPaths.find((at) => !failed.has(at));
    if (path !== undefined) return { parent, at: path };
  }
  return undefined;
}

/** Finds a valid value of a member of this name, anywhere in a sample. */
function findSampleValue(samples: readonly Json[], name: string, fits: (value: Json) => boolean): Json | undefined {
  for (const sample of samples) {
    if (typeof sample !== "object" || sample === null) continue;
    if (isObject(sample) && Object.hasOwn(sample, name) && fits(sample[name] as Json)) return sample[name];
    const inner = findSampleValue(Object.values(sample), name, fits);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
