import { isObject, pointer, type Reason } from "../../schemas/index.ts";

/** Reports are kept: what one answer may say is bounded. */
const most = 256;
const longest = 1000;

/**
 * A target's errors as reasons. Understands our own members, the errors of Ajv (`instancePath`, `schemaPath`), anything with a
 * `path` of member names (Standard Schema, Zod, Valibot) and plain texts. What it does not understand it leaves out.
 */
export function reasonsFrom(errors: unknown): Reason[] {
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, most).map(reasonFrom);
}

function reasonFrom(error: unknown): Reason {
  if (typeof error === "string") return { message: cut(error) };
  if (!isObject(error)) return {};
  const reason: Reason = {};
  const path = (error as { path?: unknown }).path;
  const at = text(error.at) ?? text(error.instancePath) ?? (Array.isArray(path) ? fromPath(path) : undefined);
  const site = text(error.site) ?? text(error.schemaPath);
  const keyword = text(error.keyword);
  const rule = text(error.rule);
  const message = text(error.message);
  const { code } = error;
  if (at !== undefined) reason.at = at;
  if (keyword !== undefined) reason.keyword = keyword;
  if (site !== undefined) reason.site = site;
  if (rule !== undefined) reason.rule = rule;
  // A library's issue has a code of the library, which says nothing in the protocol's words.
  if (!Array.isArray(path) && (typeof code === "string" || typeof code === "number")) reason.code = code;
  if (message !== undefined) reason.message = message;
  return reason;
}

function fromPath(path: readonly unknown[]): string {
  return path.map((step) => `/${pointer.escaped(String(isObject(step) ? step.key : step))}`).join("");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? cut(value) : undefined;
}

function cut(value: string): string {
  return value.length > longest ? `${value.slice(0, longest)}…` : value;
}
