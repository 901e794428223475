import type { ByType, ComparableAnswer, ComparableApi, ComparableOperation, ComparablePart } from "../openapi/index.ts";
import { callDifferences } from "./calls.ts";
import type { Pairs, VersionPair } from "./pair.ts";

/** The parts of two versions of an API that are compared: operation by operation, matched by method and path, not by name. */
export function apiPairs(old: ComparableApi, next: ComparableApi): Omit<Pairs, "old" | "new"> {
  const before = new Map(old.operations.map((operation) => [operation.operation.name, operation]));
  const now = new Map(next.operations.map((operation) => [operation.operation.name, operation]));
  const unreadable = new Map([...old.unreadable, ...next.unreadable]);
  const isReadable = ({ operation: { method, path } }: ComparableOperation): boolean =>
    !unreadable.has(`${method} ${path}`) && !unreadable.has(path);
  const names = [...new Set([...before.keys(), ...now.keys()])].filter((name) =>
    [before.get(name), now.get(name)].every((each) => each === undefined || isReadable(each)),
  );
  const differing = [...new Set([...old.aside.keys(), ...next.aside.keys()])].filter(
    (what) => old.aside.get(what) !== next.aside.get(what),
  );
  return {
    pairs: names.flatMap((name) => operationPairs(name, before.get(name), now.get(name))),
    notCompared: [
      ...new Set([
        ...[...unreadable].map(([name, why]) => `${name}, which cannot be read (${why})`),
        ...old.unread,
        ...next.unread,
        ...differing.map((what) => `changed ${what}`),
      ]),
    ],
  };
}

function operationPairs(
  name: string,
  old: ComparableOperation | undefined,
  next: ComparableOperation | undefined,
): VersionPair[] {
  if (old === undefined || next === undefined)
    return [{ name, of: "request", state: old === undefined ? "added" : "removed" }];
  const hasParameters = [old, next].some(({ parameters }) => parameters.parameters.length > 0);
  const parameters = `${name}.parameters`;
  return [
    { name: `${name}.request`, of: "request", differences: callDifferences(old, next) },
    ...(hasParameters
      ? [{ ...pairOf(parameters, "request", old.parametersAs, next.parametersAs), isGrouped: true as const }]
      : []),
    ...typePairs(name, "request", old.body?.types ?? new Map(), next.body?.types ?? new Map()),
    ...[...new Set([...old.answers.keys(), ...next.answers.keys()])].flatMap((status) =>
      answerPairs(
        `${name}.response-${status.toLowerCase()}`,
        status,
        answerTo(status, old.answers),
        answerTo(status, next.answers),
      ),
    ),
  ];
}

function pairOf(name: string, of: "request" | "answer", old: ComparablePart, next: ComparablePart): VersionPair {
  // Both versions must read a choice in the same, wider way; otherwise the reading itself would be a difference.
  const loosenedMembers = (): ReadonlySet<string> => new Set([...old.loosened(), ...next.loosened()]);
  return { name, of, before: () => old(name, loosenedMembers()), now: () => next(name, loosenedMembers()) };
}

/** The response that a document declares for a status: by the status itself, its class, or `default`. */
function answerTo(status: string, answers: ComparableOperation["answers"]): ComparableAnswer | undefined {
  const ofClass = status === "DEFAULT" ? undefined : answers.get(`${status[0]}XX`);
  return answers.get(status) ?? ofClass ?? answers.get("DEFAULT");
}

function answerPairs(
  name: string,
  status: string,
  old: ComparableAnswer | undefined,
  next: ComparableAnswer | undefined,
): VersionPair[] {
  if (old === undefined || next === undefined)
    return [
      {
        name,
        of: /^[45D]/.test(status) ? "refusal" : "answer",
        state: old === undefined ? "added" : "removed",
      },
    ];
  // A header that one version does not name breaks a client only if the other version requires it.
  const isShared = (header: string): boolean => [old, next].every(({ headers }) => headers.includes(header));
  const hasHeaders = old.headers.length + next.headers.length > 0;
  return [
    ...typePairs(name, "answer", old.types, next.types),
    ...(hasHeaders ? [pairOf(`${name}-headers`, "answer", old.headersAs(isShared), next.headersAs(isShared))] : []),
  ];
}

function typePairs(name: string, of: "request" | "answer", old: ByType, next: ByType): VersionPair[] {
  const types = [...new Set([...old.keys(), ...next.keys()])];
  return types.flatMap((type): VersionPair[] => {
    const ownName = types.length === 1 ? name : `${name} ${type}`;
    const [before, now] = [rangeFor(type, old), rangeFor(type, next)];
    if (before === undefined || now === undefined)
      return [{ name: ownName, of, state: before === undefined ? "added" : "removed" }];
    const [was, is] = [old.get(before), next.get(now)];
    if (was === undefined && is === undefined) return [];
    return [pairOf(ownName, of, was ?? anything, is ?? anything)];
  });
}

/** The names that match a media type: itself, or a range such as `text/*`. */
function rangeFor(type: string, types: ByType): string | undefined {
  return [type, `${type.replace(/\/.*/, "")}/*`, "*/*"].find((each) => types.has(each));
}

const anything: ComparablePart = Object.assign(
  async (name: string) => {
    const id = `schema:/${encodeURIComponent(name)}.schema.json`;
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: id };
    return { schemas: [schema], id, samples: [], notes: [], source: () => undefined };
  },
  { loosened: () => [] },
);
