import { isObject, type JsonObject, kebab, methods, pointer, TouchstoneError } from "../../../schemas/index.ts";
import { faultAt, objectAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";

/** One operation of an OpenAPI document. */
export interface Operation {
  /** The beginning of its documents' names: from `operationId`, or from method and path. */
  name: string;
  method: (typeof methods)[number];
  /** With `{NAME}` for each parameter. */
  path: string;
  place: SourcePlace;
  value: JsonObject;
  /** The parameters of the operation itself and of its path. */
  parameters: { place: SourcePlace; value: JsonObject }[];
}

const maxOperations = 2000;

/** An operation, or a whole path, that cannot be read, with the reason. */
export interface Unread {
  name: string;
  error: TouchstoneError;
}

/**
 * The operations of a document, in its order. If another version has an operation with the same method and path, the operation gets its name, and the names of its path parameters. Unreadable operations are added to `unread`.
 * Throws a usage error for an unreadable operation without `unread`, and for too many operations.
 */
export function operationsOf(
  sources: Sources,
  otherVersion: readonly Operation[] = [],
  unread?: Unread[],
): Operation[] {
  const root: SourcePlace = { source: sources.root, at: "" };
  const paths = objectAt(sources, placeBelow(root, "paths"));
  const names = new Set(otherVersion.map(({ name }) => name));
  const knownOperations = new Map(
    otherVersion.map((operation) => [callKey(operation.method, operation.path), operation]),
  );
  const operations: Operation[] = [];
  const addOperation = (item: FoundObject, path: string, method: Operation["method"], place: SourcePlace): void => {
    const operation = objectAt(sources, place);
    if (operation === undefined) return;
    const parameters = parametersOf(sources, item.place, operation.place);
    const twinOperation = knownOperations.get(callKey(method, path));
    knownOperations.delete(callKey(method, path));
    operations.push({
      method,
      ...operation,
      ...(twinOperation === undefined
        ? { name: uniqueName(operation.value, method, path, names), path, parameters }
        : {
            name: twinOperation.name,
            path: twinOperation.path,
            parameters: renameParameters(parameters, path, twinOperation.path),
          }),
    });
  };
  const listedPaths = Object.keys(paths?.value ?? {}).filter((path) => !path.startsWith("x-"));
  for (const path of listedPaths) {
    const pathPlace = placeBelow((paths as { place: SourcePlace }).place, path);
    const item = attempt(unread, path, () => {
      // Resolving a path removes `..` together with the preceding segment (RFC 3986, 5.2.4), which leads away from the server's address.
      if (/\/(\.|%2e){1,2}(\/|$)/i.test(path))
        throw faultAt(pathPlace, `"${path}" has a segment . or ..`, "write the intended path");
      if (/^\/(?!\/)[^\s?#]*$/.test(path)) return objectAt(sources, pathPlace);
      throw faultAt(
        pathPlace,
        `"${path}" is not a path`,
        "a path begins with one / and has neither query, fragment nor spaces",
      );
    });
    for (const [key, place] of item === undefined ? [] : operationPlaces(item)) {
      const method = key.toUpperCase() as Operation["method"];
      if (operations.length === maxOperations)
        throw faultAt(place, `more than ${maxOperations} operations`, "split the document");
      attempt(unread, `${method} ${path}`, () => addOperation(item as FoundObject, path, method, place));
    }
  }
  return operations;
}

type FoundObject = NonNullable<ReturnType<typeof objectAt>>;

/** The result of reading an operation; undefined if it cannot be read. */
export function attempt<T>(unread: Unread[] | undefined, name: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (unread === undefined || !(error instanceof TouchstoneError)) throw error;
    unread.push({ name, error });
    return undefined;
  }
}

const pathParameter = /\{([^{}]*)\}/g;

/** A method and a path without the names of parameters, which are not visible in a request. */
function callKey(method: string, path: string): string {
  return `${method} ${path.replace(pathParameter, "{}")}`;
}

function renameParameters(
  parameters: Operation["parameters"],
  path: string,
  otherPath: string,
): Operation["parameters"] {
  const [names, otherNames] = [path, otherPath].map((text) =>
    [...text.matchAll(pathParameter)].map(([, name = ""]) => name),
  );
  return parameters.map(({ place, value }) => {
    const name = value.in === "path" ? otherNames?.[names?.indexOf(String(value.name)) ?? -1] : undefined;
    return { place, value: name === undefined ? value : { ...value, name } };
  });
}

/** The places of operations by method. In OpenAPI 3.2, additional methods are in a separate map. */
function operationPlaces({ place, value }: { place: SourcePlace; value: JsonObject }): [string, SourcePlace][] {
  const { additionalOperations: additional } = value;
  return [
    ...Object.keys(value).map((key): [string, SourcePlace] => [key, placeBelow(place, key)]),
    ...Object.keys(isObject(additional) ? additional : {}).map((key): [string, SourcePlace] => [
      key,
      placeBelow(place, "additionalOperations", key),
    ]),
  ].filter(([key]) => methods.includes(key.toUpperCase() as Operation["method"]));
}

/** Lists the operations with methods that are not sent, as method and path. */
export function otherMethodsIn({ root }: Sources): string[] {
  const paths = pointer.at("/paths", root.text.value);
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) => {
    const additional =
      isObject(item) && isObject(item.additionalOperations) ? Object.keys(item.additionalOperations) : [];
    return additional
      .filter((method) => !methods.includes(method.toUpperCase() as Operation["method"]))
      .map((method) => `${method} ${path}`);
  });
}

function uniqueName({ operationId }: JsonObject, method: string, path: string, names: Set<string>): string {
  const idStem = typeof operationId === "string" ? kebab(operationId) : "";
  const stem = idStem === "" ? kebab(`${method.toLowerCase()} ${path}`) : idStem;
  let name = stem;
  for (let suffix = 2; names.has(name); suffix += 1) name = `${stem}-${suffix}`;
  names.add(name);
  return name;
}

/** The maximum length of a parameter's name, which each vector contains. */
const maxNameLength = 500;

/** Whether a text can be the name of a header (RFC 9110, 5.6.2). */
function isToken(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** The parameters of an operation replace those of its path with the same name and place. */
function parametersOf(sources: Sources, item: SourcePlace, operation: SourcePlace): Operation["parameters"] {
  const parametersByKey = new Map<string, Operation["parameters"][number]>();
  for (const listPlace of [placeBelow(item, "parameters"), placeBelow(operation, "parameters")]) {
    const value = pointer.at(listPlace.at, listPlace.source.text.value);
    if (value === undefined) continue;
    if (!Array.isArray(value)) throw faultAt(listPlace, "parameters is a list", "write one, or leave it out");
    for (const index of value.keys()) {
      const parameter = objectAt(sources, placeBelow(listPlace, index)) as Operation["parameters"][number];
      const { name, in: location } = parameter.value;
      if (typeof name !== "string" || name === "" || typeof location !== "string")
        throw faultAt(parameter.place, "a parameter has a name and says where it travels", 'add "name" and "in"');
      if (name.length > maxNameLength)
        throw faultAt(parameter.place, `the name has ${name.length} characters`, `at most ${maxNameLength} are read`);
      if (location === "header" && !isToken(name))
        throw faultAt(parameter.place, "no header can have this name", "it has letters, digits and - (RFC 9110, 5.1)");
      parametersByKey.set(`${location} ${name}`, parameter);
    }
  }
  return [...parametersByKey.values()];
}
