import type { Json, JsonObject } from "../../schemas/index.ts";

/** A member as a schema declares it: one entry of one `properties`. */
export interface MemberPlace {
  /** `SCHEMA_ID#/json/pointer` of the entry. */
  site: string;
  name: string;
  /** The types that the member's schema allows, including all schemas that it refers to. Empty if no type is named. */
  types: ReadonlySet<string>;
  /** The patterns that the member's schema requires. */
  patterns: readonly string[];
}

/** The result of a decoder with a confusion: another object, or a refusal. */
export type DecodedObject = JsonObject | "refused";

/** A mistake that JSON libraries of some languages make at one member. */
export interface Confusion {
  name: string;
  says: string;
  /** The feature of a message that shows the confusion, as a clause after the member. */
  shown: string;
  /** Whether the member can be confused in this way. */
  appliesTo(place: MemberPlace): boolean;
  /** The decoded object; undefined if it is unchanged. */
  decode(object: JsonObject, place: MemberPlace): DecodedObject | undefined;
  /** Objects near a valid one, with or without the member, that the confusion may judge differently. */
  propose(object: JsonObject, place: MemberPlace): Iterable<JsonObject>;
}

/** A confusion of the value of a present member. */
export interface ValueConfusion {
  name: string;
  says: string;
  shown: string;
  appliesTo(place: MemberPlace): boolean;
  /** The confused value, `absent` or `refused`. Undefined if the value is unchanged. */
  value(value: Json): { value: Json } | "absent" | "refused" | undefined;
  /** Values near a valid one, if there is one, that the confusion changes. */
  near(value: Json | undefined, place: MemberPlace): Iterable<Json>;
}

export function valueConfusion({ value: confuseValue, near, ...rest }: ValueConfusion): Confusion {
  return {
    ...rest,
    decode(object, { name }) {
      if (!Object.hasOwn(object, name)) return undefined;
      const confused = confuseValue(object[name] as Json);
      if (confused === undefined || confused === "refused") return confused;
      return confused === "absent" ? withoutMember(object, name) : withMember(object, name, confused.value);
    },
    *propose(object, place) {
      for (const value of near(object[place.name], place)) yield withMember(object, place.name, value);
    },
  };
}

/** Sets a member in a copy of an object. A new member is last. */
export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  const entries = Object.entries(object).filter(([memberName]) => memberName !== name);
  const index = Object.keys(object).indexOf(name);
  entries.splice(index === -1 ? entries.length : index, 0, [name, value]);
  return Object.fromEntries(entries) as JsonObject;
}

export function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([memberName]) => memberName !== name)) as JsonObject;
}
