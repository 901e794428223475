import {
  type Endpoint,
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Parameter,
  pointer,
  type Skip,
} from "../../../schemas/index.ts";
import { skipNeverAsked, skipUnsendable } from "../../base/text/skips.ts";
import { readAs, textOf } from "./texts.ts";

/** The parts of a request that contain its parameters. */
export interface Addressed {
  path: string;
  /** The query, without the question mark. */
  query: string;
  headers: Record<string, string>;
}

const noNames: ReadonlySet<string> = new Set();

/** Puts the values of parameters into a request, except those in the query of its address. */
export function placeParameters(
  { path, parameters = [] }: Endpoint,
  values: Json | undefined,
  own: ReadonlySet<string> = noNames,
): Addressed {
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  let filledPath = path;
  for (const parameter of parameters) {
    const value = givenIn(values, parameter);
    if (value === undefined || (parameter.in === "query" && isGiven(parameter, own))) continue;
    const parts = partsOf(parameter, value);
    const pairs = parts.map(([name, text]) => `${name}=${text}`);
    if (parameter.in === "path") filledPath = filledPath.replaceAll(`{${parameter.name}}`, () => parts[0]?.[1] ?? "");
    else if (parameter.in === "query") query.push(...pairs);
    else if (parameter.in === "cookie") cookies.push(...pairs);
    else headers[parameter.name.toLowerCase()] = parts[0]?.[1] ?? "";
  }
  if (cookies.length > 0) headers.cookie = cookies.join("; ");
  return { path: filledPath, query: query.join("&"), headers };
}

export function withQuery(path: string, query: string): string {
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** For example, a number in a place for strings would be read as a string of digits. */
const misreadReason = "these parameters cannot be written as text, or would be read as other values";
const differReason = "servers and proxies read these parameters differently";

/** Returns a skip if parameters cannot be sent as intended, because their text would be read as a different value, or differently by different servers. Values that the user configured for all requests (`own`) replace other values, unless the vector is about that parameter (`keep`) or has no value for it. */
export function skipUnwritable(
  endpoint: Endpoint,
  document: Json,
  own: ReadonlySet<string>,
  keep: readonly string[] = [],
): Skip | undefined {
  if ((endpoint.parameters ?? []).length === 0 && !equal(document, {}))
    return skipNeverAsked("the operation has no parameters", "parameters");
  const why = skipUnwritten(endpoint, document, own, keep);
  return why === undefined ? undefined : skipUnsendable(why);
}

function skipUnwritten(
  { parameters = [], path }: Endpoint,
  document: Json,
  own: ReadonlySet<string>,
  keep: readonly string[],
): string | undefined {
  if (!isObject(document)) return misreadReason;
  for (const [where, section] of Object.entries(document)) {
    if (!isObject(section)) return misreadReason;
    for (const [name, value] of Object.entries(section)) {
      const parameter = parameters.find((each) => each.in === where && each.name === name);
      if (parameter === undefined) return "it has a parameter without a description, which servers refuse or ignore";
      if (isGiven(parameter, own)) continue;
      const neverReason = explainUnwritten(parameter);
      if (neverReason !== undefined) return `the ${where} parameter "${name}" ${neverReason}`;
      const why = explainMisreading(parameter, value);
      if (why !== undefined) return why;
    }
  }
  for (const parameter of parameters) {
    if (isGiven(parameter, own) && isAbout(keep, parameter, document))
      return parameter.in === "query"
        ? `the query parameter ${parameter.name} is given with the address for all requests`
        : `the ${parameter.in} ${parameter.name} is given with --header for all requests`;
    if (parameter.in !== "path") continue;
    if (!path.includes(`{${parameter.name}}`)) return `the path is given, and has no {${parameter.name}} to be filled`;
    if (givenIn(document, parameter) === undefined) return misreadReason;
  }
  return undefined;
}

function isGiven({ in: where, name }: Parameter, own: ReadonlySet<string>): boolean {
  return own.has(where === "header" ? name.toLowerCase() : `${where} ${name}`);
}

/** Whether a vector may test a parameter, possibly by leaving it out. */
function isAbout(keep: readonly string[], parameter: Parameter, document: Json): boolean {
  const at = pointer.append(`/${parameter.in}`, parameter.name);
  if (keep.some((each) => pointer.areRelated(each, at))) return true;
  return keep.length === 0 && givenIn(document, parameter) === undefined;
}

function givenIn(values: Json | undefined, { in: where, name }: Parameter): Json | undefined {
  const section = isObject(values) && Object.hasOwn(values, where) ? values[where] : undefined;
  return isObject(section) && Object.hasOwn(section, name) ? section[name] : undefined;
}

/** Explains why some servers would misread a value; undefined if none would. */
function explainMisreading(parameter: Parameter, value: Json): string | undefined {
  const { in: where, style, explode, types, holds, mixed } = parameter;
  if (style === "json") return fitsPlace(where, JSON.stringify(value), true) ? undefined : differReason;
  const isOne = !isObject(value) && !Array.isArray(value);
  if ((holds === undefined) !== isOne || (holds === "members") !== isObject(value)) return misreadReason;
  const members = isOne ? [["", value] as const] : Object.entries(value as JsonObject | Json[]);
  const separator = explode && (style === "form" || style === "matrix") ? undefined : separators[style];
  if (members.length === 0 || (mixed === true && (members.length === 1 || separator !== undefined)))
    return differReason;
  if (members.length > 1 && holds === "items" && isJoinedUnlike(style, explode)) return differReason;
  const isAlone = holds === undefined;
  const reasons = members.map(([name, member]): string | undefined => {
    const isMember = holds === "members";
    const text = textOf(member);
    if (text === undefined) return misreadReason;
    const readValue = readAs(text, isMember ? ownTypes(parameter, name) : types);
    if (readValue !== undefined && !equal(readValue, member)) return misreadReason;
    const isCut =
      !isAlone && !isMember && separator !== undefined && [...separator].some((each) => text.includes(each));
    const isNamed = !isMember || isPlain(name);
    return readValue !== undefined && !isCut && isNamed && fitsPlace(where, text, isAlone) ? undefined : differReason;
  });
  return reasons.find((reason) => reason !== undefined);
}

function ownTypes({ members = {} }: Parameter, name: string): Parameter["types"] {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Whether a name is read correctly by every server. Numeric names, and names that every object has, are misread or dropped. */
function isPlain(name: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(name) && !(name in {});
}

/** Explains why no value of a parameter can be written, in words that follow its name; undefined if some can. */
export function explainUnwritten({ style, types, holds, members = {} }: Parameter): string | undefined {
  if (style === "json") return undefined;
  if (holds === "members" && style !== "deepObject")
    return "is an object, which can be written only with style deepObject";
  if (style === "deepObject" && holds !== "members") return "has style deepObject, which is for objects only";
  if (holds === "members" && Object.keys(members).length === 0)
    return "is an object without members that can be written as text";
  if (holds === "items" && types !== undefined && !types.some((type) => type !== "null" && isTextType(type)))
    return "is a list of lists or objects, which servers read differently";
  return undefined;
}

function isTextType(type: string): boolean {
  return type !== "array" && type !== "object";
}

/** Whether all servers, and proxies in front of them, read a text at its place in the same way. */
function fitsPlace(where: Parameter["in"], text: string, isAlone: boolean): boolean {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return false;
  if (where === "header") return /^[!-~]([ -~]*[!-~])?$/.test(text) && (isAlone || !text.includes(" "));
  if (where === "cookie") return /^[\w.~-]+$/.test(text);
  return where !== "path" || !/[/\\%;]|^\.{1,2}$/.test(text);
}

/** The separators between the items of a list, according to some version of OpenAPI. */
const separators: Partial<Record<Parameter["style"], string>> = {
  form: ",",
  simple: ",",
  label: ".,",
  matrix: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

/** Whether versions of OpenAPI write a list of several items differently. A label that is not exploded has dots until 3.1.0, and since then commas as in RFC 6570. The delimited styles have no exploded form in the table, and one parameter per item according to the text of `explode`. */
function isJoinedUnlike(style: Parameter["style"], explode: boolean): boolean {
  return style === "label" ? !explode : explode && (style === "spaceDelimited" || style === "pipeDelimited");
}

/** The delimiters between the items of a list, as they are encoded in a request, by style; a comma for other styles. */
const encodedDelimiters: Partial<Record<Parameter["style"], string>> = { spaceDelimited: "%20", pipeDelimited: "%7C" };

/** Encodes a parameter as names and texts. For a path or a header, only the first text is used. */
function partsOf({ in: where, name, style, explode }: Parameter, value: Json): [name: string, text: string][] {
  const encode = where === "header" ? (text: string) => text : encodeURIComponent;
  const encodeValue = (item: Json): string => encode(textOf(item) ?? JSON.stringify(item));
  const key = encodeURIComponent(name);
  if (style === "json") return [[key, encode(JSON.stringify(value))]];
  const members = isObject(value)
    ? Object.entries(value).map(([memberName, member]): [string, string] => [encode(memberName), encodeValue(member)])
    : [];
  if (isObject(value) && style === "deepObject")
    return members.map(([memberName, text]) => [`${key}[${memberName}]`, text]);
  const isExplodedForm = where === "query" && style === "form" && explode;
  if (isObject(value) && isExplodedForm) return members;
  const texts = isObject(value)
    ? members.flatMap(([memberName, text]) => (explode ? [`${memberName}=${text}`] : [memberName, text]))
    : (Array.isArray(value) ? value : [value]).map(encodeValue);
  if (isExplodedForm) return texts.map((text) => [key, text]);
  if (style === "label") return [[key, `.${texts.join(explode ? "." : ",")}`]];
  if (style === "matrix" && explode)
    return [[key, texts.map((text) => (isObject(value) ? `;${text}` : `;${key}=${text}`)).join("")]];
  if (style === "matrix") return [[key, `;${key}=${texts.join(",")}`]];
  return [[key, texts.join(encodedDelimiters[style] ?? ",")]];
}
