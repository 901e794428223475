import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** An object of the protocol within a document. */
export interface ProtocolObject {
  kind: string;
  at: string;
  value: JsonObject;
  /** The kind that contains it, and the name of the member. */
  within: string;
}

/** The members of each kind that contain objects of the protocol; in brackets for each item of a list. */
const members: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

/** The kinds of the requests and answers of operations. */
const operations: Readonly<Record<string, readonly [asked: string, answered: string]>> = {
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
export const holders: readonly string[] = [
  ...Object.keys(members).filter((kind) => kind !== "configuration" && kind !== "status"),
  "push",
  ...Object.keys(operations).flatMap((name) => {
    const answer = name === "send-streaming-message" || name === "subscribe-to-task" ? "item" : "response";
    return ["rpc", "rest"].flatMap((binding) => [
      ...(operations[name]?.[0] === "" ? [] : [`${binding}.${name}.request`]),
      `${binding}.${name}.${answer}`,
    ]);
  }),
];

/** The objects of the protocol in a document, without those of the user in data and metadata. */
export function objectsIn(instance: Json, document: string): ProtocolObject[] {
  const [kind, at] = rootOf(document);
  const root = pointer.at(at, instance);
  return kind === "" || root === undefined ? [] : below({ kind, at, within: "" }, root);
}

function rootOf(document: string): [kind: string, at: string] {
  if (document === "push") return ["event", ""];
  const [binding, name = "", part] = document.split(".");
  const kind = operations[name]?.[part === "request" ? 0 : 1];
  if (kind === undefined) return [document in members ? document : "", ""];
  return [kind, binding === "rest" ? "" : part === "request" ? "/params" : "/result"];
}

function below(place: Omit<ProtocolObject, "value">, value: Json): ProtocolObject[] {
  if (!isObject(value)) return [];
  const inner = Object.entries(members[place.kind] ?? {}).flatMap(([name, kind]) => {
    const part = value[name];
    const at = pointer.append(place.at, name);
    const within = `${place.kind}.${name}`;
    if (!kind.startsWith("[")) return part === undefined ? [] : below({ kind, at, within }, part);
    const items = Array.isArray(part) ? part : [];
    return items.flatMap((item, index) => below({ kind: kind.slice(1, -1), at: `${at}/${index}`, within }, item));
  });
  return [{ ...place, value }, ...inner];
}
