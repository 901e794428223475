import { isObject, type JsonObject } from "../../schemas/index.ts";
import type { Operation } from "./operation.ts";

/** Of a parameter that is the whole query none is made (`in: querystring`): what is said of it, and whether nothing can be sent without. */
export function queryStringOf({ name, parameters }: Operation): { whole?: string; lacking: boolean } {
  const found = parameters.find(({ value }) => value.in === "querystring");
  if (found === undefined) return { lacking: false };
  const what = `its parameter "${String(found.value.name)}" is the whole query (in: querystring), and none is made`;
  const lacking = found.value.required === true || needsMembers(found.value);
  return { whole: lacking ? `nothing is sent to ${name}: ${what}` : `${name} is never sent a query: ${what}`, lacking };
}

/** Whether its schema asks for members: a server may well want them where the parameter itself is not called required. */
function needsMembers({ content }: JsonObject): boolean {
  return Object.values(isObject(content) ? content : {}).some(
    (media) =>
      isObject(media) &&
      isObject(media.schema) &&
      (media.schema.required !== undefined || media.schema.$ref !== undefined),
  );
}
