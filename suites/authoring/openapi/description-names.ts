import { statSync } from "node:fs";
import { basename } from "node:path";
import type { JsonObject } from "../../../schemas/index.ts";
import { profileFile, readWhole } from "../../../schemas/light-entry.ts";

/** Whether a name, which may also be that of a pack or a protocol, means a description of an interface: a JSON or YAML file other than a profile. */
export function isDescription(path: string): boolean {
  return (
    /\.(json|ya?ml)$/i.test(path) &&
    basename(path) !== profileFile &&
    statSync(path, { throwIfNoEntry: false })?.isFile() === true
  );
}

/**
 * Whether a file declares itself a description of an interface, by a version that is a text or a number. A JSON Schema of such documents
 * also has a member with that name, but with a schema as its value.
 */
export function declaresDescription(path: string): boolean {
  if (!isDescription(path) || isTooLarge(path)) return false;
  const text = readWhole(path).toString("utf8");
  return versionMember.test(text) || isVersionedJson(text);
}

/** Whether a text is JSON that declares a version, even if it is on one line and begins with other members. */
function isVersionedJson(text: string): boolean {
  if (!/^\s*\{/.test(text) || !/"(openapi|asyncapi|swagger)"\s*:\s*"?\d+\.\d/.test(text)) return false;
  try {
    const { openapi, asyncapi, swagger } = JSON.parse(text.replace(/^\ufeff/, "")) as JsonObject;
    return [openapi, asyncapi, swagger].some((version) => /^\d+\.\d/.test(String(version)));
  } catch {
    return false;
  }
}

/** The version, at the beginning of a line or of a JSON text. */
const versionMember = /^(\ufeff?\s*\{)?\s*["']?(openapi|asyncapi|swagger)["']?\s*:\s*["']?\d+\.\d/m;

/** Whether a file does not even mention a kind of description. It is then something else, most likely a schema. */
export function mentionsNoDescription(path: string): boolean {
  return isTooLarge(path) || !/\b(openapi|asyncapi|swagger)\b/.test(readWhole(path).toString("utf8"));
}

/** Published descriptions have up to a dozen megabytes. */
export const maxBytes: number = 24 * 1024 * 1024;

/** Whether a file is larger than any description that is read. Its content is then irrelevant. */
function isTooLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes;
}
