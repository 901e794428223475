import {
  type Arrival,
  type Callback,
  type Json,
  jsonOf,
  type ScenarioContext,
  type StepEntry,
  type StreamItem,
  type StreamReply,
} from "../../../schemas/index.ts";

/** The subject of a step: an answer, an item of a stream, its end, or a request that the target sent. */
export interface StreamSaid {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  json: Json | undefined;
  text: string;
}

/** The streams and the addresses that a story has opened, by name. */
export interface LiveStreams {
  streams: Map<string, StreamReply>;
  addresses: Map<string, { callback: Callback; read: number }>;
}

/** Milliseconds in which an item, an end or a request comes. */
const usualWait = 10_000;
/** Items of a stream that are read for one step. */
const mostItems = 10_000;

export function nothingLive(): LiveStreams {
  return { streams: new Map(), addresses: new Map() };
}

/** Asks for a stream, and gives its head: of any other answer the whole. */
export async function openedStream(
  context: ScenarioContext,
  name: string,
  { method = "POST", path, body, headers = {}, as = "a" }: NonNullable<StepEntry["send"]>,
  { streams }: LiveStreams,
): Promise<StreamSaid> {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const own = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
  const stream = await context.stream({
    method,
    path,
    body: text,
    as,
    headers: { accept: "text/event-stream, application/x-ndjson, application/json", ...type, ...own },
  });
  streams.set(name, stream);
  return { status: stream.status, headers: stream.headers, json: undefined, text: `HTTP ${stream.status}` };
}

/** The next item of a stream that `isMeant`; without JSON, and with the reason as text, if none comes. */
export async function nextItem(
  name: string,
  withinMs: number | undefined,
  isMeant: (item: StreamSaid) => Promise<boolean>,
  { streams }: LiveStreams,
): Promise<StreamSaid> {
  const stream = streams.get(name) as StreamReply;
  const until = performance.now() + (withinMs ?? usualWait);
  for (let count = 0; count < mostItems; count += 1) {
    const next = await takeItem(stream, Math.max(1, until - performance.now()));
    if (next === "silence") return { json: undefined, text: `no such item came in time from ${name}` };
    if (next === "end") return { json: undefined, text: `${name} is over (${stream.ended()}), and no such item came` };
    const { data, event, id } = next.item;
    const headers = { ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }) };
    const item = { headers, json: jsonOf(data), text: data };
    if (await isMeant(item)) return item;
  }
  return { json: undefined, text: `${mostItems} items of ${name} came, and none was such a one` };
}

/** How a stream ends, after all that it still sends. */
export async function endOf(name: string, withinMs: number | undefined, { streams }: LiveStreams): Promise<StreamSaid> {
  const stream = streams.get(name) as StreamReply;
  const until = performance.now() + (withinMs ?? usualWait);
  let items = 0;
  let how: string = "open";
  for (;;) {
    const next = await takeItem(stream, Math.max(1, until - performance.now()));
    if (next === "end") how = stream.ended();
    if (next === "end" || next === "silence") break;
    items += 1;
    if (items < mostItems) continue;
    how = "limit";
    break;
  }
  stream.cut();
  const json = { how, items };
  return { json, text: JSON.stringify(json) };
}

/** A stream that broke, or is too long, is over: what it was is for the step to say. */
async function takeItem(stream: StreamReply, milliseconds: number): Promise<{ item: StreamItem } | "end" | "silence"> {
  try {
    return await stream.next(milliseconds);
  } catch (failure) {
    if (stream.ended() === "open") throw failure;
    return "end";
  }
}

/** Opens an address for requests of the target, and gives its URL. */
export async function openedAddress(
  context: ScenarioContext,
  name: string,
  answers: readonly number[] = [200],
  { addresses }: LiveStreams,
): Promise<string> {
  const callback = await context.callback(answers);
  addresses.set(name, { callback, read: 0 });
  return callback.url;
}

/** The next request that came to an address; without JSON if none comes. */
export async function nextArrival(
  context: ScenarioContext,
  name: string,
  withinMs: number | undefined,
  { addresses }: LiveStreams,
): Promise<StreamSaid> {
  const address = addresses.get(name) as { callback: Callback; read: number };
  if (!(await context.come(address.callback, address.read + 1, withinMs ?? usualWait)))
    return { json: undefined, text: `no request came to ${name} in time` };
  const { method, target, headers, body } = address.callback.arrivals[address.read] as Arrival;
  address.read += 1;
  const text = body.toString("utf8");
  const json = { method, target, headers: { ...headers }, body: jsonOf(text) ?? text };
  return { headers, json, text: `${method} ${target} ${text}` };
}
