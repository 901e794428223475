import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { fitsForm, isPlain } from "./form.ts";

const kinds = ["text", "data", "file"];

/** Judges a message that the schema accepts. */
export function message(say: ReportFault, value: JsonObject): void {
  const { ahcp_version: version, title, idempotency_key: key } = value;
  if (/(^|\.)0\d/.test(String(version))) say("the version has leading zeros", "leading-zeros");
  if (version !== "0.3") say("the version is not 0.3", "other-minors");
  if (/[\n\r\u0085\u2028\u2029]/.test(String(title)) || /^\p{White_Space}*$/u.test(String(title)))
    say("the title is not one line of text", "titles-of-several-lines");
  if (typeof key === "string" && (key.trim() === "" || [...key].length > 255)) say("the key is unusual", "odd-keys");
  for (const part of listOrEmpty(value.context).map(objectOrEmpty))
    if (kinds.some((kind) => kind !== part.kind && Object.hasOwn(part, kind)))
      say("a Part has the content of a different kind", "surplus-content");
  const block = objectOrEmpty(value.request ?? value.action);
  for (const resolver of listOrEmpty(block.allowed_resolvers))
    if (/^system:|^[^:]*:(\s*$|.*:)/u.test(String(resolver))) say("a resolver is unusual", "odd-resolvers");
  if (isObject(value.request)) ask(say, value.request);
}

function ask(say: ReportFault, request: JsonObject): void {
  const { mode, schema, default_on_expire: defaultAnswer = null } = request;
  const values = listOrEmpty(request.options).map((option) => objectOrEmpty(option).value);
  if (new Set(values).size < values.length) say("two options have the same value", "repeated-options");
  if (isObject(schema) && !isPlain(schema)) say("the form is not flat", "flat-forms");
  if (mode === "input" && isObject(schema)) form(say, schema, defaultAnswer);
  if (defaultAnswer === null || mode === "input") return;
  if (effectiveOptions(request).includes(defaultAnswer)) return;
  if (mode === "select") say("the default is not an option");
  else say("the default is neither approve nor deny", "default-of-a-confirm");
}

function form(say: ReportFault, schema: JsonObject, defaultAnswer: Json): void {
  if (defaultAnswer === null) return;
  if (!isObject(defaultAnswer)) say("the default does not fill in the form");
  else if (fitsForm(schema, defaultAnswer, false) === false) say("the default does not fit the form");
  else if (fitsForm(schema, defaultAnswer, true) === false) say("the default breaks a format", "formats-in-forms");
}

/** The values that a resolver can choose. */
export function effectiveOptions({ mode, options }: JsonObject): Json[] {
  if (options === undefined) return mode === "confirm" ? ["approve", "deny"] : [];
  return listOrEmpty(options).map((option) => objectOrEmpty(option).value as Json);
}
