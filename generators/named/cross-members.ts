import { type Change, isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { changeBetween } from "../changes/difference.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { declaredMembers } from "../drafts/members.ts";
import type { OtherKind } from "../drafts/other-kinds.ts";
import type { Candidate } from "./candidate.ts";
import { parentsWith } from "./parents.ts";
import { joinNames, titleInSentence } from "./words.ts";

/**
 * A document with members that only others have. If it is closed, each foreign member once in the smallest message and one of each kind in the
 * fullest; if it is open, all of one kind together. And the whole body of each other one under its own discriminator.
 */
export function* proposeBetween(subject: Subject, valid: readonly Draft[]): Generator<Candidate> {
  const { named, model } = subject;
  if (named === undefined || named.others.length === 0) return;
  const parents = parentsWith(subject, valid, isObject);
  const [least] = parents;
  if (least === undefined) return;
  const fullest = [...parents].sort((one, other) => size(other.data) - size(one.data))[0] as Draft;
  const own = new Set([...declaredMembers(model, model.root).keys(), ...Object.keys(named.selector)]);
  const injected = new Set<string>();
  for (const other of named.others) {
    const foreign = [...other.members].filter(([name]) => !own.has(name) && !isSelector(named.selector, name));
    const head = { family: "cross-type", fault: "foreign-field" } as const;
    const says = `${titleInSentence(named.title)} with`;
    if (named.isOpen && foreign.length > 0)
      yield {
        ...head,
        parent: least,
        at: "",
        detail: `of-${other.document}`,
        change: foreign.map(([name, value]) => addMember(name, value)),
        description: `${says} ${joinNames(foreign.map(([name]) => name))} of ${titleInSentence(other.title)}`,
      };
    for (const [name, value] of named.isOpen ? [] : foreign) {
      const path = pointer.append("", name);
      const one = (parent: Draft, detail: string, more: string): Candidate => ({
        ...head,
        parent,
        at: path,
        detail,
        change: [addMember(name, value)],
        description: `${says} the \`${name}\` of ${titleInSentence(other.title)}${more}`,
      });
      if (name === foreign[0]?.[0] && fullest !== least)
        yield one(fullest, `of-${other.document}-full`, ", with every other member it may have");
      if (injected.has(name)) continue;
      injected.add(name);
      yield one(least, `of-${other.document}`, "");
    }
    yield body(least, other, named);
  }
}

function body(parent: Draft, { document, title, fullest }: OtherKind, named: NonNullable<Subject["named"]>): Candidate {
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

/** The other body with the values that select this document. */
function renameSelector(whole: JsonObject, selector: Readonly<Record<string, Json>>): JsonObject {
  const selected = Object.entries(selector).map(([at, value]) => [pointer.segments(at)[0] as string, value] as const);
  return { ...whole, ...Object.fromEntries(selected) };
}

function isSelector(selector: Readonly<Record<string, Json>>, name: string): boolean {
  return Object.keys(selector).some((at) => pointer.segments(at)[0] === name);
}

function addMember(name: string, value: Json): Change {
  return { op: "add", path: pointer.append("", name), value };
}

function size(value: Json): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
