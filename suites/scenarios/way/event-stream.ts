import { request } from "undici";
import { type Json, type ScenarioContext, TargetFailure } from "../../../schemas/index.ts";
import { type Next, queueFor } from "./queue.ts";

/** One event of a stream, by the grammar of server-sent events. */
export interface StreamEvent {
  data: string;
  /** How many `data` lines it had. */
  lines: number;
}

export interface EventStream {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Of a stream of events the next one; of any other body its text, once. */
  next(milliseconds?: number): Promise<Next<StreamEvent>>;
  /** What stood behind the last blank line when the stream ended. */
  rest(): string;
  /** Breaks the connection. */
  cut(): void;
}

/** Bytes of a stream that are read. */
const longest = 16 * 1024 * 1024;

export interface StreamCall {
  path: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  method?: "GET" | "POST";
}

/**
 * Asks the target for a stream of events and reads it while it lasts; one that asks to be asked later is. Throws a TargetFailure where there
 * is no answer at all.
 */
export async function openStream(stage: ScenarioContext, call: StreamCall): Promise<EventStream> {
  for (let tries = 0; ; tries++) {
    const stream = await opened(stage, call);
    const { status, headers } = stream;
    if (isEvents(headers)) return stream;
    const body = await stream.next();
    const json = body === "end" || body === "silence" ? undefined : parsed(body.item.data);
    if ((await stage.later({ status, headers, json }, tries)) === 0) return unread(stream, body);
    stream.cut();
  }
}

function isEvents(headers: EventStream["headers"]): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A stream of which something was read that is yet to be read. */
function unread(stream: EventStream, first: Next<StreamEvent>): EventStream {
  let left: Next<StreamEvent> | undefined = first;
  return {
    ...stream,
    async next(milliseconds) {
      const next = left;
      left = undefined;
      return next ?? stream.next(milliseconds);
    },
  };
}

async function opened(
  stage: ScenarioContext,
  { path, body, headers, method = "POST" }: StreamCall,
): Promise<EventStream> {
  const base = stage.setting.url ?? "";
  const url = new URL(`${base.replace(/\/$/, "")}${path}`);
  const ending = new AbortController();
  stage.closing(() => ending.abort());
  stage.record({ from: "touchstone", to: "target", head: `${method} ${url.pathname}`, text: body });
  const late = AbortSignal.timeout(10_000 * Math.max(1, stage.setting.timeScale ?? 1));
  const given = { ...stage.setting.headers };
  const answer = await request(url, {
    ...{ method, body: method === "GET" ? null : body, headers: { ...given, ...headers } },
    signal: AbortSignal.any([ending.signal, stage.signal, late]),
    ...{ headersTimeout: 0, bodyTimeout: 0 },
  }).catch((error: Error) => {
    stage.signal.throwIfAborted();
    throw late.aborted
      ? new TargetFailure("timed-out", "answer", "a request for a stream of events was not answered at all")
      : new TargetFailure("errored", "connect", `a stream of events could not be asked for: ${error.message}`);
  });
  const queue = queueFor<StreamEvent>(stage);
  const said: Record<string, string> = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
  );
  const isStream = isEvents(said);
  stage.record({
    from: "target",
    to: "touchstone",
    head: `HTTP ${answer.statusCode} ${said["content-type"] ?? ""}`,
    text: "",
  });
  let rest = "";
  const reading = async (): Promise<void> => {
    let size = 0;
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > longest) throw new TargetFailure("errored", "read", `its stream is longer than ${longest} bytes`);
      rest += decoder.decode(chunk, { stream: true });
      if (isStream) rest = drained(rest, put);
    }
    if (!isStream) put({ data: rest, lines: 0 });
  };
  const put = (event: StreamEvent): void => {
    stage.record({ from: "target", to: "touchstone", text: event.data });
    queue.put(event);
  };
  reading().then(
    () => queue.end(),
    (error: Error) => {
      if (error instanceof TargetFailure) queue.end(error);
      else if (ending.signal.aborted) queue.end();
      else queue.end(new TargetFailure("errored", "read", `its stream broke: ${error.message}`));
    },
  );
  return {
    status: answer.statusCode,
    headers: said,
    next: (milliseconds) => queue.next(milliseconds),
    rest: () => rest,
    cut: () => ending.abort(),
  };
}

/** Hands over the whole events of a text, and gives back what is behind the last of them. */
export function drained(text: string, put: (event: StreamEvent) => void): string {
  let left = text.replace(/^\ufeff/, "");
  for (;;) {
    const end = /\r\n\r\n|\n\n|\r\r(?!\n)/.exec(left);
    if (end === null) return left;
    const lines = left.slice(0, end.index).split(/\r\n|\n|\r/);
    left = left.slice(end.index + end[0].length);
    const data = lines.filter((line) => /^data(?::|$)/.test(line)).map((line) => line.replace(/^data:? ?/, ""));
    if (data.length > 0) put({ data: data.join("\n"), lines: data.length });
  }
}
