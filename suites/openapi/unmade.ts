import { isObject, type JsonObject } from "../../schemas/index.ts";
import { isJson } from "./media.ts";
import type { Operation } from "./operation.ts";

/** Parameters of an operation that never get a value: the notes about them, and whether the operation needs one of them. */
export function unmadeOf({ name: operation, parameters }: Operation): { said: string[]; lacking: boolean } {
  const unmade = parameters.flatMap(({ value }) => {
    const why = value.in === "querystring" ? wholeQuery : otherContent(value);
    return why === undefined ? [] : [{ value, why }];
  });
  const said = unmade.map(({ value, why }) => {
    const isWhole = value.in === "querystring";
    const what = `its ${isWhole ? "" : `${String(value.in)} `}parameter "${String(value.name)}" ${why}, and none is made`;
    if (isNeeded(value)) return `nothing is sent to ${operation}: ${what}`;
    return `${operation} is never sent ${isWhole ? "a query" : "it"}: ${what}`;
  });
  return { said, lacking: unmade.some(({ value }) => isNeeded(value)) };
}

const wholeQuery = "is the whole query (in: querystring)";

/** Why no text is made for a parameter with this media type; undefined if one is made. */
export function otherContent({ content }: JsonObject): string | undefined {
  const [found] = Object.entries(isObject(content) ? content : {});
  if (found === undefined) return undefined;
  const [type, media] = found;
  const schema = isObject(media) && isObject(media.schema) ? media.schema : {};
  if (isJson(type) || (isText(type) && schema.type !== "array" && schema.type !== "object")) return undefined;
  return `is ${type}`;
}

/** Whether the text of a parameter is its value, as it is without a media type. */
export function isText(type: string): boolean {
  return /^text\/plain\s*(;|$)/i.test(type);
}

function isNeeded(value: JsonObject): boolean {
  return value.in === "path" || value.required === true || (value.in === "querystring" && needsMembers(value));
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
