import { isObject, type JsonObject } from "../../../schemas/index.ts";

/** The first JSON media type of a `content`. */
export function jsonIn(content: unknown): string | undefined {
  return Object.keys(isObject(content) ? content : {}).find(isJson);
}

/** Whether a media type is JSON, or any type. */
export function isJson(type: string): boolean {
  const bareType = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return (
    /^(application|text)\/(json|[\w!#$&^.*+-]+\+json)$/.test(bareType) ||
    bareType === "*/*" ||
    bareType === "application/*"
  );
}

/** Whether bodies of a media type are streams, with items that an `itemSchema` describes. */
export function isSequence(type: string): boolean {
  const bareType = type.split(";")[0]?.trim().toLowerCase() ?? "";
  // Server-sent events, JSON lines under their various names, and JSON text sequences (RFC 7464).
  return /^(text\/event-stream|application\/(x-)?(jsonl|ndjson|jsonlines|json-lines)|application\/([\w.-]+\+)?json-seq)$/.test(
    bareType,
  );
}

/** The media type as it is sent. */
export function sentType(type: string): string {
  return type.includes("*") ? "application/json" : type;
}

/** A media type in lower case and without its charset, for comparisons. */
export function plainType(type: string): string {
  const [name = "", ...parameters] = type.split(";").map((part) => part.trim());
  return [
    name.toLowerCase(),
    ...parameters.filter((parameter) => parameter !== "" && !/^charset=/i.test(parameter)),
  ].join(";");
}

/** The media types of a `content`, by name. */
export function mediaTypes({ content }: JsonObject): [string, JsonObject][] {
  return Object.entries(isObject(content) ? content : {}).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  );
}
