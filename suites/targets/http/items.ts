import { type Json, type JsonObject, jsonOf } from "../../../schemas/index.ts";

/** Returns the items of a stream (OpenAPI 3.2, Sequential Media Types): lines of JSON, records after RS (RFC 7464), or server-sent events as objects of their fields. An item that is not JSON is undefined. The last item of a cut stream, which may be incomplete, is left out. Undefined for any other media type. */
export function itemsIn(type: string, body: string, isPartial: boolean): (Json | undefined)[] | undefined {
  if (/^text\/event-stream$/.test(type)) return eventsIn(body);
  const isRecords = /json-seq$/.test(type);
  if (!isRecords && !/^application\/(x-)?(jsonl|ndjson|jsonlines|json-lines)$/.test(type)) return undefined;
  const texts = body.split(isRecords ? "\u001e" : /\r?\n/);
  const wholeTexts = isPartial && !(isRecords && body.endsWith("\n")) ? texts.slice(0, -1) : texts;
  return wholeTexts.filter((text) => text.trim() !== "").map(jsonOf);
}

/** Reads events as a browser does: comments and events without data do not count, nor does an event without a blank line after it. */
function eventsIn(body: string): JsonObject[] {
  const blocks = body.replace(/^\ufeff/, "").split(/(?:\r\n|\r|\n){2,}/);
  return blocks.slice(0, -1).flatMap((block) => {
    const event: JsonObject = {};
    const data: string[] = [];
    for (const line of block.split(/\r\n|\r|\n/)) {
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "data") data.push(value);
      else if (name === "event" || name === "id") event[name] = value;
      else if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
    }
    return data.length === 0 ? [] : [{ ...event, data: data.join("\n") }];
  });
}
