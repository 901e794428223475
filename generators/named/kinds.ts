import { type Document, isObject, type Json, type Protocol, pointer } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { declaredMembers } from "../drafts/members.ts";
import type { OtherKind } from "../drafts/other-kinds.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { Effort } from "../model/effort.ts";
import { solve } from "../solve/solve.ts";

/** Finds the documents that may be confused with a document, because the same member selects them or the same carrier accepts them. */
export async function othersOf(protocol: Protocol, document: Document): Promise<OtherKind[]> {
  const group = groupOf(document);
  if (group === undefined) return [];
  const others = protocol.profile.documents.filter(
    (candidate) => candidate.standalone && candidate.name !== document.name && groupOf(candidate) === group,
  );
  const otherKindsFound = await Promise.all(
    nearestDocuments(protocol, document, others).map((candidate) => kindOf(protocol, candidate)),
  );
  return otherKindsFound.filter((each) => each !== undefined);
}

/** A pack of a hundred methods has too many pairs, so each document is paired only with the next ones. */
function nearestDocuments(protocol: Protocol, document: Document, others: readonly Document[]): readonly Document[] {
  if (protocol.foreign !== true || others.length <= maxOthers) return others;
  const { documents } = protocol.profile;
  const laterDocuments = others.filter((each) => documents.indexOf(each) > documents.indexOf(document));
  return [...new Set([...laterDocuments, ...others])].slice(0, maxOthers);
}

const maxOthers = 12;

function groupOf({ when, wrap }: Document): string | undefined {
  const [member] = Object.keys(when ?? {});
  if (member !== undefined) return `member ${member}`;
  return wrap === undefined ? undefined : `carrier ${wrap.at}`;
}

const otherKinds = new WeakMap<Document, Promise<OtherKind | undefined>>();

function kindOf(protocol: Protocol, document: Document): Promise<OtherKind | undefined> {
  const cached = otherKinds.get(document) ?? makeKind(protocol, document);
  otherKinds.set(document, cached);
  return cached;
}

/** The effort allowed for the fullest instance of a user's schema. */
const fullestEffort = 500_000;

/** Prefers values of samples, because they look like real messages. */
async function makeKind(protocol: Protocol, document: Document): Promise<OtherKind | undefined> {
  const model = await compileModel(protocol.schemas, document.schema);
  const samples = (document.samples ?? []).filter(isObject);
  const [richest] = [...samples].sort((a, b) => Object.keys(b).length - Object.keys(a).length);
  const root = { op: "schema", node: model.root, sign: true, scope: {} } as const;
  const bounded = protocol.foreign === true ? { ...model, effort: new Effort(fullestEffort) } : model;
  const solution = solve(bounded, [root], { full: true, ...(richest === undefined ? {} : { hint: richest }) });
  const fullInstance =
    "found" in solution && isObject(solution.found) && isValid(model, solution.found) ? solution.found : {};
  const members = new Map<string, Json>();
  for (const name of declaredMembers(model, model.root).keys()) {
    const holder = [...samples].reverse().find((sample) => Object.hasOwn(sample, name)) ?? fullInstance;
    const value = pointer.at(pointer.append("", name), holder);
    if (value !== undefined) members.set(name, value);
  }
  const fullest = richest ?? fullInstance;
  return Object.keys(fullest).length === 0
    ? undefined
    : { document: document.name, title: document.title, members, fullest };
}
