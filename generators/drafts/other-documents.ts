import { isObject, type JsonObject } from "../../schemas/index.ts";
import type { Location } from "../model/model.ts";

/** Schemas with a vector set of their own. */
export interface TestedElsewhere {
  /** Whether a schema or an assertion has its own set. `resource` is the schema's resource, by default that of the location. */
  has(at: Location, resource?: string): boolean;
}

/** The schemas that other documents test in full: whole resources, and parts of a resource. */
export class OtherDocuments implements TestedElsewhere {
  readonly #resources: ReadonlySet<string>;
  readonly #parts: ReadonlySet<Location>;
  readonly #ownPart: Location | undefined;

  /** `ownPart` is the part that the document itself tests. It may be inside a part of another document. */
  constructor(resources: Iterable<string> = [], parts: Iterable<Location> = [], ownPart?: Location) {
    this.#resources = new Set(resources);
    this.#parts = new Set(parts);
    this.#ownPart = ownPart;
  }

  static from(elsewhere: TestedElsewhere | ReadonlySet<string>): TestedElsewhere {
    return elsewhere instanceof Set ? new OtherDocuments(elsewhere) : elsewhere;
  }

  /** Whether another document tests a schema or an assertion. The longest known part that contains it decides. */
  has(at: Location, resource: string = at.slice(0, at.indexOf("#"))): boolean {
    const start = at.indexOf("#");
    if (this.#parts.size > 0)
      for (let end = at.length; end > start; end = at.lastIndexOf("/", end - 1)) {
        const part = at.slice(0, end);
        if (part === this.#ownPart) return false;
        if (this.#parts.has(part)) return true;
      }
    return this.#resources.has(resource);
  }
}

const annotationNames: ReadonlySet<string> = new Set(["$id", "id", "$schema", "$comment", "title", "description"]);

/** Returns the target of a schema that consists of a single reference. Undefined for any other schema. */
export function referredPart(schema: JsonObject): Location | undefined {
  const assertions = Object.entries(schema).filter(([name]) => !annotationNames.has(name));
  const [[name, value] = ["", undefined], ...others] = assertions;
  if (others.length > 0) return undefined;
  if (name === "allOf" && Array.isArray(value) && value.length === 1 && isObject(value[0]))
    return referredPart({ ...value[0], $id: schema.$id ?? schema.id ?? "" });
  const base = schema.$id ?? schema.id;
  if (name !== "$ref" || typeof value !== "string" || typeof base !== "string") return undefined;
  return URL.canParse(value, base) ? new URL(value, base).href : undefined;
}
