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

/** Names of the fields that may be answered by a reference: the fields that the form marks, or all fields of a message that is marked as a whole. */
export function sensitiveFields(form: JsonObject, whole: boolean): string[] {
  const { properties } = form;
  if (!isObject(properties)) return [];
  return Object.keys(properties).filter((name) => {
    const field = properties[name];
    return whole || (isObject(field) && field["x-ahcp-sensitive"] === true);
  });
}

/** Whether a value is exactly a reference to the place of the secret. */
export function isReference(value: Json): boolean {
  return (
    isAttempt(value) &&
    Object.keys(value).length === 1 &&
    typeof value.secret_ref === "string" &&
    value.secret_ref !== ""
  );
}

function isAttempt(value: Json | undefined): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, "secret_ref");
}

/** The form with any attempt at a reference accepted in these fields: whether it is a proper one is another rule's matter. */
export function withoutReferences(form: JsonObject, fields: readonly string[]): JsonObject {
  if (fields.length === 0) return form;
  const properties: JsonObject = {};
  for (const [name, field] of Object.entries(form.properties as JsonObject)) {
    const loosened = { anyOf: [field, { type: "object", required: ["secret_ref"] }] };
    setMember(properties, name, fields.includes(name) ? loosened : field);
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
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (!isAttempt(given) || isReference(given)) continue;
      const declared = (form.properties as JsonObject)[name] as Json;
      // A field may be declared so that the object is an answer in its own right.
      if (isObject(declared) ? fitsForm(declared)(given) === false : declared === false)
        yield {
          at: pointer.append(`${at}/response/value`, name),
          why: "is neither the declared type nor just a secret_ref",
        };
    }
  },
};
