import { type Breach, type Checker, isObject, type Json, type Level, pointer } from "../../../../schemas/index.ts";
import { isUri } from "./addresses.ts";
import { documentsWithObjects, objectsIn, type ProtocolObject } from "./objects.ts";

/** Makes a checker for every object of the given kinds, anywhere in a document. */
function checkObjects(
  rule: string,
  kinds: readonly string[],
  check: (object: ProtocolObject) => Iterable<Breach>,
): Checker {
  return {
    rule,
    documents: documentsWithObjects,
    *check(instance, document) {
      for (const object of objectsIn(instance, document)) if (kinds.includes(object.kind)) yield* check(object);
    },
  };
}

function textMember({ value }: ProtocolObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === "string" ? member : undefined;
}

const timestampForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d+)?Z$/;

const existingInstants = checkObjects("A2A-JSON-004", ["status"], function* (object) {
  const timestamp = textMember(object, "timestamp") ?? "";
  const [, year, month, day, hour, minute, second] = (timestampForm.exec(timestamp) ?? []).map(Number);
  if (year === undefined) return;
  const date = new Date(Date.UTC(2000, (month ?? 0) - 1, day, hour, minute, second));
  date.setUTCFullYear(year, (month ?? 0) - 1, day);
  const canonicalTimestamp = `${timestamp.slice(0, 19)}.000Z`;
  if (Number.isNaN(date.getTime()) || date.toISOString() !== canonicalTimestamp)
    yield { at: `${object.at}/timestamp`, why: `is "${timestamp}", a date or time that does not exist` };
});

const fractionDigits = checkObjects("A2A-JSON-005", ["status"], function* (object) {
  const fraction = timestampForm.exec(textMember(object, "timestamp") ?? "")?.[7];
  if (fraction !== undefined && ![3, 6, 9].includes(fraction.length - 1))
    yield { at: `${object.at}/timestamp`, why: `has a fraction of ${fraction.length - 1} digits, not 3, 6 or 9` };
});

/** The kinds of objects that had a member `kind` in version 0.3. */
const kindsOfVersion03 = ["task", "message", "part", "status-update", "artifact-update"];

const currentMembers = checkObjects("A2A-JSON-009", kindsOfVersion03, function* (object) {
  const kind = textMember(object, "kind");
  if (kind !== undefined)
    yield { at: `${object.at}/kind`, why: `is "${kind}", a member of version 0.3`, level: "SHOULD" };
  const { file } = object.value;
  if (object.kind === "part" && isObject(file))
    yield { at: `${object.at}/file`, why: "has the form that files had in version 0.3" };
});

const standardAlphabet = /^[A-Za-z0-9+/]*={0,2}$/;
const eitherAlphabet = /^[A-Za-z0-9+/_-]*={0,2}$/;

function hasDecodableLength(raw: string): boolean {
  const unpadded = raw.replace(/=+$/, "");
  const padding = raw.length - unpadded.length;
  return unpadded.length % 4 !== 1 && (padding === 0 || raw.length % 4 === 0);
}

const decodableBytes = checkObjects("A2A-PART-003", ["part"], function* (object) {
  const raw = textMember(object, "raw");
  if (raw !== undefined && eitherAlphabet.test(raw) && !hasDecodableLength(raw))
    yield { at: `${object.at}/raw`, why: `is "${abbreviate(raw)}", which is not valid base64` };
});

const standardBase64 = checkObjects("A2A-PART-004", ["part"], function* (object) {
  const raw = textMember(object, "raw");
  if (raw === undefined || !eitherAlphabet.test(raw) || !hasDecodableLength(raw)) return;
  if (!standardAlphabet.test(raw)) yield { at: `${object.at}/raw`, why: "uses the URL-safe alphabet of base64" };
  else if (raw.length % 4 !== 0) yield { at: `${object.at}/raw`, why: "has no padding" };
});

const mediaTypeForm = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;.*)?$/;

const addressesAndTypes = checkObjects("A2A-PART-005", ["part"], function* (object) {
  const [url, type] = [textMember(object, "url"), textMember(object, "mediaType")];
  if (url !== undefined && !isUri(url))
    yield { at: `${object.at}/url`, why: `is "${abbreviate(url)}", not an absolute URI` };
  if (type !== undefined && !mediaTypeForm.test(type))
    yield { at: `${object.at}/mediaType`, why: `is "${abbreviate(type)}", not a media type` };
});

/** The required role of a message, by the member that contains the message. */
const senderRoles: Readonly<Record<string, string>> = {
  "send-request.message": "ROLE_USER",
  "send-result.message": "ROLE_AGENT",
  "event.message": "ROLE_AGENT",
  "status.message": "ROLE_AGENT",
};

const messageRoles = checkObjects("A2A-MSG-002", ["message"], function* (object) {
  const senderRole = senderRoles[object.within];
  const role = textMember(object, "role");
  if (senderRole !== undefined && role?.startsWith("ROLE_") && role !== senderRole)
    yield { at: `${object.at}/role`, why: `is ${role}, but its sender is ${senderRole}` };
});

const messageContexts: Checker = {
  rule: "A2A-MSG-003",
  documents: documentsWithObjects,
  *check(instance, document) {
    const tasks = objectsIn(instance, document).filter(({ kind }) => kind === "task" || kind === "status-update");
    for (const task of tasks) {
      const message = pointer.at("/status/message", task.value);
      if (!isObject(message)) continue;
      const taskMembers = {
        taskId: task.value[task.kind === "task" ? "id" : "taskId"],
        contextId: task.value.contextId,
      };
      for (const name of ["taskId", "contextId"] as const) {
        const statedId = message[name];
        const at = `${task.at}/status/message/${name}`;
        if (
          typeof statedId === "string" &&
          statedId !== "" &&
          taskMembers[name] !== undefined &&
          statedId !== taskMembers[name]
        )
          yield { at, why: `is "${abbreviate(statedId)}", not the one of its task`, level: "MUST" };
      }
    }
    for (const { at, within, value } of objectsIn(instance, document))
      if (within === "send-result.message" || within === "event.message")
        if (value.contextId === undefined || value.contextId === "") yield { at, why: "names no context" };
  },
};

const distinctArtifacts = checkObjects("A2A-ART-002", ["task"], function* ({ at, value }) {
  const artifactIds = new Set<Json>();
  for (const [index, artifact] of listOf(value.artifacts).entries()) {
    const id = isObject(artifact) ? artifact.artifactId : undefined;
    if (typeof id !== "string") continue;
    if (artifactIds.has(id))
      yield {
        at: `${at}/artifacts/${index}/artifactId`,
        why: `is "${abbreviate(id)}", the id of an earlier artifact`,
      };
    artifactIds.add(id);
  }
});

const specifiedStates = checkObjects("A2A-TASK-002", ["status"], function* (object) {
  if (textMember(object, "state") === "TASK_STATE_UNSPECIFIED")
    yield { at: `${object.at}/state`, why: "is TASK_STATE_UNSPECIFIED" };
});

/** The members that the protocol defines for each kind of object. Other rules check snake_case members and members of version 0.3. */
const membersOfKind: Readonly<Record<string, readonly string[]>> = {
  task: ["id", "contextId", "status", "artifacts", "history", "metadata"],
  message: ["messageId", "contextId", "taskId", "role", "parts", "metadata", "extensions", "referenceTaskIds"],
  part: ["text", "raw", "url", "data", "metadata", "filename", "mediaType", "file"],
  artifact: ["artifactId", "name", "description", "parts", "metadata", "extensions"],
  status: ["state", "message", "timestamp"],
  "status-update": ["taskId", "contextId", "status", "metadata"],
  "artifact-update": ["taskId", "contextId", "artifact", "append", "lastChunk", "metadata"],
};

const definedMembers = checkObjects("A2A-EXT-007", Object.keys(membersOfKind), function* ({ kind, at, value }) {
  for (const name of Object.keys(value))
    if (name !== "kind" && !name.includes("_") && membersOfKind[kind]?.includes(name) !== true)
      yield {
        at: pointer.append(at, name),
        why: "is not a member of the protocol, which has metadata for further content",
      };
});

const localAddress = /^http:\/\/(localhost(?![\w.-])|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])/i;

const securePushAddresses = checkObjects("A2A-PUSH-014", ["push-config"], function* (object) {
  const url = textMember(object, "url");
  const level: Level = "SHOULD";
  if (url !== undefined && /^http:/i.test(url) && !localAddress.test(url))
    yield { at: `${object.at}/url`, why: `is "${abbreviate(url)}", which is not https`, level };
});

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function abbreviate(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}

export const contentCheckers: readonly Checker[] = [
  existingInstants,
  fractionDigits,
  currentMembers,
  decodableBytes,
  standardBase64,
  addressesAndTypes,
  messageRoles,
  messageContexts,
  distinctArtifacts,
  specifiedStates,
  definedMembers,
  securePushAddresses,
];
