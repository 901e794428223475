import {
  isObject,
  type JsonObject,
  methods,
  nearestName,
  type Source,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources, valueAt } from "./source.ts";

/** Kinds of probable mistakes in a description outside its schemas: members that OpenAPI does not have, and examples that their schema refuses. */
export const oddityKinds = ["not-openapi", "invalid-example"] as const;

/** A probable mistake, with its place. */
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

/** Formats a mistake as a line among other notes. */
export function describeOddity({ at, file, line, column, why }: Oddity): string {
  return `${file}:${line}:${column} (${at}): ${why}`;
}

/** Members of the checked objects of OpenAPI 3.0 to 3.2. A newer member in a document of an older version is not a mistake. */
const knownMembers = {
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
type DescribedPart = keyof typeof knownMembers;

const partNames: Record<DescribedPart, string> = {
  document: "an OpenAPI document",
  item: "a path",
  operation: "an operation",
  parameter: "a parameter",
  body: "a request body",
  response: "a response",
  header: "a header",
  media: "a media type",
};

const parameterPlaces = ["path", "query", "header", "cookie", "querystring"];

/** Finds members of a description that OpenAPI does not define, which readers ignore. */
export function findOddities(sources: Sources): Oddity[] {
  const finder = new OddityFinder(sources);
  finder.readDocument();
  return finder.oddities;
}

/** Reads each object of a description once, and collects the mistakes. */
class OddityFinder {
  readonly oddities: Oddity[] = [];
  private readonly sources: Sources;
  private readonly seen = new Set<string>();
  /** The first place of each `operationId`. */
  private readonly ids = new Map<string, string>();

  constructor(sources: Sources) {
    this.sources = sources;
  }

  readDocument(): void {
    const root = this.readObject({ source: this.sources.root, at: "" }, "document");
    if (root !== undefined) visitMembers(root.place, "paths", (item) => this.readItem(item));
  }

  private readItem(place: SourcePlace): void {
    const item = this.readObject(place, "item");
    if (item === undefined) return;
    this.readParameters(item.place);
    for (const name of Object.keys(item.value))
      if (methods.some((method) => method.toLowerCase() === name)) this.readOperation(placeBelow(item.place, name));
    visitMembers(item.place, "additionalOperations", (operation) => this.readOperation(operation));
  }

  private readOperation(place: SourcePlace): void {
    const operation = this.readObject(place, "operation");
    if (operation === undefined) return;
    const { operationId } = operation.value;
    if (typeof operationId === "string") this.keepId(operation.place, operationId);
    this.readParameters(operation.place);
    const body = this.readObject(placeBelow(operation.place, "requestBody"), "body");
    if (body !== undefined) this.readContent(body.place);
    visitMembers(operation.place, "responses", (response) => this.readResponse(response));
  }

  private keepId(place: SourcePlace, id: string): void {
    const firstPlace = this.ids.get(id);
    const { file, line } = oddityAt(place, "not-openapi", "");
    if (firstPlace === undefined) this.ids.set(id, `${file}:${line}`);
    else
      this.note(
        placeBelow(place, "operationId"),
        `"${id}" is also the operationId of another operation (${firstPlace})`,
      );
  }

  private readResponse(place: SourcePlace): void {
    const response = this.readObject(place, "response");
    if (response === undefined) return;
    visitMembers(response.place, "headers", (header) => this.readObject(header, "header"));
    this.readContent(response.place);
  }

  private readParameters(holder: SourcePlace): void {
    visitMembers(holder, "parameters", (parameter) => this.readParameter(parameter));
  }

  private readParameter(place: SourcePlace): void {
    const parameter = this.readObject(place, "parameter");
    if (parameter === undefined) return;
    const { in: where, name, required } = parameter.value;
    if (typeof where === "string" && !parameterPlaces.includes(where))
      this.note(
        placeBelow(parameter.place, "in"),
        `no parameter can be in "${where}", so this one is ignored; ${nearestName(where, parameterPlaces)}it is one of ${parameterPlaces.join(", ")}`,
      );
    if (where === "path" && required !== true)
      this.note(parameter.place, `the path parameter "${name}" does not have "required": true, which it always needs`);
    this.readContent(parameter.place);
  }

  private readContent(place: SourcePlace): void {
    visitMembers(place, "content", (media) => this.readObject(media, "media"));
  }

  /** Reads the object at a place, once, and notes its unknown members. */
  private readObject(place: SourcePlace, part: DescribedPart): { place: SourcePlace; value: JsonObject } | undefined {
    const object = isObject(valueAt(place)) ? reachObject(this.sources, place) : undefined;
    const key = object && `${object.place.source.path}#${object.place.at}`;
    if (object === undefined || key === undefined || this.seen.has(key)) return undefined;
    this.seen.add(key);
    const knownNames: string[] = knownMembers[part].split(" ");
    for (const name of Object.keys(object.value))
      if (!knownNames.includes(name) && !name.startsWith("x-") && name !== "$ref")
        this.note(
          placeBelow(object.place, name),
          `${partNames[part]} has no member "${name}", which is ignored; ${nearestName(name, knownNames)}`.replace(
            /[; ]+$/,
            "",
          ),
        );
    return object;
  }

  private note(place: SourcePlace, why: string): void {
    this.oddities.push(oddityAt(place, "not-openapi", why));
  }
}

/** Visits the places of a map, or of a list. */
function visitMembers(holder: SourcePlace, name: string, visit: (place: SourcePlace) => void): void {
  const value = valueAt(placeBelow(holder, name));
  for (const key of typeof value === "object" && value !== null ? Object.keys(value) : [])
    if (!key.startsWith("x-")) visit(placeBelow(holder, name, key));
}

/** Returns undefined for a part that cannot be reached. That is reported when the part is needed. */
function reachObject(sources: Sources, place: SourcePlace): ReturnType<typeof objectAt> {
  try {
    return objectAt(sources, place);
  } catch (error) {
    if (error instanceof TouchstoneError) return undefined;
    throw error;
  }
}

/** Creates the oddity of an invalid example, for commands that continue without the example. */
export function invalidExample(place: SourcePlace): Oddity {
  return oddityAt(place, "invalid-example", "the example is not valid under its schema, and is not used");
}
