import { compileAjv } from "../../../../generators/index.ts";
import { canonical, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";
const $id = "urn:touchstone:form";

/** Whether a value fits a schema in a message; undefined if this cannot be decided in bounded time. */
export type FormCheck = (value: Json) => boolean | undefined;

const compiledForms = new Map<string, FormCheck>();
const maxCompiled = 200;

/** Checks values against a form by JSON Schema 2020-12, in which a format is an annotation unless it is asserted. */
export function fitsForm(form: JsonObject, formats: "annotating" | "asserting" = "annotating"): FormCheck {
  const text = textOf(form);
  if (text === undefined) return () => undefined;
  const key = `${formats} ${text}`;
  const check = compiledForms.get(key) ?? compile(form, formats === "asserting" ? "lenient" : "annotating");
  if (compiledForms.size >= maxCompiled) compiledForms.clear();
  compiledForms.set(key, check);
  return check;
}

function compile(form: JsonObject, strictness: "lenient" | "annotating"): FormCheck {
  if (workOf(form) > maxWork) return () => undefined;
  const { $async, ...standardForm } = form;
  const schema: JsonObject = { ...standardForm, $schema: dialect, $id };
  return (
    orUndefined(() => {
      const accepts = compileAjv([schema], $id, strictness);
      return (value) => orUndefined(() => accepts(value));
    }) ?? (() => undefined)
  );
}

// Compiled once, on first use.
let metaSchemaCheck: FormCheck | undefined;

/** Whether the form is a schema of JSON Schema 2020-12. */
export function isSchema(form: JsonObject): boolean | undefined {
  metaSchemaCheck ??= compileAjv([], dialect, "annotating");
  return orUndefined(() => metaSchemaCheck?.(form));
}

/** Undefined if the task throws: an author's schema may nest too deeply, refer to a missing schema, or contain a pattern that backtracks without end. */
function orUndefined<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}

const textOf = (form: JsonObject): string | undefined => orUndefined(() => canonical(form));

const maxWork = 10_000;

/**
 * The number of subschemas visited for one value. References count each time, so that short schemas with endless work are
 * recognized. Infinite if a reference leads outside of the form, or back to its start.
 */
function workOf(form: JsonObject): number {
  const check = new Map<Json, number>();
  const visit = (node: Json): number => {
    if (typeof node !== "object" || node === null) return 1;
    const knownWork = check.get(node);
    if (knownWork !== undefined) return knownWork;
    check.set(node, Number.POSITIVE_INFINITY);
    let work = 1;
    for (const [name, value] of Object.entries(node)) {
      const isReference = !Array.isArray(node) && ["$ref", "$dynamicRef"].includes(name) && typeof value === "string";
      work += isReference ? workOfReference(value) : visit(value);
    }
    check.set(node, work);
    return work;
  };
  const workOfReference = (reference: string): number => {
    const place = orUndefined(() => decodeURIComponent(reference));
    const node = place?.startsWith("#/") ? pointer.at(place.slice(1), form) : undefined;
    return isObject(node) ? visit(node) : typeof node === "boolean" ? 1 : Number.POSITIVE_INFINITY;
  };
  return orUndefined(() => visit(form)) ?? Number.POSITIVE_INFINITY;
}
