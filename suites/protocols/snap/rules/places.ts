import { isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** An object in a document, and its JSON Pointer. */
export interface ObjectSpot {
  value: JsonObject;
  at: string;
}

/** A payload, with the method and type of its message. */
export interface Payload extends ObjectSpot {
  method: string;
  type: string;
}

/** Documents that are a message, or contain a received one. */
export const messageDocuments: readonly string[] = ["envelope", "reception", "service-message"];

const payloadDocuments: readonly string[] = [
  "message-send.request",
  "message-send.response",
  "tasks-get.request",
  "tasks-get.response",
  "tasks-cancel.request",
  "tasks-cancel.response",
];

/** Documents that contain a payload, a response, a task, or a part. */
export const documentsWith: Readonly<Record<"payload" | "response" | "error" | "task" | "part", readonly string[]>> = {
  payload: [...messageDocuments, ...payloadDocuments],
  response: [...messageDocuments, ...payloadDocuments.filter((name) => name.endsWith("response"))],
  error: [...messageDocuments, ...payloadDocuments.filter((name) => name.endsWith("response")), "error"],
  task: [...messageDocuments, ...payloadDocuments.filter((name) => name.endsWith("response")), "task"],
  part: [...messageDocuments, ...payloadDocuments, "task", "artifact", "part"],
};

/** Finds the message of a document, if it contains one. */
export function messagesIn(instance: Json, document: string): ObjectSpot[] {
  if (!messageDocuments.includes(document)) return [];
  return document === "envelope" ? spots(instance, "") : spots(instance, "/message");
}

/** Finds the payload of a document, with its method and type. */
export function payloadsIn(instance: Json, document: string): Payload[] {
  const [name = "", type = ""] = document.split(".");
  if (payloadDocuments.includes(document))
    return spots(instance, "").map((spot) => ({ ...spot, method: name.replace("-", "/"), type }));
  return messagesIn(instance, document).flatMap(({ value, at }) => {
    const { method, type: messageType } = value;
    if (typeof method !== "string" || typeof messageType !== "string") return [];
    return spots(value, "/payload").map((spot) => ({ value: spot.value, at: at + spot.at, method, type: messageType }));
  });
}

/** The methods that are answered with a stream. */
export const streams: readonly string[] = ["message/stream", "tasks/resubscribe"];
const answeredMethods: readonly string[] = ["message/send", "tasks/get", "tasks/cancel", ...streams];

/** Finds the payloads of responses to methods that the protocol defines. */
export function responsesIn(instance: Json, document: string): Payload[] {
  return payloadsIn(instance, document).filter(
    ({ type, method }) => type === "response" && answeredMethods.includes(method),
  );
}

/** Finds the payloads of the events of streams. */
export function eventsIn(instance: Json, document: string): Payload[] {
  return payloadsIn(instance, document).filter(({ type, method }) => type === "event" && streams.includes(method));
}

/** Finds the errors of a document. */
export function errorsIn(instance: Json, document: string): ObjectSpot[] {
  if (document === "error") return spots(instance, "");
  return responsesIn(instance, document).flatMap((payload) => spotsWithin(payload, "/error"));
}

/** Finds the tasks of a document. */
export function tasksIn(instance: Json, document: string): ObjectSpot[] {
  if (document === "task") return spots(instance, "");
  return responsesIn(instance, document).flatMap((payload) => spotsWithin(payload, "/task"));
}

/** Finds the parts of a document: in messages, in artifacts, and in the history. */
export function partsIn(instance: Json, document: string): ObjectSpot[] {
  if (document === "part") return spots(instance, "");
  const requests = payloadsIn(instance, document).filter(
    ({ type, method }) => type === "request" && (method === "message/send" || method === "message/stream"),
  );
  const holders = [
    ...requests.flatMap((payload) => spotsWithin(payload, "/message")),
    ...tasksIn(instance, document).flatMap((task) => [...objectsIn(task, "artifacts"), ...objectsIn(task, "history")]),
    ...eventsIn(instance, document).flatMap((payload) => spotsWithin(payload, "/artifact")),
    ...(document === "artifact" ? spots(instance, "") : []),
  ];
  return holders.flatMap((holder) => objectsIn(holder, "parts"));
}

/** Finds the object at a JSON Pointer. Returns one spot, or an empty array if there is no object. */
export function spots(value: Json, at: string): ObjectSpot[] {
  const target = pointer.at(at, value);
  return isObject(target) ? [{ value: target, at }] : [];
}

function spotsWithin({ value, at }: ObjectSpot, path: string): ObjectSpot[] {
  return spots(value, path).map((spot) => ({ value: spot.value, at: at + spot.at }));
}

/** Finds the objects in a member that is a list. */
export function objectsIn({ value, at }: ObjectSpot, name: string): ObjectSpot[] {
  const list = Object.hasOwn(value, name) ? value[name] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item, index) => (isObject(item) ? [{ value: item, at: `${at}/${name}/${index}` }] : []));
}
