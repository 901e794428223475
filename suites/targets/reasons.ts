import type { Reason } from "../../schemas/index.ts";
import { isObject, pointer } from "../../schemas/light-entry.ts";
import { boundText, maxItems } from "../base/text/bounds.ts";

/** The maximum number of path steps: no message of any protocol is nearly as deep. */
const maxSteps = 100;

/** The keyword for a library's refusal by a function, such as Zod's `refine`, for which JSON Schema has no keyword. */
export const refinement = "refinement";

/**
 * Converts the errors of a target, limited in length, number and depth. Supports our own members, the errors of Ajv (`instancePath`,
 * `schemaPath`), errors with a `path` of member names (Standard Schema, Zod, Valibot), and plain texts; ignores other members.
 */
export function reasonsFrom(errors: unknown): Reason[] {
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, maxItems).map(reasonFrom);
}

/** Converts one error. */
export function reasonFrom(error: unknown): Reason {
  if (typeof error === "string") return { message: boundText(error) };
  if (!isObject(error)) return {};
  const reason: Reason = {};
  const path = (error as { path?: unknown }).path;
  const at =
    boundedText(error.at) ?? boundedText(error.instancePath) ?? (Array.isArray(path) ? fromPath(path) : undefined);
  const site = boundedText(error.site) ?? boundedText(error.schemaPath);
  const keyword = boundedText(error.keyword) ?? (Array.isArray(path) && isRefinement(error) ? refinement : undefined);
  const rule = boundedText(error.rule);
  const message = boundedText(error.message);
  // A library's issue has the library's own code, which means nothing in the protocol.
  const code = Array.isArray(path) ? undefined : codeFrom(error.code);
  if (at !== undefined) reason.at = at;
  if (keyword !== undefined) reason.keyword = keyword;
  if (site !== undefined) reason.site = site;
  if (rule !== undefined) reason.rule = rule;
  if (code !== undefined) reason.code = code;
  if (message !== undefined) reason.message = message;
  return reason;
}

/** Whether a library's issue comes from a function that refuses a value for reasons outside of the schema: Zod's `refine`, ArkType's `narrow`, Valibot's `check`. */
function isRefinement({ code, kind, type }: { code?: unknown; kind?: unknown; type?: unknown }): boolean {
  return code === "custom" || code === "predicate" || (kind === "validation" && type === "check");
}

/** Converts an error code. A number that JSON cannot express is returned as a string. */
function codeFrom(code: unknown): string | number | undefined {
  if (typeof code === "number") return Number.isFinite(code) ? code : String(code);
  return boundedText(code);
}

function fromPath(path: readonly unknown[]): string {
  const steps = path.slice(0, maxSteps).map((step) => {
    const key: unknown = isObject(step) ? step.key : step;
    return `/${pointer.escaped(typeof key === "string" || typeof key === "number" ? boundText(String(key)) : "?")}`;
  });
  return boundText(steps.join(""));
}

function boundedText(value: unknown): string | undefined {
  return typeof value === "string" ? boundText(value) : undefined;
}
