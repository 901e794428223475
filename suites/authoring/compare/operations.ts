import type { ByType, ComparableAnswer, ComparableApi, ComparableOperation, ComparablePart } from "../openapi/index.ts";
import { compareCalls } from "./calls.ts";
import type { Pairs, VersionPair } from "./pair.ts";

/** The parts of two versions of an API that are compared: operation by operation, matched by method and path, not by name. */
export function apiPairs(old: ComparableApi, next: ComparableApi): Omit<Pairs, "old" | "new"> {
  const oldOperations = new Map(old.operations.map((operation) => [operation.operation.name, operation]));
  const newOperations = new Map(next.operations.map((operation) => [operation.operation.name, operation]));
  const unreadable = new Map([...old.unreadable, ...next.unreadable]);
  const isReadable = ({ operation: { method, path } }: ComparableOperation): boolean =>
    !unreadable.has(`${method} ${path}`) && !unreadable.has(path);
  const names = [...new Set([...oldOperations.keys(), ...newOperations.keys()])].filter((name) =>
    [oldOperations.get(name), newOperations.get(name)].every(
      (operation) => operation === undefined || isReadable(operation),
    ),
  );
  const changedParts = [...new Set([...old.ignoredTexts.keys(), ...next.ignoredTexts.keys()])].filter(
    (part) => old.ignoredTexts.get(part) !== next.ignoredTexts.get(part),
  );
  return {
    pairs: names.flatMap((name) => operationPairs(name, oldOperations.get(name), newOperations.get(name))),
    notCompared: [
      ...new Set([
        ...[...unreadable].map(([name, why]) => `${name}, which cannot be read (${why})`),
        ...old.uncompared,
        ...next.uncompared,
        ...changedParts.map((part) => `changed ${part}`),
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
    { name: `${name}.request`, of: "request", differences: compareCalls(old, next) },
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
  return { name, of, loadOld: () => old(name, loosenedMembers()), loadNew: () => next(name, loosenedMembers()) };
}

/** The response that a document declares for a status: by the status itself, its class, or `default`. */
function answerTo(status: string, answers: ComparableOperation["answers"]): ComparableAnswer | undefined {
  const classAnswer = status === "DEFAULT" ? undefined : answers.get(`${status[0]}XX`);
  return answers.get(status) ?? classAnswer ?? answers.get("DEFAULT");
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
        // `D` begins `DEFAULT`.
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
    const pairName = types.length === 1 ? name : `${name} ${type}`;
    const [oldRange, newRange] = [rangeFor(type, old), rangeFor(type, next)];
    if (oldRange === undefined || newRange === undefined)
      return [{ name: pairName, of, state: oldRange === undefined ? "added" : "removed" }];
    const [oldPart, newPart] = [old.get(oldRange), next.get(newRange)];
    if (oldPart === undefined && newPart === undefined) return [];
    return [pairOf(pairName, of, oldPart ?? anySchema, newPart ?? anySchema)];
  });
}

/** Finds the declared name that matches a media type: the type itself, or a range such as `text/*`. */
function rangeFor(type: string, types: ByType): string | undefined {
  return [type, `${type.replace(/\/.*/, "")}/*`, "*/*"].find((range) => types.has(range));
}

const anySchema: ComparablePart = Object.assign(
  async (name: string) => {
    const id = `schema:/${encodeURIComponent(name)}.schema.json`;
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: id };
    return { schemas: [schema], id, samples: [], notes: [], source: () => undefined };
  },
  { loosened: () => [] },
);
