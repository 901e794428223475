import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** An object that the protocol defines, found in a document. */
export interface ProtocolObject {
  kind: string;
  at: string;
  value: JsonObject;
  /** The containing object's kind and the member's name, as in `task.status`; empty for the outermost object. */
  within: string;
}

/** For each kind of object, its members that hold other objects, with their kinds. Brackets mark lists of such objects. */
const objectMembers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "send-request": { message: "message", configuration: "configuration" },
  configuration: { taskPushNotificationConfig: "push-config" },
  "send-result": { task: "task", message: "message" },
  event: { task: "task", message: "message", statusUpdate: "status-update", artifactUpdate: "artifact-update" },
  "status-update": { status: "status" },
  "artifact-update": { artifact: "artifact" },
  task: { status: "status", artifacts: "[artifact]", history: "[message]" },
  status: { message: "message" },
  message: { parts: "[part]" },
  artifact: { parts: "[part]" },
  "task-list": { tasks: "[task]" },
  "push-config-list": { configs: "[push-config]" },
  part: {},
  "push-config": {},
};

/** The kind of object in the request and in the answer of each operation; empty if the request contains no object. */
const operationKinds: Readonly<Record<string, readonly [request: string, answer: string]>> = {
  "send-message": ["send-request", "send-result"],
  "send-streaming-message": ["send-request", "event"],
  "get-task": ["", "task"],
  "list-tasks": ["", "task-list"],
  "cancel-task": ["", "task"],
  "subscribe-to-task": ["", "event"],
  "create-push-config": ["push-config", "push-config"],
  "get-push-config": ["", "push-config"],
  "list-push-configs": ["", "push-config-list"],
};

/** The documents that contain objects of the protocol. */
export const documentsWithObjects: readonly string[] = [
  ...Object.keys(objectMembers).filter((kind) => kind !== "configuration" && kind !== "status"),
  "push",
  ...Object.keys(operationKinds).flatMap((name) => {
    const answer = name === "send-streaming-message" || name === "subscribe-to-task" ? "item" : "response";
    return ["rpc", "rest"].flatMap((binding) => [
      ...(operationKinds[name]?.[0] === "" ? [] : [`${binding}.${name}.request`]),
      `${binding}.${name}.${answer}`,
    ]);
  }),
];

/** Lists all objects of the protocol in a document, without the user-defined content of `data` and `metadata`. */
export function objectsIn(instance: Json, document: string): ProtocolObject[] {
  const [kind, at] = rootOf(document);
  const root = pointer.at(at, instance);
  return kind === "" || root === undefined ? [] : collectObjects({ kind, at, within: "" }, root);
}

function rootOf(document: string): [kind: string, at: string] {
  if (document === "push") return ["event", ""];
  const [binding, name = "", part] = document.split(".");
  const kind = operationKinds[name]?.[part === "request" ? 0 : 1];
  if (kind === undefined) return [document in objectMembers ? document : "", ""];
  if (binding === "rest") return [kind, ""];
  return [kind, part === "request" ? "/params" : "/result"];
}

function collectObjects(location: Omit<ProtocolObject, "value">, value: Json): ProtocolObject[] {
  if (!isObject(value)) return [];
  const containedObjects = Object.entries(objectMembers[location.kind] ?? {}).flatMap(([name, kind]) => {
    const member = value[name];
    const at = pointer.append(location.at, name);
    const within = `${location.kind}.${name}`;
    if (!kind.startsWith("[")) return member === undefined ? [] : collectObjects({ kind, at, within }, member);
    const items = Array.isArray(member) ? member : [];
    return items.flatMap((item, index) =>
      collectObjects({ kind: kind.slice(1, -1), at: `${at}/${index}`, within }, item),
    );
  });
  return [{ ...location, value }, ...containedObjects];
}
