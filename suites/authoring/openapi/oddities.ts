import { closest, isObject, type JsonObject, methods, type Source, TouchstoneError } from "../../../schemas/index.ts";
import { below, objectAt, type SourcePlace, type Sources, valueAt } from "./source.ts";

/** What may be odd in a description, beside its schemas: what OpenAPI does not have, and examples that their schema refuses. */
export const oddityKinds = ["not-openapi", "invalid-example"] as const;

/** One of these, with its place. */
export interface Oddity extends Source {
  /** `#` and its JSON Pointer in the file. */
  at: string;
  kind: (typeof oddityKinds)[number];
  why: string;
}

function oddityAt(place: SourcePlace, kind: Oddity["kind"], why: string): Oddity {
  const { source, at } = place;
  return { file: source.file, ...source.text.locate(at), at: `#${at}`, kind, why };
}

/** As a note has it, beside others. */
export function oddityInWords({ at, file, line, column, why }: Oddity): string {
  return `${file}:${line}:${column} (${at}): ${why}`;
}

/** Members of the checked objects of OpenAPI 3.0 to 3.2. A newer member in a document of an older version is not a slip. */
const members = {
  document: "openapi $self info jsonSchemaDialect servers paths webhooks components security tags externalDocs",
  item: `summary description servers parameters additionalOperations ${methods.join(" ").toLowerCase()}`,
  operation:
    "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers",
  parameter:
    "name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content",
  body: "description content required",
  response: "summary description headers content links",
  header: "description required deprecated allowEmptyValue style explode allowReserved schema example examples content",
  media: "schema itemSchema example examples encoding prefixEncoding itemEncoding",
} as const;
type Part = keyof typeof members;

const names: Record<Part, string> = {
  ...{ document: "an OpenAPI document", item: "a path", operation: "an operation", parameter: "a parameter" },
  ...{ body: "a request body", response: "a response", header: "a header", media: "a media type" },
};

const travels = ["path", "query", "header", "cookie", "querystring"];

/** Members of a description that OpenAPI does not define, which readers ignore. */
export function odditiesIn(sources: Sources): Oddity[] {
  const found: Oddity[] = [];
  const seen = new Set<string>();
  const ids = new Map<string, string>();
  const odd = (place: SourcePlace, why: string): void => {
    found.push(oddityAt(place, "not-openapi", why));
  };
  /** The object there, once; its unknown members are told. */
  const read = (place: SourcePlace, part: Part): { place: SourcePlace; value: JsonObject } | undefined => {
    const there = isObject(valueAt(place)) ? reached(sources, place) : undefined;
    const key = there && `${there.place.source.path}#${there.place.at}`;
    if (there === undefined || key === undefined || seen.has(key)) return undefined;
    seen.add(key);
    const known: string[] = members[part].split(" ");
    for (const name of Object.keys(there.value))
      if (!known.includes(name) && !name.startsWith("x-") && name !== "$ref")
        odd(
          below(there.place, name),
          `${names[part]} has no member "${name}", which is passed over; ${closest(name, known)}`.replace(/[; ]+$/, ""),
        );
    return there;
  };
  /** The objects in a map, or in a list. */
  const each = (holder: SourcePlace, name: string, go: (place: SourcePlace) => void): void => {
    const value = valueAt(below(holder, name));
    for (const key of typeof value === "object" && value !== null ? Object.keys(value) : [])
      if (!key.startsWith("x-")) go(below(holder, name, key));
  };
  const content = (place: SourcePlace): void => each(place, "content", (media) => read(media, "media"));
  const parameter = (place: SourcePlace): void => {
    const there = read(place, "parameter");
    if (there === undefined) return;
    const { in: where, name, required } = there.value;
    if (typeof where === "string" && !travels.includes(where))
      odd(
        below(there.place, "in"),
        `no parameter travels in "${where}", so this one is passed over; ${closest(where, travels)}it is one of ${travels.join(", ")}`,
      );
    if (where === "path" && required !== true)
      odd(there.place, `the parameter "${name}" of the path is not said to be required, which it always is`);
    content(there.place);
  };
  const response = (place: SourcePlace): void => {
    const there = read(place, "response");
    if (there === undefined) return;
    each(there.place, "headers", (header) => read(header, "header"));
    content(there.place);
  };
  const operation = (place: SourcePlace): void => {
    const there = read(place, "operation");
    if (there === undefined) return;
    const { operationId } = there.value;
    if (typeof operationId === "string") {
      const before = ids.get(operationId);
      const { file, line } = oddityAt(there.place, "not-openapi", "");
      if (before === undefined) ids.set(operationId, `${file}:${line}`);
      else
        odd(
          below(there.place, "operationId"),
          `"${operationId}" is the operationId of another operation too (${before})`,
        );
    }
    each(there.place, "parameters", parameter);
    const body = read(below(there.place, "requestBody"), "body");
    if (body !== undefined) content(body.place);
    each(there.place, "responses", response);
  };
  const item = (place: SourcePlace): void => {
    const there = read(place, "item");
    if (there === undefined) return;
    each(there.place, "parameters", parameter);
    for (const name of Object.keys(there.value))
      if (methods.some((method) => method.toLowerCase() === name)) operation(below(there.place, name));
    each(there.place, "additionalOperations", operation);
  };
  const root = read({ source: sources.root, at: "" }, "document");
  if (root !== undefined) each(root.place, "paths", item);
  return found;
}

/** An unreachable part is reported when it is needed. */
function reached(sources: Sources, place: SourcePlace): ReturnType<typeof objectAt> {
  try {
    return objectAt(sources, place);
  } catch (failure) {
    if (failure instanceof TouchstoneError) return undefined;
    throw failure;
  }
}

/** That an example is not valid, for those who go on without it. */
export function exampleRefused(place: SourcePlace): Oddity {
  return oddityAt(place, "invalid-example", "the example is not valid by its schema, and is not used");
}
