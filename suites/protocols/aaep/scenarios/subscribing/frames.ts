import { gatherChunks } from "../../../../base/process/chunks.ts";

/**
 * Splits a stream of server-sent events: each event's fields, with its lines of data joined. A carriage return alone ends a line too: the
 * next character shows whether a line feed belongs to it.
 */
export function eventsIn(emit: (data: string, frame: Record<string, string>) => void): (text: string) => void {
  let begun: string[] = [];
  let isAfterReturn = false;
  let data: string[] = [];
  let frame: Record<string, string> = {};
  const take = (line: string): void => {
    if (line === "") {
      if (data.length > 0) emit(data.join("\n"), frame);
      data = [];
      frame = {};
      return;
    }
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") data.push(value);
    else if (name !== "") frame[name] = value;
  };
  return (text) => {
    let from = isAfterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") isAfterReturn = text.endsWith("\r");
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
      if (index < from) continue;
      take([...begun, text.slice(from, index)].join(""));
      begun = [];
      from = index + end.length;
    }
    if (from < text.length) begun.push(text.slice(from));
  };
}

/** Splits bytes into messages: by line feeds, or by lengths of four bytes. */
export function messagesIn(framing: "lines" | "length", emit: (text: string) => void): (bytes: Buffer) => void {
  const took = (text: string): void => {
    if (text.trim() !== "") emit(text);
  };
  return framing === "lines" ? linesIn(took) : lengthsIn(took);
}

function linesIn(emit: (text: string) => void): (bytes: Buffer) => void {
  const begun = gatherChunks();
  return (bytes) => {
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      begun.add(bytes.subarray(from, end));
      const text = begun.bytes().toString("utf8");
      begun.clear();
      from = end + 1;
      emit(text);
    }
    begun.add(bytes.subarray(from));
  };
}

function lengthsIn(emit: (text: string) => void): (bytes: Buffer) => void {
  const [head, body] = [gatherChunks(), gatherChunks()];
  let due: number | undefined;
  return (bytes) => {
    for (let rest = bytes; rest.length > 0 || due === 0; ) {
      const part = due === undefined ? head : body;
      const taken = rest.subarray(0, (due ?? 4) - part.size);
      part.add(taken);
      rest = rest.subarray(taken.length);
      if (due === undefined && head.size === 4) {
        due = head.bytes().readUInt32BE(0);
        head.clear();
      } else if (due !== undefined && body.size === due) {
        const text = body.bytes().toString("utf8");
        body.clear();
        due = undefined;
        emit(text);
      }
    }
  };
}

/** A message in its frame. */
export function frameMessage(framing: "lines" | "length", text: string): Buffer {
  const body = Buffer.from(text, "utf8");
  if (framing === "lines") return Buffer.concat([body, Buffer.from("\n")]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
