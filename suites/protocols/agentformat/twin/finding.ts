import { isObject, type Json } from "../../../../schemas/index.ts";
import { get, has, type TwinFinding } from "../../../packs/twins/finding.ts";

export { get, has };

/** Makes a finding about an AGF rule. */
export function finding(rule: string, at: string, why: string, freedom?: string): TwinFinding {
  return { rule: `AGF-${rule}`, at, why, ...(freedom === undefined ? {} : { freedom }) };
}

export function list(value: Json | undefined, ...names: string[]): Json[] {
  const items = get(value, ...names);
  return Array.isArray(items) ? items : [];
}

/** The members of an object; an empty list for any other value. */
export function entries(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
