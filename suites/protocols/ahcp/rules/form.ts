import { compileAjv } from "../../../../generators/index.ts";
import { canonical, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";
const $id = "urn:touchstone:form";

/** Whether a value fits a schema in a message; undefined if this cannot be decided in bounded time. */
export type Fits = (value: Json) => boolean | undefined;

const compiledForms = new Map<string, Fits>();
const mostCompiled = 200;

/** Checks values against a form by JSON Schema 2020-12, in which a format is an annotation unless it is asserted. */
export function fitsForm(form: JsonObject, formats: "annotating" | "asserting" = "annotating"): Fits {
  const text = textOf(form);
  if (text === undefined) return () => undefined;
  const key = `${formats} ${text}`;
  const known = compiledForms.get(key) ?? compile(form, formats === "asserting" ? "lenient" : "annotating");
  if (compiledForms.size >= mostCompiled) compiledForms.clear();
  compiledForms.set(key, known);
  return known;
}

function compile(form: JsonObject, strictness: "lenient" | "annotating"): Fits {
  if (workOf(form) > mostWork) return () => undefined;
  const { $async, ...plain } = form;
  const schema: JsonObject = { ...plain, $schema: dialect, $id };
  return (
    attempt(() => {
      const accepts = compileAjv([schema], $id, strictness);
      return (value) => attempt(() => accepts(value));
    }) ?? (() => undefined)
  );
}

// Compiled once, on first use.
let meta: Fits | undefined;

/** Whether the form is a schema of JSON Schema 2020-12. */
export function isSchema(form: JsonObject): boolean | undefined {
  meta ??= compileAjv([], dialect, "annotating");
  return attempt(() => meta?.(form));
}

/** A foreign schema may nest too deeply, refer to a missing schema, or contain a pattern that backtracks without end: then there is no answer. */
function attempt<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}

const textOf = (form: JsonObject): string | undefined => attempt(() => canonical(form));

const mostWork = 10_000;

/**
 * The number of subschemas visited for one value. References count each time, so that short schemas with endless work are
 * recognized. Infinite if a reference leads outside of the form, or back to its start.
 */
function workOf(form: JsonObject): number {
  const known = new Map<Json, number>();
  const visit = (node: Json): number => {
    if (typeof node !== "object" || node === null) return 1;
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, Number.POSITIVE_INFINITY);
    let work = 1;
    for (const [name, value] of Object.entries(node)) {
      const isReference = !Array.isArray(node) && ["$ref", "$dynamicRef"].includes(name) && typeof value === "string";
      work += isReference ? target(value) : visit(value);
    }
    known.set(node, work);
    return work;
  };
  const target = (reference: string): number => {
    const place = attempt(() => decodeURIComponent(reference));
    const node = place?.startsWith("#/") ? pointer.at(place.slice(1), form) : undefined;
    return isObject(node) ? visit(node) : typeof node === "boolean" ? 1 : Number.POSITIVE_INFINITY;
  };
  return attempt(() => visit(form)) ?? Number.POSITIVE_INFINITY;
}
