import { type Change, isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { declaredMembers } from "../drafts/members.ts";
import type { OtherKind } from "../drafts/other-kinds.ts";
import type { Candidate } from "./candidate.ts";
import { parentsWith } from "./parents.ts";
import { joinNames, titleInSentence } from "./words.ts";

/**
 * Proposes candidates with members that only other documents have. A closed document gets each foreign member once in its smallest message, and one
 * of each kind in its fullest. An open document gets all members of a kind together. Both also get the whole body of each other document.
 */
export function* proposeBetween(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  const { named, model } = subject;
  if (named === undefined || named.others.length === 0) return;
  const parents = parentsWith(subject, valid, isObject);
  const [smallest] = parents;
  if (smallest === undefined) return;
  const fullest = [...parents].sort(
    (first, second) => countMembers(second.data) - countMembers(first.data),
  )[0] as Draft;
  const ownMembers = new Set([...declaredMembers(model, model.root).keys(), ...Object.keys(named.selector)]);
  const injected = new Set<string>();
  for (const otherKind of named.others) {
    const foreign = [...otherKind.members].filter(
      ([name]) => !ownMembers.has(name) && !isSelector(named.selector, name),
    );
    const head = { family: "cross-type", fault: "foreign-field" } as const;
    const beginning = `${titleInSentence(named.title)} with`;
    if (named.isOpen && foreign.length > 0)
      yield {
        ...head,
        parent: smallest,
        at: "",
        detail: `of-${otherKind.document}`,
        change: foreign.map(([name, value]) => addMember(name, value)),
        description: `${beginning} ${joinNames(foreign.map(([name]) => name))} of ${titleInSentence(otherKind.title)}`,
      };
    for (const [name, value] of named.isOpen ? [] : foreign) {
      const path = pointer.append("", name);
      const propose = (parent: Draft, detail: string, suffix: string): Candidate => ({
        ...head,
        parent,
        at: path,
        detail,
        change: [addMember(name, value)],
        description: `${beginning} the \`${name}\` of ${titleInSentence(otherKind.title)}${suffix}`,
      });
      if (name === foreign[0]?.[0] && fullest !== smallest)
        yield propose(fullest, `of-${otherKind.document}-full`, ", with every other member it may have");
      if (injected.has(name)) continue;
      injected.add(name);
      yield propose(smallest, `of-${otherKind.document}`, "");
    }
    yield bodyCandidate(smallest, otherKind, named);
  }
}

function bodyCandidate(
  parent: Draft,
  { document, title, fullest }: OtherKind,
  named: NonNullable<Subject["named"]>,
): Candidate {
  const data = renameSelector(fullest, named.selector);
  const isNamed = Object.keys(named.selector).length > 0;
  return {
    family: "cross-type",
    fault: "foreign-body",
    detail: `of-${document}`,
    parent,
    at: "",
    change: changeBetween(parent.data, data),
    description: isNamed
      ? `the whole body of ${titleInSentence(title)} that is called ${titleInSentence(named.title)}`
      : `the whole body of ${titleInSentence(title)} in the place of ${titleInSentence(named.title)}`,
    mayBreakSeveral: "root",
  };
}

/** Gives the body of another document the values that select this one. */
function renameSelector(whole: JsonObject, selector: Readonly<Record<string, Json>>): JsonObject {
  const selection = Object.entries(selector).map(([at, value]) => [pointer.segments(at)[0] as string, value] as const);
  return { ...whole, ...Object.fromEntries(selection) };
}

function isSelector(selector: Readonly<Record<string, Json>>, name: string): boolean {
  return Object.keys(selector).some((at) => pointer.segments(at)[0] === name);
}

function addMember(name: string, value: Json): Change {
  return { op: "add", path: pointer.append("", name), value };
}

function countMembers(value: Json): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
