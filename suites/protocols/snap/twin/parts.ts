import { isObject, type Json } from "../../../../schemas/index.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { isInstant, iso } from "./instant.ts";
import { sizeOf } from "./json.ts";
import { listedIn } from "./member-lists.ts";
import { isUri } from "./url.ts";

const states = listedIn("TaskState");
/** The codes that the protocol lists, by the thousand. */
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

/** The number of bytes in a megabyte. */
export function megabyte({ strict }: DocumentCheck): number {
  return strict("megabyte") ? 1e6 : 2 ** 20;
}

export function part(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "text raw url data mediaType")) return;
  check.members(value, at, {
    text: (text, here) => check.text(text, here, { max: 10_485_760 }),
    raw: (raw, here) => base64(check, raw, here),
    url: (url, here) => {
      if (check.text(url, here, { max: 2048 }) && !isUri(url, check.strict("url-host")))
        check.beyond(here, "is no URL");
    },
    data: (data, here) => {
      if (!isObject(data)) check.form(here, "is no object");
      else if (sizeOf(data) > megabyte(check)) check.beyond(here, "is too large");
    },
    mediaType: (type, here) => check.text(type, here, { max: 128, form: forms.media }),
  });
  const contentNames = ["text", "raw", "url", "data"].filter((name) => Object.hasOwn(value, name));
  if (contentNames.length !== 1) check.beyond(at, "says not exactly one thing");
  if (contentNames.includes("raw") && value.mediaType === undefined && check.strict("raw-without-type"))
    check.beyond(at, "is raw, and of no type");
}

function base64(check: DocumentCheck, raw: Json, at: string): void {
  if (!check.text(raw, at, { max: 14_000_000 })) return;
  if (raw.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(raw)) return void check.beyond(at, "is no base64");
  const bytes = Buffer.from(raw, "base64");
  if (check.strict("base64-bits") && bytes.toString("base64") !== raw) check.beyond(at, "has bits behind its end");
  if (bytes.length > 10 * megabyte(check)) check.beyond(at, "is too large");
}

function parts(check: DocumentCheck, value: Json, at: string): void {
  check.list(value, at, [1, 100], (each, here) => part(check, each, here));
}

export function turn(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "messageId role parts", { requiredNames: "messageId role parts" })) return;
  check.members(value, at, {
    messageId: (id, here) => check.id(id, here),
    role: (role, here) => check.choice(role, here, ["user", "agent"]),
    parts: (partValues, here) => parts(check, partValues, here),
  });
}

export function artifact(check: DocumentCheck, value: Json, at: string, more: string = ""): void {
  if (!check.object(value, at, `artifactId name parts ${more}`.trim(), { requiredNames: "artifactId parts" })) return;
  check.members(value, at, {
    artifactId: (id, here) => check.id(id, here),
    name: (name, here) => check.text(name, here, { min: 1, max: 256 }),
    parts: (partValues, here) => parts(check, partValues, here),
  });
}

function status(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "state timestamp message", { requiredNames: "state timestamp" })) return;
  check.members(value, at, {
    state: (state, here) => check.choice(state, here, states),
    timestamp: (time, here) => {
      if (check.text(time, here, { form: iso }) && !isInstant(time, check.strict)) check.beyond(here, "is no instant");
    },
    message: (message, here) => check.text(message, here, { max: 1024 }),
  });
}

export function task(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "id contextId status artifacts history", { requiredNames: "id status" })) return;
  check.members(value, at, {
    id: (id, here) => check.id(id, here),
    contextId: (id, here) => check.id(id, here),
    status: (its, here) => status(check, its, here),
    artifacts: (all, here) => check.list(all, here, [0, 100], (each, place) => artifact(check, each, place)),
    history: (all, here) => check.list(all, here, [0, Infinity], (each, place) => turn(check, each, place)),
  });
}

export function error(check: DocumentCheck, value: Json, at: string): void {
  if (!check.object(value, at, "code message data", { requiredNames: "code message" })) return;
  check.members(value, at, {
    code: (code, here) => {
      if (check.integer(code, here, 1000, 5999) && !listedCodes.has(code) && check.strict("unlisted-codes"))
        check.beyond(here, "is not listed");
    },
    message: (message, here) => check.text(message, here, { min: 1, max: 1024 }),
    data: (data, here) => isObject(data) || check.form(here, "is no object"),
  });
}
