import { isObject, type JsonObject, type Parameter, parametersEnd } from "../../../schemas/index.ts";
import { explainUnwritten } from "../../targets/http/parameters.ts";
import { isJson } from "./media.ts";
import type { Operation } from "./operation.ts";
import type { PackData } from "./pack-data.ts";
import { firstNames } from "./unread-operations.ts";

/** Parameters of an operation that never get a value: the notes about them, and whether the operation needs one of them. */
export function findUnmade({ name: operation, parameters }: Operation): { notes: string[]; isUncallable: boolean } {
  const unmadeParameters = parameters.flatMap(({ value }) => {
    const why = value.in === "querystring" ? wholeQueryReason : otherContent(value);
    return why === undefined ? [] : [{ value, why }];
  });
  const notes = unmadeParameters.map(({ value, why }) => {
    const isWhole = value.in === "querystring";
    const reason = `its ${isWhole ? "" : `${String(value.in)} `}parameter "${String(value.name)}" ${why}, and none is made`;
    if (mustBeSent(value)) return `nothing is sent to ${operation}: ${reason}`;
    return `${operation} is never sent ${isWhole ? "a query" : "it"}: ${reason}`;
  });
  return { notes, isUncallable: unmadeParameters.some(({ value }) => mustBeSent(value)) };
}

const wholeQueryReason = "is the whole query (in: querystring)";

/** Why no text is generated for a parameter with this media type; undefined if one is. */
export function otherContent({ content }: JsonObject): string | undefined {
  const [entry] = Object.entries(isObject(content) ? content : {});
  if (entry === undefined) return undefined;
  const [type, media] = entry;
  const schema = isObject(media) && isObject(media.schema) ? media.schema : {};
  if (isJson(type) || (isPlainText(type) && schema.type !== "array" && schema.type !== "object")) return undefined;
  return `is ${type}`;
}

/** Whether the text of a parameter is its value, as for a parameter without a media type. */
export function isPlainText(type: string): boolean {
  return /^text\/plain\s*(;|$)/i.test(type);
}

function mustBeSent(value: JsonObject): boolean {
  return value.in === "path" || value.required === true || (value.in === "querystring" && needsMembers(value));
}

/** Whether the schema of a parameter requires members: a server may demand them even if the parameter itself is not required. */
function needsMembers({ content }: JsonObject): boolean {
  return Object.values(isObject(content) ? content : {}).some(
    (media) =>
      isObject(media) &&
      isObject(media.schema) &&
      (media.schema.required !== undefined || media.schema.$ref !== undefined),
  );
}

/** Parameters with values that are never written. */
export function findUnwritten({ documents }: PackData): string[] {
  return documents.flatMap(({ document: { name, endpoint } }) =>
    (endpoint?.carries === undefined ? [] : (endpoint.parameters ?? [])).flatMap((parameter) => {
      const why = explainUnwritten(parameter);
      const operation = name.slice(0, -parametersEnd.length);
      return why === undefined
        ? []
        : [`${operation} is never sent the ${parameter.in} parameter "${parameter.name}": it ${why}`];
    }),
  );
}

/** A note about operations with numbers as parameters: texts of numbers that frameworks read differently are not sent. */
export function describeLaxNumbers({ documents }: PackData): string[] {
  const names = documents.flatMap(({ document: { name, endpoint } }) => {
    const isNumber = ({ style, types = [], members = {} }: Parameter): boolean =>
      style !== "json" &&
      [types, ...Object.values(members)].flat().some((textType) => textType === "integer" || textType === "number");
    const hasNumber = endpoint?.carries === "parameters" && (endpoint.parameters ?? []).some(isNumber);
    return hasNumber ? [name.slice(0, -parametersEnd.length)] : [];
  });
  if (names.length === 0) return [];
  return [
    `whether an empty text, " 5 ", +5, 0x10, 1e3, 1e999, NaN and Infinity are refused as numbers in parameters is not tested, since frameworks differ: ${firstNames(names)}`,
  ];
}

/** A note about operations with a body: it is not tested whether other media types are refused. */
export function describeOtherTypes({ documents }: PackData): string[] {
  const names = documents.flatMap(({ document: { name, role, endpoint } }) =>
    role === "entry" && endpoint !== undefined && endpoint.carries === undefined ? [name] : [],
  );
  if (names.length === 0) return [];
  return [`whether bodies of other media types are refused is not tested: ${firstNames(names)}`];
}
