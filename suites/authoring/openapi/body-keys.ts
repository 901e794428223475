import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { joinedSchemas } from "./body.ts";
import { idempotencyWord } from "./keys.ts";
import { textTypes } from "./types.ts";

/** The members of a body that contain the idempotency key of its request, judged by their names. */
export function keyMembersIn(schema: JsonObject): string[] {
  const properties = joinedSchemas(schema).flatMap((at) => {
    const part = pointer.at(at, schema);
    return isObject(part) && isObject(part.properties) ? Object.entries(part.properties) : [];
  });
  const isKeyMember = ([name, member]: [string, Json]): boolean =>
    idempotencyWord.test(name) && isObject(member) && isText(member, schema);
  return [...new Set(properties.filter(isKeyMember).map(([name]) => name))];
}

function isText(member: JsonObject, root: JsonObject): boolean {
  return textTypes(member, root).types?.includes("string") === true;
}
