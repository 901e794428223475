import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources, valueAt } from "./source.ts";

/** The value that a discriminator requires in a branch, and how the document is read. */
interface DemandedValue {
  /** The member, and the values that select the branch. */
  named: string;
  values: readonly string[];
  /** OpenAPI 3.0, which knows `nullable` and no `const`. */
  isOld: boolean;
  /** Whether the output leaves a member out. */
  isHidden(place: SourcePlace): boolean;
}

/** Whether the schema of a branch itself, or a schema that its `allOf` joins, requires the member and allows no other values. The discriminator then adds nothing. */
export function isPinned(
  sources: Sources,
  place: SourcePlace,
  { named, values, isOld, isHidden }: DemandedValue,
): boolean {
  const parts = joinedSchemas(sources, place);
  const allows = (value: Json): boolean => typeof value === "string" && values.includes(value);
  const isFixed = (part: SourcePlace): boolean => {
    const member = placeBelow(part, "properties", named);
    if (!isObject(valueAt(member))) return false;
    const { value = {} } = objectAt(sources, member) ?? {};
    if (isHidden(member) || (isOld && value.nullable === true)) return false;
    if (!isOld && value.const !== undefined) return allows(value.const);
    return Array.isArray(value.enum) && value.enum.every(allows);
  };
  const isRequired = ({ required }: JsonObject): boolean => Array.isArray(required) && required.includes(named);
  return parts.some(({ value }) => isRequired(value)) && parts.some((part) => isFixed(part.place));
}

/** A schema and all schemas that its `allOf` joins, at any depth. The depth is limited for schemas that refer to themselves. */
function joinedSchemas(sources: Sources, place: SourcePlace, depth = 8): { place: SourcePlace; value: JsonObject }[] {
  const foundObject = objectAt(sources, place);
  if (foundObject === undefined || depth === 0) return [];
  const { allOf } = foundObject.value;
  const otherSchemas = Array.isArray(allOf) ? allOf : [];
  return [
    foundObject,
    ...otherSchemas.flatMap((each, index) =>
      isObject(each) ? joinedSchemas(sources, placeBelow(foundObject.place, "allOf", index), depth - 1) : [],
    ),
  ];
}
