import {
  type Breach,
  type Checker,
  isObject,
  type Json,
  type JsonObject,
  pointer,
  setMember,
} from "../../../../schemas/index.ts";
import { exchangeIn, withMessage } from "./exchange.ts";
import { fitsForm } from "./form.ts";

/** The names of the fields that may be answered with a reference: those marked in the form, or all if the message is sensitive. */
export function sensitiveFields(form: JsonObject, isWholeMessage: boolean): string[] {
  const { properties } = form;
  if (!isObject(properties)) return [];
  return Object.keys(properties).filter((name) => {
    const field = properties[name];
    return isWholeMessage || (isObject(field) && field["x-ahcp-sensitive"] === true);
  });
}

/** Whether a value is exactly a reference to a secret. */
export function isReference(value: Json): boolean {
  return (
    hasReference(value) &&
    Object.keys(value).length === 1 &&
    typeof value.secret_ref === "string" &&
    value.secret_ref !== ""
  );
}

function hasReference(value: Json | undefined): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, "secret_ref");
}

/** The form, changed to accept any object with `secret_ref` in these fields. Another rule checks whether it is a valid reference. */
export function withoutReferences(form: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return form;
  const properties: JsonObject = {};
  for (const [name, field] of Object.entries(form.properties as JsonObject)) {
    const fieldOrReference = { anyOf: [field, { type: "object", required: ["secret_ref"] }] };
    setMember(properties, name, fields.includes(name) ? fieldOrReference : field);
  }
  return { ...form, properties };
}

export const sensitiveChecker: Checker = {
  rule: "AHCP-SAF-005",
  documents: withMessage,
  *check(instance, document): Iterable<Breach> {
    const { request, message, detail, resolution, at } = exchangeIn(instance, document) ?? {};
    const form = request?.schema;
    const value = detail?.value;
    if (request?.mode !== "input" || resolution !== "answered" || !isObject(form) || !isObject(value)) return;
    for (const name of sensitiveFields(form, message?.sensitive === true)) {
      const answer = Object.hasOwn(value, name) ? value[name] : undefined;
      if (!hasReference(answer) || isReference(answer)) continue;
      const field = (form.properties as JsonObject)[name] as Json;
      // The field's own schema may accept the object as an ordinary answer.
      if (isObject(field) ? fitsForm(field)(answer) === false : field === false)
        yield {
          at: pointer.append(`${at}/response/value`, name),
          why: "is neither the declared type nor just a secret_ref",
        };
    }
  },
};
