import { isObject, type Json } from "../../../../schemas/index.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { isInstant, timestampPattern } from "./instant.ts";
import { sizeOf } from "./json.ts";
import { enumValuesOf } from "./member-lists.ts";
import { isUri } from "./url.ts";

const taskStates = enumValuesOf("TaskState");
/** The error codes that the protocol lists. The thousands digit is their category. */
const listedCodes = new Set([
  ...range(1001, 7),
  ...range(2001, 6),
  ...range(3001, 5),
  ...range(4001, 6),
  ...range(5001, 5),
]);

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Returns the number of bytes in a megabyte. */
export function megabyte({ strict }: DocumentCheck): number {
  return strict("megabyte") ? 1e6 : 2 ** 20;
}

export function checkPart(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "text raw url data mediaType")) return;
  check.members(value, at, {
    text: (text, path) => check.text(text, path, { max: 10_485_760 }),
    raw: (raw, path) => base64(check, raw, path),
    url: (url, path) => {
      if (check.text(url, path, { max: 2048 }) && !isUri(url, check.strict("url-host")))
        check.addCodeFault(path, "is not a URL");
    },
    data: (data, path) => {
      if (!isObject(data)) check.addFormFault(path, "is not an object");
      else if (sizeOf(data) > megabyte(check)) check.addCodeFault(path, "is too large");
    },
    mediaType: (type, path) => check.text(type, path, { max: 128, form: forms.media }),
  });
  const contentNames = ["text", "raw", "url", "data"].filter((name) => Object.hasOwn(value, name));
  if (contentNames.length !== 1) check.addCodeFault(at, "does not have exactly one of text, raw, url and data");
  if (contentNames.includes("raw") && value.mediaType === undefined && check.strict("raw-without-type"))
    check.addCodeFault(at, "has raw content without a media type");
}

function base64(check: DocumentCheck, raw: Json, at: string): void {
  if (!check.text(raw, at, { max: 14_000_000 })) return;
  if (raw.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(raw)) return void check.addCodeFault(at, "is not base64");
  const bytes = Buffer.from(raw, "base64");
  if (check.strict("base64-bits") && bytes.toString("base64") !== raw) check.addCodeFault(at, "has bits after its end");
  if (bytes.length > 10 * megabyte(check)) check.addCodeFault(at, "is too large");
}

function checkParts(check: DocumentCheck, value: Json, at: string): void {
  check.list(value, at, [1, 100], (each, path) => checkPart(check, each, path));
}

export function checkTurn(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "messageId role parts", { requiredNames: "messageId role parts" })) return;
  check.members(value, at, {
    messageId: (id, path) => check.id(id, path),
    role: (role, path) => check.choice(role, path, ["user", "agent"]),
    parts: (partValues, path) => checkParts(check, partValues, path),
  });
}

export function checkArtifact(check: DocumentCheck, value: Json, at: string, extraNames: string = ""): void {
  if (!check.object(value, at, `artifactId name parts ${extraNames}`.trim(), { requiredNames: "artifactId parts" }))
    return;
  check.members(value, at, {
    artifactId: (id, path) => check.id(id, path),
    name: (name, path) => check.text(name, path, { min: 1, max: 256 }),
    parts: (partValues, path) => checkParts(check, partValues, path),
  });
}

function checkStatus(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "state timestamp message", { requiredNames: "state timestamp" })) return;
  check.members(value, at, {
    state: (state, path) => check.choice(state, path, taskStates),
    timestamp: (time, path) => {
      if (check.text(time, path, { form: timestampPattern }) && !isInstant(time, check.strict))
        check.addCodeFault(path, "is not an existing time");
    },
    message: (message, path) => check.text(message, path, { max: 1024 }),
  });
}

export function checkTask(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "id contextId status artifacts history", { requiredNames: "id status" })) return;
  check.members(value, at, {
    id: (id, path) => check.id(id, path),
    contextId: (id, path) => check.id(id, path),
    status: (member, path) => checkStatus(check, member, path),
    artifacts: (list, path) => check.list(list, path, [0, 100], (item, path) => checkArtifact(check, item, path)),
    history: (list, path) => check.list(list, path, [0, Infinity], (item, path) => checkTurn(check, item, path)),
  });
}

export function checkError(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "code message data", { requiredNames: "code message" })) return;
  check.members(value, at, {
    code: (code, path) => {
      if (check.integer(code, path, 1000, 5999) && !listedCodes.has(code) && check.strict("unlisted-codes"))
        check.addCodeFault(path, "is not listed");
    },
    message: (message, path) => check.text(message, path, { min: 1, max: 1024 }),
    data: (data, path) => isObject(data) || check.addFormFault(path, "is not an object"),
  });
}
