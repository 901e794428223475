import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { get, has, type TwinFinding } from "../../../packs/twins/finding.ts";

export { get, has };

/** The strings of a list; undefined if there is no list. */
export function texts(value: Json | undefined, ...names: string[]): string[] | undefined {
  const list = get(value, ...names);
  return Array.isArray(list) ? (list as string[]) : undefined;
}

/** A message that the schemas accept, with the parts of its type: the category, a dot and the kind. */
export interface Message {
  all: JsonObject;
  category: string;
  kind: string;
}

export function messageOf(all: Json): Message {
  const type = String(get(all, "message_type"));
  const dot = type.indexOf(".");
  return { all: all as JsonObject, category: type.slice(0, dot), kind: type.slice(dot + 1) };
}

/** Root members for the details of another kind, recognized by the ending that only such members have. */
export function detailsOfOthers(all: JsonObject, kind: string): string[] {
  return Object.keys(all).filter((name) => name.endsWith("_details") && name !== `${kind}_details`);
}

/** The role that an agent's id claims; undefined if it claims none. */
export function roleIn(name: string): string | undefined {
  return /^(orchestrator|tournant|hub)(-.+)?$/.exec(name)?.[1];
}

/** A recorded message with the index of its entry. */
export interface NumberedMessage extends Message {
  index: number;
}

export function finding(rule: string, { index }: NumberedMessage, why: string, freedom?: string): TwinFinding {
  return { rule, at: `/${index}/message`, why, ...(freedom === undefined ? {} : { freedom }) };
}
