import { compileAjv } from "../../../../generators/index.ts";
import { canonical, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";
const $id = "urn:touchstone:form";

/** Whether a value satisfies a form; undefined if this cannot be decided in bounded time. */
export type FormCheck = (value: Json) => boolean | undefined;

const compiledForms = new Map<string, FormCheck>();
/** The cache is cleared when it has this many forms. */
const maxCompiled = 200;

/** Returns a check of values against a form, by JSON Schema 2020-12. Formats are annotations unless `formats` is "asserting". */
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

/**
 * Returns undefined if the task throws. A form may be nested too deeply, refer to a missing schema, or have a pattern with
 * catastrophic backtracking.
 */
function orUndefined<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}

const textOf = (form: JsonObject): string | undefined => orUndefined(() => canonical(form));

/** A form with more subschemas to visit is not applied. */
const maxWork = 10_000;

/**
 * Estimates the number of subschemas that a validator visits for one value. A reference counts its target each time, so that
 * short schemas with endless work are recognized. Infinite if a reference leaves the form or is part of a cycle.
 */
function workOf(form: JsonObject): number {
  const workByNode = new Map<Json, number>();
  const visit = (node: Json): number => {
    if (typeof node !== "object" || node === null) return 1;
    const knownWork = workByNode.get(node);
    if (knownWork !== undefined) return knownWork;
    workByNode.set(node, Number.POSITIVE_INFINITY);
    let work = 1;
    for (const [name, value] of Object.entries(node)) {
      const isReference = !Array.isArray(node) && ["$ref", "$dynamicRef"].includes(name) && typeof value === "string";
      work += isReference ? workOfReference(value) : visit(value);
    }
    workByNode.set(node, work);
    return work;
  };
  const workOfReference = (reference: string): number => {
    const fragment = orUndefined(() => decodeURIComponent(reference));
    const node = fragment?.startsWith("#/") ? pointer.at(fragment.slice(1), form) : undefined;
    if (isObject(node)) return visit(node);
    return typeof node === "boolean" ? 1 : Number.POSITIVE_INFINITY;
  };
  return orUndefined(() => visit(form)) ?? Number.POSITIVE_INFINITY;
}
