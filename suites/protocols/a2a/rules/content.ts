import { type Breach, type Checker, isObject, type Json, type Level, pointer } from "../../../../schemas/index.ts";
import { isUri } from "./addresses.ts";
import { holders, objectsIn, type ProtocolObject } from "./objects.ts";

/** A check of each object of some kinds, wherever it is. */
function each(rule: string, kinds: readonly string[], check: (found: ProtocolObject) => Iterable<Breach>): Checker {
  return {
    rule,
    documents: holders,
    *check(instance, document) {
      for (const object of objectsIn(instance, document)) if (kinds.includes(object.kind)) yield* check(object);
    },
  };
}

function text({ value }: ProtocolObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === "string" ? member : undefined;
}

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d+)?Z$/;

const isInstant = each("A2A-JSON-004", ["status"], function* (found) {
  const time = text(found, "timestamp") ?? "";
  const [, year, month, day, hour, minute, second] = (form.exec(time) ?? []).map(Number);
  if (year === undefined) return;
  const date = new Date(Date.UTC(2000, (month ?? 0) - 1, day, hour, minute, second));
  date.setUTCFullYear(year, (month ?? 0) - 1, day);
  const shown = `${time.slice(0, 19)}.000Z`;
  if (Number.isNaN(date.getTime()) || date.toISOString() !== shown)
    yield { at: `${found.at}/timestamp`, why: `is "${time}", and there is no such instant` };
});

const hasMilliseconds = each("A2A-JSON-005", ["status"], function* (found) {
  const fraction = form.exec(text(found, "timestamp") ?? "")?.[7];
  if (fraction !== undefined && ![3, 6, 9].includes(fraction.length - 1))
    yield { at: `${found.at}/timestamp`, why: `has a fraction of ${fraction.length - 1} digits, not 3, 6 or 9` };
});

/** Objects that had a member `kind` in 0.3. */
const kindly = ["task", "message", "part", "status-update", "artifact-update"];

const isModern = each("A2A-JSON-009", kindly, function* (found) {
  const kind = text(found, "kind");
  if (kind !== undefined)
    yield { at: `${found.at}/kind`, why: `is "${kind}", a member of version 0.3`, level: "SHOULD" };
  const { file } = found.value;
  if (found.kind === "part" && isObject(file))
    yield { at: `${found.at}/file`, why: "is a file in the form of version 0.3" };
});

const standard = /^[A-Za-z0-9+/]*={0,2}$/;
const either = /^[A-Za-z0-9+/_-]*={0,2}$/;

function isDecodable(raw: string): boolean {
  const bare = raw.replace(/=+$/, "");
  const padding = raw.length - bare.length;
  return bare.length % 4 !== 1 && (padding === 0 || raw.length % 4 === 0);
}

const decodes = each("A2A-PART-003", ["part"], function* (found) {
  const raw = text(found, "raw");
  if (raw !== undefined && either.test(raw) && !isDecodable(raw))
    yield { at: `${found.at}/raw`, why: `is "${short(raw)}", which is no base64` };
});

const isStandard = each("A2A-PART-004", ["part"], function* (found) {
  const raw = text(found, "raw");
  if (raw === undefined || !either.test(raw) || !isDecodable(raw)) return;
  if (!standard.test(raw)) yield { at: `${found.at}/raw`, why: "has the alphabet for URLs" };
  else if (raw.length % 4 !== 0) yield { at: `${found.at}/raw`, why: "has no padding" };
});

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;.*)?$/;

const isAddressed = each("A2A-PART-005", ["part"], function* (found) {
  const [url, type] = [text(found, "url"), text(found, "mediaType")];
  if (url !== undefined && !isUri(url)) yield { at: `${found.at}/url`, why: `is "${short(url)}", no absolute URI` };
  if (type !== undefined && !mediaType.test(type))
    yield { at: `${found.at}/mediaType`, why: `is "${short(type)}", no media type` };
});

/** The sender of the messages at a place. */
const senders: Readonly<Record<string, string>> = {
  "send-request.message": "ROLE_USER",
  "send-result.message": "ROLE_AGENT",
  "event.message": "ROLE_AGENT",
  "status.message": "ROLE_AGENT",
};

const hasRole = each("A2A-MSG-002", ["message"], function* (found) {
  const due = senders[found.within];
  const role = text(found, "role");
  if (due !== undefined && role?.startsWith("ROLE_") && role !== due)
    yield { at: `${found.at}/role`, why: `is ${role}, and its sender is ${due}` };
});

const belongs: Checker = {
  rule: "A2A-MSG-003",
  documents: holders,
  *check(instance, document) {
    const tasks = objectsIn(instance, document).filter(({ kind }) => kind === "task" || kind === "status-update");
    for (const task of tasks) {
      const message = pointer.at("/status/message", task.value);
      if (!isObject(message)) continue;
      const own = { taskId: task.value[task.kind === "task" ? "id" : "taskId"], contextId: task.value.contextId };
      for (const name of ["taskId", "contextId"] as const) {
        const said = message[name];
        const at = `${task.at}/status/message/${name}`;
        if (typeof said === "string" && said !== "" && own[name] !== undefined && said !== own[name])
          yield { at, why: `is "${short(said)}", not that of its task`, level: "MUST" };
      }
    }
    for (const { at, within, value } of objectsIn(instance, document))
      if (within === "send-result.message" || within === "event.message")
        if (value.contextId === undefined || value.contextId === "") yield { at, why: "names no context" };
  },
};

const isDistinct = each("A2A-ART-002", ["task"], function* ({ at, value }) {
  const seen = new Set<Json>();
  for (const [index, artifact] of listOf(value.artifacts).entries()) {
    const id = isObject(artifact) ? artifact.artifactId : undefined;
    if (typeof id !== "string") continue;
    if (seen.has(id))
      yield { at: `${at}/artifacts/${index}/artifactId`, why: `is "${short(id)}", as of an artifact before it` };
    seen.add(id);
  }
});

const isKnown = each("A2A-TASK-002", ["status"], function* (found) {
  if (text(found, "state") === "TASK_STATE_UNSPECIFIED")
    yield { at: `${found.at}/state`, why: "is TASK_STATE_UNSPECIFIED" };
});

/** The members of each kind. Other rules judge members in snake_case, and those of version 0.3. */
const own: Readonly<Record<string, readonly string[]>> = {
  task: ["id", "contextId", "status", "artifacts", "history", "metadata"],
  message: ["messageId", "contextId", "taskId", "role", "parts", "metadata", "extensions", "referenceTaskIds"],
  part: ["text", "raw", "url", "data", "metadata", "filename", "mediaType", "file"],
  artifact: ["artifactId", "name", "description", "parts", "metadata", "extensions"],
  status: ["state", "message", "timestamp"],
  "status-update": ["taskId", "contextId", "status", "metadata"],
  "artifact-update": ["taskId", "contextId", "artifact", "append", "lastChunk", "metadata"],
};

const addsNothing = each("A2A-EXT-007", Object.keys(own), function* ({ kind, at, value }) {
  for (const name of Object.keys(value))
    if (name !== "kind" && !name.includes("_") && own[kind]?.includes(name) !== true)
      yield { at: pointer.append(at, name), why: "is no member of the protocol, which has metadata for others" };
});

const near = /^http:\/\/(localhost(?![\w.-])|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])/i;

const isSafe = each("A2A-PUSH-014", ["push-config"], function* (found) {
  const url = text(found, "url");
  const level: Level = "SHOULD";
  if (url !== undefined && /^http:/i.test(url) && !near.test(url))
    yield { at: `${found.at}/url`, why: `is "${short(url)}", and not https`, level };
});

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function short(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

export const contentCheckers: readonly Checker[] = [
  isInstant,
  hasMilliseconds,
  isModern,
  decodes,
  isStandard,
  isAddressed,
  hasRole,
  belongs,
  isDistinct,
  isKnown,
  addsNothing,
  isSafe,
];
