import { patched } from "../../../../generators/index.ts";
import { type Change, isObject, type JsonObject } from "../../../../schemas/index.ts";
import { resigned } from "./signature.ts";

/** The changes, and the signature that the changed message calls for. */
export function resigning(parent: JsonObject, ...changes: Change[]): Change[] {
  const made = patched(parent, changes);
  if (!isObject(made)) throw new Error("changes that do not apply");
  return [...changes, { op: "replace", path: "/sig", value: (resigned(made) as JsonObject).sig }];
}
