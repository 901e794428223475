import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources, valueAt } from "./source.ts";

/** The value that a discriminator requires in a branch, and how the document is read. */
interface DemandedValue {
  /** The member, and the values that select the branch. */
  member: string;
  values: readonly string[];
  /** Whether the document is OpenAPI 3.0, which has `nullable` but not `const`. */
  isOld: boolean;
  /** Whether the output leaves a member out. */
  isHidden(place: SourcePlace): boolean;
}

/** Whether the schema of a branch itself, or a schema that its `allOf` joins, requires the member and allows no other values. The discriminator then adds nothing. */
export function isPinned(
  sources: Sources,
  place: SourcePlace,
  { member, values, isOld, isHidden }: DemandedValue,
): boolean {
  const parts = joinedSchemas(sources, place);
  const isSelecting = (value: Json): boolean => typeof value === "string" && values.includes(value);
  const isFixed = (part: SourcePlace): boolean => {
    const memberPlace = placeBelow(part, "properties", member);
    if (!isObject(valueAt(memberPlace))) return false;
    const { value = {} } = objectAt(sources, memberPlace) ?? {};
    if (isHidden(memberPlace) || (isOld && value.nullable === true)) return false;
    if (!isOld && value.const !== undefined) return isSelecting(value.const);
    return Array.isArray(value.enum) && value.enum.every(isSelecting);
  };
  const isRequired = ({ required }: JsonObject): boolean => Array.isArray(required) && required.includes(member);
  return parts.some(({ value }) => isRequired(value)) && parts.some((part) => isFixed(part.place));
}

/** A schema and all schemas that its `allOf` joins, at any depth. The depth is limited for schemas that refer to themselves. */
function joinedSchemas(sources: Sources, place: SourcePlace, depth = 8): { place: SourcePlace; value: JsonObject }[] {
  const schema = objectAt(sources, place);
  if (schema === undefined || depth === 0) return [];
  const { allOf } = schema.value;
  const joinedParts = Array.isArray(allOf) ? allOf : [];
  return [
    schema,
    ...joinedParts.flatMap((part, index) =>
      isObject(part) ? joinedSchemas(sources, placeBelow(schema.place, "allOf", index), depth - 1) : [],
    ),
  ];
}
