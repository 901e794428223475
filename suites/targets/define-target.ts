import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Reason } from "../../schemas/index.ts";
import type { Context } from "./module/judges.ts";

/** The result of a validator: whether the instance is valid, and optionally reasons, in the format of Touchstone or of Ajv. */
export type ValidatorAnswer =
  | boolean
  | { valid: boolean; errors?: readonly (Reason | string | object)[] | null; warnings?: readonly Reason[] };

/** A function that judges one instance of one document. An Ajv validator can be used directly. */
export type Validator = (instance: unknown, context: Context) => ValidatorAnswer | Promise<ValidatorAnswer>;

/** A validator of instances: a function, a Standard Schema, or several of these by document name or schema `$id`. */
export type ModuleTarget =
  | Validator
  | StandardSchemaV1
  | Readonly<Record<string, Validator | StandardSchemaV1>>
  | ReadonlyMap<string, Validator | StandardSchemaV1>;

/** Returns the default export of a module unchanged, so that the editor checks it. */
export function defineTarget<T extends ModuleTarget>(target: T): T {
  return target;
}
