import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { get, has, type TwinFinding } from "../../../packs/twins/finding.ts";

export { get, has };

/** The texts of a list; undefined if there is none. */
export function texts(value: Json | undefined, ...names: string[]): string[] | undefined {
  const found = get(value, ...names);
  return Array.isArray(found) ? (found as string[]) : undefined;
}

/** A message that the schemas accept, with its category and the part after the dot. */
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

/** Members at the root that are named as the details of another kind. The schemas have no other members with this ending. */
export function detailsOfOthers(all: JsonObject, kind: string): string[] {
  return Object.keys(all).filter((name) => name.endsWith("_details") && name !== `${kind}_details`);
}

/** The role that an agent's name claims, if it claims one. */
export function roleIn(name: string): string | undefined {
  return /^(orchestrator|tournant|hub)(-.+)?$/.exec(name)?.[1];
}

/** A message of a recording with the number of its entry. */
export interface NumberedMessage extends Message {
  index: number;
}

export function finding(rule: string, { index }: NumberedMessage, why: string, freedom?: string): TwinFinding {
  return { rule, at: `/${index}/message`, why, ...(freedom === undefined ? {} : { freedom }) };
}
