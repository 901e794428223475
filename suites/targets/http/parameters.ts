import { type Endpoint, equal, isObject, type Json, type JsonObject, type Parameter } from "../../../schemas/index.ts";
import { readAs, textOf } from "./texts.ts";

/** The parts of a request that hold its parameters. */
export interface Addressed {
  path: string;
  /** Without the question mark. */
  query: string;
  headers: Record<string, string>;
}

/** Puts the parameters of a request into it: those of the document, or those that are given beside its body. */
export function addressed(endpoint: Endpoint, document: Json | undefined): Addressed {
  const { path, parameters = [], carries, given } = endpoint;
  const values = carries === "parameters" ? document : given?.parameters;
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  let filled = path;
  for (const parameter of parameters) {
    const value = givenIn(values, parameter);
    if (value === undefined) continue;
    const parts = partsOf(parameter, value);
    const joined = parts.map(([name, text]) => `${name}=${text}`);
    if (parameter.in === "path") filled = filled.replaceAll(`{${parameter.name}}`, () => parts[0]?.[1] ?? "");
    else if (parameter.in === "query") query.push(...joined);
    else if (parameter.in === "cookie") cookies.push(...joined);
    else headers[parameter.name.toLowerCase()] = parts[0]?.[1] ?? "";
  }
  if (cookies.length > 0) headers.cookie = cookies.join("; ");
  return { path: filled, query: query.join("&"), headers };
}

/** Why parameters cannot be put as they are meant: what is written would be read otherwise, or differently by different servers. */
export function unwritable(endpoint: Endpoint, document: Json, own: ReadonlySet<string>): string | undefined {
  const { parameters = [], path } = endpoint;
  if (!isObject(document)) return "this is no set of parameters, and cannot be written as one";
  for (const [where, section] of Object.entries(document)) {
    if (!isObject(section)) return `the parameters of the ${where} are none, and cannot be written`;
    for (const [name, value] of Object.entries(section)) {
      const parameter = parameters.find((each) => each.in === where && each.name === name);
      if (parameter === undefined)
        return `the ${where} parameter ${name} is described nowhere: a server may refuse or ignore it`;
      const why = misread(parameter, value);
      if (why !== undefined) return `the ${where} parameter ${name} ${why}`;
    }
  }
  for (const parameter of parameters) {
    if (parameter.in === "header" && own.has(parameter.name.toLowerCase()))
      return `the header ${parameter.name} is given with --header for all requests`;
    if (parameter.in !== "path") continue;
    if (!path.includes(`{${parameter.name}}`)) return `the path is given, and has no {${parameter.name}} to be filled`;
    if (givenIn(document, parameter) === undefined) return `no path can be written without ${parameter.name}`;
  }
  return undefined;
}

function givenIn(values: Json | undefined, { in: where, name }: Parameter): Json | undefined {
  const section = isObject(values) && Object.hasOwn(values, where) ? values[where] : undefined;
  return isObject(section) && Object.hasOwn(section, name) ? section[name] : undefined;
}

/** Why a value is not read as it was meant; undefined when it is. */
function misread({ in: where, style, explode, types, holds }: Parameter, value: Json): string | undefined {
  if (style === "json") return unfit(where, JSON.stringify(value), true);
  const isOne = !isObject(value) && !Array.isArray(value);
  if ((holds === undefined) !== isOne) return "is written as one of another type would be";
  if (holds === "members" && !(style === "deepObject" && explode))
    return `is written in a way that servers read differently (${style})`;
  const members = isOne ? [value] : Object.values(value as JsonObject | Json[]);
  if (members.length === 0) return "is empty, and would not be written at all";
  const between = explode && style === "form" ? undefined : separators[style];
  for (const member of members) {
    const text = textOf(member);
    if (text === undefined) return "has no text that everybody reads the same";
    const read = readAs(text, types);
    if (read === undefined || !equal(read, member)) return "is written as one of another type would be";
    if (holds !== undefined && between !== undefined && text.includes(between)) return "has what stands between values";
    const why = unfit(where, text, holds === undefined);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Why servers, or what stands before them, read a text differently where it stands. */
function unfit(where: Parameter["in"], text: string, isAlone: boolean): string | undefined {
  const why = "has characters that servers read differently there";
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return why;
  if (where === "header")
    return /^[!-~]([ -~]*[!-~])?$/.test(text) && (isAlone || !text.includes(" ")) ? undefined : why;
  if (where === "cookie") return /^[\w.~-]+$/.test(text) ? undefined : why;
  if (where === "path") return /[/\\%;]|^\.{1,2}$/.test(text) ? why : undefined;
  return undefined;
}

const separators: Partial<Record<Parameter["style"], string>> = {
  ...{ form: ",", simple: ",", label: ",", matrix: ",", spaceDelimited: " ", pipeDelimited: "|" },
};

/** Names and texts as they are written: of a path or a header the first text alone. */
function partsOf({ in: where, name, style, explode, holds }: Parameter, value: Json): [name: string, text: string][] {
  const encoded = where === "header" ? (text: string) => text : encodeURIComponent;
  const text = (each: Json): string => encoded(textOf(each) ?? JSON.stringify(each));
  const key = encodeURIComponent(name);
  if (style === "json") return [[key, encoded(JSON.stringify(value))]];
  if (holds === "members" && isObject(value))
    return Object.entries(value).map(([each, inner]) => [`${key}[${encodeURIComponent(each)}]`, text(inner)]);
  const texts = (Array.isArray(value) ? value : [value]).map(text);
  if (where === "query" && style === "form" && explode) return texts.map((each) => [key, each]);
  const between = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  if (style === "label") return [[key, `.${texts.join(explode ? "." : ",")}`]];
  if (style === "matrix")
    return [[key, explode ? texts.map((each) => `;${key}=${each}`).join("") : `;${key}=${texts.join(",")}`]];
  return [[key, texts.join(between)]];
}
