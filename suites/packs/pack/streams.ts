import {
  type Arrival,
  type Callback,
  type Channel,
  type Json,
  jsonOf,
  type ScenarioContext,
  type StepEntry,
  type StreamItem,
  type StreamReply,
} from "../../../schemas/index.ts";

/** The subject of a step: an answer, an item of a stream, the end of a stream, or a request from the target. */
export interface StepSubject {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  json: Json | undefined;
  text: string;
  /** Set if nothing arrived. */
  isMissing?: true;
}

/** A stream, or a channel, that is read item by item. */
type LiveStream = Pick<StreamReply, "next" | "ended" | "cut"> & Partial<Pick<Channel, "tell" | "close" | "code">>;

/** The streams and addresses that a scenario has opened, by name. */
export interface LiveStreams {
  streams: Map<string, LiveStream>;
  addresses: Map<string, { callback: Callback; readCount: number }>;
}

/** Milliseconds to wait for an item, an end or a request. */
const defaultWaitMs = 10_000;
/** The maximum number of items of a stream that one step reads. */
const maxItems = 10_000;

export function emptyStreams(): LiveStreams {
  return { streams: new Map(), addresses: new Map() };
}

/** Requests a stream and returns the status and headers of the answer. Its body is read later, item by item. */
export async function openStream(
  context: ScenarioContext,
  name: string,
  { method = "POST", path, body, headers = {}, as = "a" }: NonNullable<StepEntry["send"]>,
  { streams }: LiveStreams,
): Promise<StepSubject> {
  const text = textOf(body);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const stream = await context.stream({
    method,
    path,
    body: text,
    as,
    headers: {
      accept: "text/event-stream, application/x-ndjson, application/json",
      ...type,
      ...lowerCaseNames(headers),
    },
  });
  streams.set(name, stream);
  return { status: stream.status, headers: stream.headers, json: undefined, text: `HTTP ${stream.status}` };
}

/** Requests a WebSocket and returns the status and headers of the answer, and its body if it is a refusal. */
export async function openSocket(
  context: ScenarioContext,
  name: string,
  { path, headers = {}, as = "a" }: NonNullable<StepEntry["send"]>,
  { streams }: LiveStreams,
): Promise<StepSubject> {
  const {
    channel,
    status,
    headers: answerHeaders,
    text,
  } = await context.socket({ path, headers: lowerCaseNames(headers), as });
  streams.set(name, channel ?? refusedSocket);
  return { status, headers: answerHeaders, json: jsonOf(text), text: text === "" ? `HTTP ${status}` : text };
}

/** A placeholder for a socket that was refused: it has ended without any items. */
const refusedSocket: LiveStream = { next: async () => "end", ended: () => "closed", cut: () => {} };

/** Starts the command of the run; its lines are the items. */
export async function startCommand(context: ScenarioContext, name: string, { streams }: LiveStreams): Promise<void> {
  streams.set(name, await context.start());
}

/** Sends a message on a socket, or writes a line to a command; text is sent unchanged. */
export function sendMessage(name: string, message: Json, { streams }: LiveStreams): void {
  streams.get(name)?.tell?.(textOf(message));
}

/** Ends our side of a socket, or the input of a command. */
export function closeChannel(name: string, code: number | undefined, { streams }: LiveStreams): void {
  streams.get(name)?.close?.(code);
}

function textOf(message: Json | undefined): string {
  return message === undefined ? "" : typeof message === "string" ? message : JSON.stringify(message);
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
}

/** Returns the next `count` items as a list, which is shorter if the others do not arrive in time. */
export async function nextItems(
  count: number,
  withinMs: number | undefined,
  readItem: (withinMs: number) => Promise<StepSubject>,
): Promise<StepSubject> {
  const deadline = performance.now() + (withinMs ?? defaultWaitMs);
  const items: Json[] = [];
  while (items.length < count) {
    const item = await readItem(Math.max(1, deadline - performance.now()));
    if (item.isMissing === true) return { json: items, text: `${JSON.stringify(items)}: ${item.text}` };
    items.push(item.json ?? item.text);
  }
  return { json: items, text: JSON.stringify(items) };
}

/** Returns the next item of a stream that `matches` accepts. If none arrives, the result has no JSON, and its text is the reason. */
export async function nextItem(
  name: string,
  withinMs: number | undefined,
  matches: (item: StepSubject) => Promise<boolean>,
  { streams }: LiveStreams,
): Promise<StepSubject> {
  const stream = streams.get(name) as LiveStream;
  const deadline = performance.now() + (withinMs ?? defaultWaitMs);
  for (let count = 0; count < maxItems; count += 1) {
    const outcome = await takeItem(stream, Math.max(1, deadline - performance.now()));
    if (outcome === "silence") return missingSubject(`no matching item came from ${name} in time`);
    if (outcome === "end")
      return missingSubject(`${name} ended (${stream.ended()}${describeCode(stream)}) without a matching item`);
    const { data, event, id } = outcome.item;
    const headers = { ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }) };
    const item = { headers, json: jsonOf(data), text: data };
    if (await matches(item)) return item;
  }
  return missingSubject(`none of the ${maxItems} items of ${name} matches`);
}

function missingSubject(text: string): StepSubject {
  return { json: undefined, text, isMissing: true };
}

function describeCode({ code }: LiveStream): string {
  const exitCode = code?.();
  return exitCode === undefined ? "" : ` with code ${exitCode}`;
}

/** Reads a stream to its end, and returns how it ended and the number of items. */
export async function readToEnd(
  name: string,
  withinMs: number | undefined,
  { streams }: LiveStreams,
): Promise<StepSubject> {
  const stream = streams.get(name) as LiveStream;
  const deadline = performance.now() + (withinMs ?? defaultWaitMs);
  let items = 0;
  let how: string = "open";
  for (;;) {
    const event = await takeItem(stream, Math.max(1, deadline - performance.now()));
    if (event === "end") how = stream.ended();
    if (event === "end" || event === "silence") break;
    items += 1;
    if (items < maxItems) continue;
    how = "limit";
    break;
  }
  const code = stream.code?.();
  stream.cut();
  const json = { how, items, ...(code === undefined ? {} : { code }) };
  return { json, text: JSON.stringify(json) };
}

/** Reads one item. A stream that broke off or is too long counts as ended, which the step then judges. */
async function takeItem(stream: LiveStream, milliseconds: number): Promise<{ item: StreamItem } | "end" | "silence"> {
  try {
    return await stream.next(milliseconds);
  } catch (failure) {
    if (stream.ended() === "open") throw failure;
    return "end";
  }
}

/** Opens an address for requests of the target, and returns its URL. */
export async function openAddress(
  context: ScenarioContext,
  name: string,
  answers: readonly number[] = [200],
  { addresses }: LiveStreams,
): Promise<string> {
  const callback = await context.callback(answers);
  addresses.set(name, { callback, readCount: 0 });
  return callback.url;
}

/** Returns the next request that arrived at an address; it has no JSON if none arrives in time. */
export async function nextArrival(
  context: ScenarioContext,
  name: string,
  withinMs: number | undefined,
  { addresses }: LiveStreams,
): Promise<StepSubject> {
  const address = addresses.get(name) as { callback: Callback; readCount: number };
  if (!(await context.come(address.callback, address.readCount + 1, withinMs ?? defaultWaitMs)))
    return { json: undefined, text: `no request came to ${name} in time`, isMissing: true };
  const { method, target, headers, body } = address.callback.arrivals[address.readCount] as Arrival;
  address.readCount += 1;
  const text = body.toString("utf8");
  const json = { method, target, headers: { ...headers }, body: jsonOf(text) ?? text };
  return { headers, json, text: `${method} ${target} ${text}` };
}
