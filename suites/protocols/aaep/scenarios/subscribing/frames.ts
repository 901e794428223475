/** Takes a stream of server-sent events apart: each event's fields, with its lines of data joined. */
export function eventsIn(emit: (data: string, frame: Record<string, string>) => void): (text: string) => void {
  let rest = "";
  let data: string[] = [];
  let frame: Record<string, string> = {};
  return (text) => {
    rest += text;
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (end === null) return;
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (line === "") {
        if (data.length > 0) emit(data.join("\n"), frame);
        data = [];
        frame = {};
        continue;
      }
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === "data") data.push(value);
      else if (name !== "") frame[name] = value;
    }
  };
}

/** Takes bytes apart into messages: by line feeds, or by lengths of four bytes before them. */
export function messagesIn(framing: "lines" | "length", emit: (text: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = framing === "length" ? 4 : 0;
      const length = framing === "lines" ? rest.indexOf(10) : rest.length < 4 ? -1 : rest.readUInt32BE(0);
      if (length === -1 || rest.length < head + length) return;
      const text = rest.subarray(head, head + length).toString("utf8");
      rest = rest.subarray(head + length + (framing === "lines" ? 1 : 0));
      if (text.trim() !== "") emit(text);
    }
  };
}

/** A message in its frame. */
export function framed(framing: "lines" | "length", text: string): Buffer {
  const body = Buffer.from(text, "utf8");
  if (framing === "lines") return Buffer.concat([body, Buffer.from("\n")]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
