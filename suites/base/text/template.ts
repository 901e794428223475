import { isObject, type Json, type JsonObject } from "../../../schemas/index.ts";

/** Fills a template with parameters. A value that consists only of `{{name}}` is replaced by the parameter itself. Within a longer string, it is replaced by the parameter as text. */
export function fillTemplate(template: Json, parameters: JsonObject): Json {
  if (typeof template === "string") {
    const name = /^\{\{(\w+)\}\}$/.exec(template)?.[1];
    return name === undefined ? insertParameters(template, parameters, String) : (parameters[name] ?? null);
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, parameters));
  if (!isObject(template)) return template;
  const members = Object.entries(template).filter(([, value]) => !isMissing(value, parameters));
  return Object.fromEntries(members.map(([name, value]) => [name, fillTemplate(value, parameters)]));
}

/** Whether a value is the placeholder of a missing parameter. Such a member is left out. */
function isMissing(value: Json, parameters: JsonObject): boolean {
  const name = typeof value === "string" ? /^\{\{(\w+)\}\}$/.exec(value)?.[1] : undefined;
  return name !== undefined && parameters[name] === undefined;
}

/** Inserts parameters into a string, each encoded by the given function. */
export function insertParameters(text: string, parameters: JsonObject, encode: (text: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    return encode(typeof value === "string" ? value : JSON.stringify(value));
  });
}
