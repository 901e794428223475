import { gatherChunks } from "../../../../base/process/chunks.ts";

/**
 * Splits a stream of server-sent events into the data and the other fields of each event. A carriage return also ends a line. If the next
 * character is a line feed, it belongs to the same line end.
 */
export function splitServerSentEvents(
  emit: (data: string, frame: Record<string, string>) => void,
): (text: string) => void {
  let lineParts: string[] = [];
  let isAfterReturn = false;
  let data: string[] = [];
  let frame: Record<string, string> = {};
  const handleLine = (line: string): void => {
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
    let lineStart = isAfterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") isAfterReturn = text.endsWith("\r");
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
      if (index < lineStart) continue;
      handleLine([...lineParts, text.slice(lineStart, index)].join(""));
      lineParts = [];
      lineStart = index + end.length;
    }
    if (lineStart < text.length) lineParts.push(text.slice(lineStart));
  };
}

/** Splits bytes into messages, which end with a line feed or begin with their length in four bytes. */
export function splitMessages(framing: "lines" | "length", emit: (text: string) => void): (bytes: Buffer) => void {
  const emitIfFilled = (text: string): void => {
    if (text.trim() !== "") emit(text);
  };
  return framing === "lines" ? splitLines(emitIfFilled) : splitByLength(emitIfFilled);
}

const lineFeed = 10;

function splitLines(emit: (text: string) => void): (bytes: Buffer) => void {
  const lineBytes = gatherChunks();
  return (bytes) => {
    let lineStart = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, lineStart)) {
      lineBytes.add(bytes.subarray(lineStart, end));
      const text = lineBytes.join().toString("utf8");
      lineBytes.clear();
      lineStart = end + 1;
      emit(text);
    }
    lineBytes.add(bytes.subarray(lineStart));
  };
}

function splitByLength(emit: (text: string) => void): (bytes: Buffer) => void {
  const [head, body] = [gatherChunks(), gatherChunks()];
  let bodyLength: number | undefined;
  return (bytes) => {
    for (let unreadBytes = bytes; unreadBytes.length > 0 || bodyLength === 0; ) {
      const target = bodyLength === undefined ? head : body;
      const partBytes = unreadBytes.subarray(0, (bodyLength ?? 4) - target.size);
      target.add(partBytes);
      unreadBytes = unreadBytes.subarray(partBytes.length);
      if (bodyLength === undefined && head.size === 4) {
        bodyLength = head.join().readUInt32BE(0);
        head.clear();
      } else if (bodyLength !== undefined && body.size === bodyLength) {
        const text = body.join().toString("utf8");
        body.clear();
        bodyLength = undefined;
        emit(text);
      }
    }
  };
}

/** Adds the framing that `splitMessages` removes. */
export function frameMessage(framing: "lines" | "length", text: string): Buffer {
  const body = Buffer.from(text, "utf8");
  if (framing === "lines") return Buffer.concat([body, Buffer.from("\n")]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
