import { isObject, type Json, type KindMembers, pointer } from "../../schemas/index.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import type { Candidate } from "./candidate.ts";
import { parentsWith } from "./parents.ts";
import { withArticle } from "./words.ts";

/** For kinds that share a document: proposes each kind with members that only another kind has, and under the name of every other kind. */
export function* proposeWithin(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  for (const { at, members } of subject.named?.kinds ?? []) {
    const kinds = Object.keys(members);
    for (const kind of kinds) {
      const parents = smallestAndFullest(parentsWith(subject, valid, (instance) => pointer.at(at, instance) === kind));
      yield* proposeMisspelt(at, kind, kinds, parents[0]?.[1]);
      for (const otherKind of kinds) {
        if (otherKind === kind) continue;
        for (const [size, parent] of parents) {
          yield* injectWithin(subject, valid, { at, members, kind, other: otherKind }, [size, parent]);
          yield {
            family: "cross-type",
            fault: "foreign-body",
            detail: `${kind}-as-${otherKind}${size}`,
            parent,
            at: "",
            change: [{ op: "replace", path: at, value: otherKind }],
            description: `${withArticle(kind)} that is called ${withArticle(otherKind)}${describeSize(size)}`,
            mayBreakSeveral: "root",
            ...(size === "" ? {} : { refusedOnly: true }),
          };
        }
      }
    }
  }
}

/** Proposes a kind under a misspelt name, which a loose comparison may accept. */
function* proposeMisspelt(
  at: string,
  kind: string,
  kinds: readonly string[],
  parent: Draft | undefined,
): Generator<Candidate> {
  const spellings = {
    capitalised: kind.charAt(0).toUpperCase() + kind.slice(1),
    "upper-case": kind.toUpperCase(),
    "with-a-space": `${kind} `,
    longer: `${kind}s`,
  };
  for (const [detail, value] of Object.entries(parent === undefined ? {} : spellings)) {
    if (kinds.includes(value)) continue;
    yield {
      family: "cross-type",
      fault: "misspelt-kind",
      detail: `${kind}-${detail}`,
      parent: parent as Draft,
      at,
      change: [{ op: "replace", path: at, value }],
      description: `${withArticle(kind)} that is called ${JSON.stringify(value)}`,
      mayBreakSeveral: "anywhere",
      refusedOnly: true,
    };
  }
}

function* injectWithin(
  subject: Subject,
  valid: readonly Draft[],
  { at, members, kind, other }: Pick<KindMembers, "at" | "members"> & { kind: string; other: string },
  [size, parent]: readonly [size: string, parent: Draft],
): Generator<Candidate> {
  for (const name of members[other] ?? []) {
    const path = pointer.append("", name);
    const [owner] = Object.keys(members).filter((each) => members[each]?.includes(name));
    if (owner !== other || members[kind]?.includes(name) || pointer.has(path, parent.data)) continue;
    const [donor] = parentsWith(subject, valid, (each) => pointer.at(at, each) === other && pointer.has(path, each));
    const value = donor === undefined ? undefined : pointer.at(path, donor.data);
    if (value === undefined) continue;
    yield {
      family: "cross-type",
      fault: "foreign-field",
      detail: `in-${kind}${size}`,
      parent,
      at: path,
      change: [{ op: "add", path, value }],
      description: `${withArticle(kind)} with the \`${name}\` of ${withArticle(other)}${describeSize(size)}`,
    };
  }
}

function describeSize(size: string): string {
  return size === "" ? "" : ", with every other member it may have";
}

/** Picks the smallest parent, and the one with most members. */
function smallestAndFullest(parents: readonly Draft[]): [size: string, parent: Draft][] {
  const [smallest] = parents;
  if (smallest === undefined) return [];
  const [fullest] = [...parents].sort((first, second) => countMembers(second.data) - countMembers(first.data));
  return fullest === undefined || fullest === smallest
    ? [["", smallest]]
    : [
        ["", smallest],
        ["-full", fullest],
      ];
}

function countMembers(value: Json): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
