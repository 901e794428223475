import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { fitsForm, isPlain } from "./form.ts";

const kinds = ["text", "data", "file"];

/** Judges a message that the schema accepts. */
export function judgeMessage(report: ReportFault, value: JsonObject): void {
  const { ahcp_version: version, title, idempotency_key: key } = value;
  if (/(^|\.)0\d/.test(String(version))) report("the version has leading zeros", "leading-zeros");
  if (version !== "0.3") report("the version is not 0.3", "other-minors");
  if (/[\n\r\u0085\u2028\u2029]/.test(String(title)) || /^\p{White_Space}*$/u.test(String(title)))
    report("the title is not one line of text", "titles-of-several-lines");
  if (typeof key === "string" && (key.trim() === "" || [...key].length > 255)) report("the key is unusual", "odd-keys");
  for (const part of listOrEmpty(value.context).map(objectOrEmpty))
    if (kinds.some((kind) => kind !== part.kind && Object.hasOwn(part, kind)))
      report("a Part has the content of a different kind", "surplus-content");
  const block = objectOrEmpty(value.request ?? value.action);
  for (const resolver of listOrEmpty(block.allowed_resolvers))
    if (/^system:|^[^:]*:(\s*$|.*:)/u.test(String(resolver))) report("a resolver is unusual", "odd-resolvers");
  if (isObject(value.request)) ask(report, value.request);
}

function ask(report: ReportFault, request: JsonObject): void {
  const { mode, schema, default_on_expire: defaultAnswer = null } = request;
  const values = listOrEmpty(request.options).map((option) => objectOrEmpty(option).value);
  if (new Set(values).size < values.length) report("two options have the same value", "repeated-options");
  if (isObject(schema) && !isPlain(schema)) report("the form is not flat", "flat-forms");
  if (mode === "input" && isObject(schema)) form(report, schema, defaultAnswer);
  if (defaultAnswer === null || mode === "input") return;
  if (offeredValues(request).includes(defaultAnswer)) return;
  if (mode === "select") report("the default is not an option");
  else report("the default is neither approve nor deny", "default-of-a-confirm");
}

function form(report: ReportFault, schema: JsonObject, defaultAnswer: Json): void {
  if (defaultAnswer === null) return;
  if (!isObject(defaultAnswer)) report("the default does not fill in the form");
  else if (fitsForm(schema, defaultAnswer, false) === false) report("the default does not fit the form");
  else if (fitsForm(schema, defaultAnswer, true) === false) report("the default breaks a format", "formats-in-forms");
}

/** The values that a resolver can choose. */
export function offeredValues({ mode, options }: JsonObject): Json[] {
  if (options === undefined) return mode === "confirm" ? ["approve", "deny"] : [];
  return listOrEmpty(options).map((option) => objectOrEmpty(option).value as Json);
}
