import type { Json, JsonObject } from "../../../../../schemas/index.ts";

/** An order to run a document, with everything that the run can use. */
export interface RuntimeOrder {
  document: JsonObject;
  input: Json;
  memory_scope?: string;
  tools?: Record<string, string[]>;
  transforms?: string[];
  model_lacks?: string[];
}

/** A run that ends with an error. `unsupported` names an optional feature that the runtime lacks. */
export class RunError extends Error {
  readonly unsupported: string | undefined;
  constructor(message: string, unsupported?: string) {
    super(message);
    this.name = "RunError";
    this.unsupported = unsupported;
  }
}

/** A run that ends because it reached a limit. */
export class LimitError extends RunError {}

/** The models, tools, agents and people that a runtime can reach. */
export interface World {
  /** Calls the suite back. Throws a RunError if the answer is an error. */
  ask(kind: "model" | "tool" | "agent" | "consent" | "transform", payload: JsonObject): Promise<JsonObject>;
  /** The time of the runtime's clock, in milliseconds. */
  now(): number;
}

/** The member of an object if it is an object itself; otherwise an empty object. */
export function memberObject(value: Json | undefined, name: string): JsonObject {
  const member = get(value, name);
  return typeof member === "object" && member !== null && !Array.isArray(member) ? member : {};
}

/** The member of an object; undefined if the value is not an object or lacks the member. */
export function get(value: Json | undefined, name: string): Json | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The members of a list that are objects. */
export function objects(value: Json | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : []).filter(
    (item): item is JsonObject => typeof item === "object" && item !== null && !Array.isArray(item),
  );
}
