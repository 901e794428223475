import { request } from "undici";
import { jsonOf, type ScenarioContext, type StreamEnd, TargetFailure } from "../../../../schemas/index.ts";
import { headerForCredential, withCredential, withoutCredentials } from "../../../base/http/identity.ts";
import { type NextItem, queueFor } from "./queue.ts";

/** One event of a stream, by the grammar of server-sent events. */
export interface StreamEvent {
  data: string;
  /** The number of its `data` lines. */
  lines: number;
  /** Its fields `event` and `id`, if it has them. */
  event?: string;
  id?: string;
}

export interface EventStream {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Waits for the next event of a stream. Any other body is returned once, as a whole. */
  next(milliseconds?: number): Promise<NextItem<StreamEvent>>;
  /** Returns the text after the last blank line when the stream has ended. */
  rest(): string;
  /** Breaks the connection. */
  cut(): void;
  ended(): StreamEnd;
}

/** The maximum number of bytes that are read from a stream. */
const maxBytes = 16 * 1024 * 1024;

export interface StreamCall {
  path: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  method?: string;
  /** The agent with the credentials to send; by default, only the setting's headers are sent. */
  as?: "a" | "b" | "nobody";
  /** Whether a body of JSON lines is read as a stream as well, one item per line. */
  takesLines?: true;
  /** Timeout of a request in real milliseconds, multiplied by `timeScale`; by default 10 seconds, never scaled down. */
  withinMs?: number;
}

/** Requests a stream of events from the target and reads it until it ends; repeats the request if the target asks for a retry. Throws a TargetFailure if there is no answer at all. */
export async function openStream(context: ScenarioContext, call: StreamCall): Promise<EventStream> {
  for (let tries = 0; ; tries++) {
    const stream = await openOnce(context, call);
    const { status, headers } = stream;
    if (isEventStream(headers) || (call.takesLines === true && isJsonLines(headers))) return stream;
    const body = await stream.next();
    const json = body === "end" || body === "silence" ? undefined : jsonOf(body.item.data);
    if ((await context.later({ status, headers, json }, tries)) === 0) return withFirst(stream, body);
    stream.cut();
  }
}

function isEventStream(headers: EventStream["headers"]): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

/** Whether a body is JSON lines or a JSON text sequence (RFC 7464); several media types are in use. */
function isJsonLines(headers: EventStream["headers"]): boolean {
  return /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|json-lines|stream\+json|json-seq)\b/i.test(
    headers["content-type"] ?? "",
  );
}

/** Returns the headers of the setting, with the credentials of a party. */
function headersOf({ setting: { headers = {}, credentials = {} } }: ScenarioContext, as: StreamCall["as"]): HeaderList {
  if (as === undefined) return headers;
  if (as === "a") return credentials.a === undefined ? headers : withCredential(headers, credentials.a).headers;
  return {
    ...withoutCredentials(headers),
    ...(as === "b" && credentials.b !== undefined ? headerForCredential(credentials.b) : {}),
  };
}

type HeaderList = Readonly<Record<string, string>>;

/** Returns a stream that begins with this item, followed by the items of the given stream. */
function withFirst(stream: EventStream, first: NextItem<StreamEvent>): EventStream {
  let pending: NextItem<StreamEvent> | undefined = first;
  return {
    ...stream,
    async next(milliseconds) {
      const next = pending;
      pending = undefined;
      return next ?? stream.next(milliseconds);
    },
  };
}

interface StreamRequest extends Pick<StreamCall, "body" | "headers"> {
  method: string;
  withinMs: StreamCall["withinMs"];
  as: StreamCall["as"];
  /** Aborts the stream at any time. */
  ending: AbortSignal;
}

/** Requests a stream. Only the head has a time limit: a stream lasts as long as there are events. Throws a TargetFailure. */
async function requestStream(
  context: ScenarioContext,
  url: URL,
  { method, body, headers, withinMs, as, ending }: StreamRequest,
): Promise<Awaited<ReturnType<typeof request>>> {
  const { timeScale = 1 } = context.setting;
  const headTimeout = new AbortController();
  const headMs = withinMs === undefined ? 10_000 * Math.max(1, timeScale) : withinMs * timeScale;
  const timer = setTimeout(() => headTimeout.abort(), headMs);
  const ownHeaders = headersOf(context, as);
  return request(url, {
    method: method as "POST",
    body: method === "GET" ? null : body,
    headers: { ...ownHeaders, ...headers },
    signal: AbortSignal.any([ending, context.signal, headTimeout.signal]),
    headersTimeout: 0,
    bodyTimeout: 0,
  })
    .catch((error: Error) => {
      context.signal.throwIfAborted();
      throw headTimeout.signal.aborted
        ? new TargetFailure("timed-out", "answer", "a request for a stream of events was not answered at all")
        : new TargetFailure("errored", "connect", `a stream of events could not be asked for: ${error.message}`);
    })
    .finally(() => clearTimeout(timer));
}

function textHeaders(headers: Awaited<ReturnType<typeof request>>["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function openOnce(
  context: ScenarioContext,
  { path, body, headers, method = "POST", withinMs, as, takesLines }: StreamCall,
): Promise<EventStream> {
  const base = context.setting.url ?? "";
  const url = new URL(`${base.replace(/\/$/, "")}${path}`);
  const ending = new AbortController();
  context.closing(() => ending.abort());
  context.record({ from: "touchstone", to: "target", head: `${method} ${url.pathname}`, text: body });
  const answer = await requestStream(context, url, { method, body, headers, withinMs, as, ending: ending.signal });
  const queue = queueFor<StreamEvent>(context);
  const answerHeaders = textHeaders(answer.headers);
  const isLines = takesLines === true && isJsonLines(answerHeaders);
  const isStream = isEventStream(answerHeaders) || isLines;
  context.record({
    from: "target",
    to: "touchstone",
    head: `HTTP ${answer.statusCode} ${answerHeaders["content-type"] ?? ""}`,
    text: "",
  });
  const events = isLines ? lineReader((event) => put(event)) : eventReader((event) => put(event));
  let end: StreamEnd = "open";
  let unparsed = "";
  const readStream = async (): Promise<void> => {
    let size = 0;
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new TargetFailure("errored", "read", `its stream is longer than ${maxBytes} bytes`);
      const text = decoder.decode(chunk, { stream: true });
      if (isStream) events.take(text);
      else unparsed += text;
    }
    if (!isStream) put({ data: unparsed, lines: 0 });
  };
  const put = (event: StreamEvent): void => {
    context.record({ from: "target", to: "touchstone", text: event.data });
    queue.put(event);
  };
  readStream().then(
    () => {
      end = "closed";
      queue.end();
    },
    (error: Error) => {
      end = error instanceof TargetFailure ? "limit" : ending.signal.aborted ? "closed" : "cut";
      if (error instanceof TargetFailure) queue.end(error);
      else if (ending.signal.aborted) queue.end();
      else queue.end(new TargetFailure("errored", "read", `its stream broke: ${error.message}`));
    },
  );
  return {
    status: answer.statusCode,
    headers: answerHeaders,
    next: (milliseconds) => queue.next(milliseconds),
    rest: () => (isStream ? events.rest() : unparsed),
    cut: () => ending.abort(),
    ended: () => end,
  };
}

/** Reads one JSON text per line from pieces of text; empty lines are skipped, and RS may begin a line (RFC 7464). */
function lineReader(put: (event: StreamEvent) => void): { take(text: string): void; rest(): string } {
  let pieces: string[] = [];
  const rest = (): string => pieces.join("");
  return {
    rest,
    take(text) {
      pieces.push(text);
      if (!text.includes("\n")) return;
      const lines = rest().split("\n");
      pieces = [lines.pop() ?? ""];
      for (const line of lines) {
        const data = line.replace(/^\x1e/, "").trim();
        if (data !== "") put({ data, lines: 1 });
      }
    },
  };
}

/** Reads server-sent events from pieces of text, and passes on each as soon as its terminating blank line arrives. Runs in linear time. */
export function eventReader(put: (event: StreamEvent) => void): { take(text: string): void; rest(): string } {
  let pieces: string[] = [];
  let recentText = "";
  let isFirst = true;
  const rest = (): string => pieces.join("");
  return {
    rest,
    take(text) {
      const piece = isFirst ? text.replace(/^\ufeff/, "") : text;
      if (text !== "") isFirst = false;
      pieces.push(piece);
      // A blank line may be spread over pieces; it has at most four characters.
      recentText = recentText.slice(-3) + piece;
      if (!blankLine.test(recentText)) return;
      const { events, unfinished } = splitEvents(rest());
      pieces = [unfinished];
      recentText = unfinished;
      for (const event of events) put(event);
    },
  };
}

/** Two line endings, each of which may be CR LF, LF, or CR. */
const blankLine = /(?:\r\n|\n|\r(?!\n)){2}/;

function splitEvents(text: string): { events: StreamEvent[]; unfinished: string } {
  const blocks = text.split(new RegExp(blankLine, "g"));
  const unfinished = blocks.pop() ?? "";
  const events = blocks.flatMap((block) => {
    const lines = block.split(/\r\n|\n|\r/);
    const data = lines.filter((line) => /^data(?::|$)/.test(line)).map((line) => line.replace(/^data:? ?/, ""));
    const field = (name: string): Record<string, string> => {
      const line = lines.findLast((each) => each.startsWith(`${name}:`));
      return line === undefined ? {} : { [name]: line.slice(name.length + 1).replace(/^ /, "") };
    };
    return data.length === 0 ? [] : [{ data: data.join("\n"), lines: data.length, ...field("event"), ...field("id") }];
  });
  return { events, unfinished };
}
