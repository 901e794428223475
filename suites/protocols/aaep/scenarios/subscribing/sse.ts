import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import {
  type HttpReply,
  isObject,
  type JsonObject,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { headersFrom } from "../../../../base/http/headers.ts";
import { headerForCredential, withCredential, withoutCredentials } from "../../../../base/http/identity.ts";
import { quote } from "../../../../base/text/show.ts";
import { boundOf, unscaledBound } from "../bounds.ts";
import { splitServerSentEvents } from "./frames.ts";
import { closeNote, type Inbox, openInbox } from "./inbox.ts";
import type { OpenSubscription, SubscriptionOptions } from "./open-subscription.ts";
import { readProducerFacts } from "./producer-facts.ts";
import { keepOpen, type ReopenedStream } from "./reconnection.ts";
import { closeMessage, requestOf } from "./request.ts";
import { taskRequests } from "./tasks.ts";

/** Requests a subscription. Throws if the server does not even answer a plain request as a producer would. */
export async function requestSubscription(context: ScenarioContext, options: SubscriptionOptions): Promise<HttpReply> {
  const reply = await postRequest(context, options);
  if (!looksLikeOtherServer(reply)) return reply;
  const plainReply = await postRequest(context, {});
  if (!looksLikeOtherServer(plainReply)) return reply;
  const problem = "no AAEP producer answers here; check the address, options.paths and options.level";
  const evidence = `a plain request for a subscription is answered HTTP ${plainReply.status}: ${quote(plainReply.text)}`;
  throw new TargetFailure("errored", "subscribe", `${problem}; ${evidence}`);
}

/** Whether an answer may come from a server without subscriptions: an unknown path, a redirection, or a page. */
function looksLikeOtherServer(reply: HttpReply): boolean {
  const { status, text, json } = reply;
  if (answerIn(reply) !== undefined) return false;
  return [404, 405, 501].includes(status) || (status >= 300 && status < 400) || (json === undefined && text !== "");
}

async function postRequest(context: ScenarioContext, options: SubscriptionOptions): Promise<HttpReply> {
  const { paths } = readProducerFacts(context);
  const { caller = "a", name = "subscriber" } = options;
  const reply = await context.send({
    method: "POST",
    path: paths.subscriptions,
    body: requestOf(context, options),
    as: caller,
    name,
  });
  const { type, subscription_id: id } = answerIn(reply) ?? {};
  // Otherwise the producer may wait for the answers of a subscriber that has left.
  if (type === "subscription.accepted") context.closing(() => leaveSubscription(context, String(id), caller));
  return reply;
}

/** Subscribes by POST if the producer has a handshake, and opens the stream of events. */
export async function subscribeOverSse(
  context: ScenarioContext,
  options: SubscriptionOptions,
): Promise<OpenSubscription> {
  const { paths, level } = readProducerFacts(context);
  const { caller = "a", name = "subscriber" } = options;
  const inbox = openInbox(context, name);
  const reply = level < 3 ? undefined : await requestSubscription(context, options);
  const accepted = isObject(reply?.json) && reply.json.type === "subscription.accepted" ? reply.json : undefined;
  if (reply !== undefined && accepted === undefined)
    throw new TargetSkip(
      `it does not grant the subscription needed for this: HTTP ${reply.status} ${reply.text.slice(0, 200)}`,
    );
  const id = typeof accepted?.subscription_id === "string" ? accepted.subscription_id : createId(context);
  const defaultPath = accepted === undefined ? paths.events : `${paths.events}?subscription_id=${id}`;
  const path = streamAddress(context, reply?.headers.location) ?? defaultPath;
  const { inboxOfStream, nextNumber } = numberStreams(inbox);
  let stream = await openStream(context, { path, caller }, inboxOfStream(nextNumber()));
  const cut = (): void => {
    context.record({ from: name, to: "producer", text: closeNote });
    inbox.expectEnd();
    stream.destroy();
  };
  context.closing(() => stream.destroy());
  return {
    id,
    name,
    caller,
    accepted,
    inbox,
    send: (message, sender = caller) =>
      context.send({ method: "POST", path: paths.replies, body: message, as: sender, name }),
    cut,
    async resume(lastEventId) {
      const number = nextNumber();
      const nextInbox = inboxOfStream(number);
      // Without a handshake, nothing connects the stream with the earlier one, so it may be another subscription.
      if (accepted === undefined) inbox.reopen(`${name} ${number}`);
      else inbox.reopen();
      stream = await openStream(context, { path, caller, lastEventId }, nextInbox);
    },
  };
}

/** Closes a subscription at the end of its scenario, within a second at most. */
async function leaveSubscription(context: ScenarioContext, id: string, caller: "a" | "b" | "nobody"): Promise<void> {
  const { url = "" } = context.setting;
  const body = JSON.stringify(closeMessage(id));
  const target = `${url.replace(/\/$/, "")}${readProducerFacts(context).paths.replies}`;
  const signal = AbortSignal.timeout(1000);
  const { body: answer } = await request(target, {
    method: "POST",
    headers: headersFrom(headersOf(context)[caller]),
    body,
    signal,
  });
  await answer.dump();
}

/** Makes the headers that identify each caller. */
function headersOf({
  setting: { headers = {}, credentials = {} },
}: ScenarioContext): Record<"a" | "b" | "nobody", Record<string, string>> {
  return {
    a: { ...(credentials.a === undefined ? headers : withCredential(headers, credentials.a).headers) },
    b: { ...withoutCredentials(headers), ...(credentials.b === undefined ? {} : headerForCredential(credentials.b)) },
    nobody: withoutCredentials(headers),
  };
}

/** Numbers the streams of a subscription, so that the rest of a replaced stream is ignored. */
function numberStreams(inbox: Inbox): { inboxOfStream(number: number): Inbox; nextNumber(): number } {
  let current = 0;
  const inboxOfStream = (number: number): Inbox => ({
    ...inbox,
    push: (...message) => (number === current ? inbox.push(...message) : undefined),
    end: (why) => (number === current ? inbox.end(why) : undefined),
  });
  return { inboxOfStream, nextNumber: () => ++current };
}

/**
 * Returns the status of the answer to a caller that requests the stream of a subscription. The headers may only arrive with the first event, which
 * `provokeEvent` causes. Undefined if it is not answered even then.
 */
export async function streamStatus(
  context: ScenarioContext,
  id: string,
  caller: "a" | "b" | "nobody",
  provokeEvent: () => Promise<unknown>,
): Promise<number | undefined> {
  const { paths } = readProducerFacts(context);
  const inbox = openInbox(context, caller);
  inbox.expectEnd();
  const stream = requestStream(context, { path: `${paths.events}?subscription_id=${id}`, caller }, inbox);
  const awaitStatus = async (milliseconds: number): Promise<number | undefined> =>
    waitWithin(context, stream.status, milliseconds);
  const earlyStatus = await awaitStatus(boundOf(context, "event") / 10);
  let failure: unknown;
  if (earlyStatus === undefined) await provokeEvent().catch((error: unknown) => (failure = error));
  const finalStatus = earlyStatus ?? (await awaitStatus(unscaledBound(context, "event")));
  stream.destroy();
  // If the new stream has replaced another one, that one ends, and `provokeEvent` may fail although there is a status.
  if (finalStatus === undefined && failure !== undefined) throw failure;
  return finalStatus;
}

/** Waits for a result for at most these milliseconds, scaled by the setting. Undefined if there is none by then. */
async function waitWithin<T>(
  { setting: { timeScale = 1 } }: ScenarioContext,
  promise: Promise<T>,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds * Math.max(0.2, timeScale));
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** Producers that send the headers of a stream only with the first event. */
const lateAnswerers = new WeakSet<Setting>();
/** The wait for headers is divided by this if they are known to arrive only with the first event. */
const headerWaitDivisor = 10;

/** A stream of events was answered with a status other than 200. */
class RefusedStream extends TargetFailure {
  constructor(status: number) {
    super("errored", "connect", `the stream of events is answered HTTP ${status}`);
  }
}

/** Returns the producer's address of the stream. It must be at the same origin, because credentials are sent there. */
function streamAddress({ setting }: ScenarioContext, location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, setting.url)) return undefined;
  const streamUrl = new URL(location, setting.url);
  return streamUrl.origin === new URL(setting.url ?? "").origin ? streamUrl.href : undefined;
}

function createId(context: ScenarioContext): string {
  const uniqueText = context.fresh("own").replaceAll(/[^A-Za-z0-9]/g, "");
  return `sub_${uniqueText.slice(0, 60)}`;
}

/**
 * Whether the headers of a stream only arrive with the first event. Causes that event by a plain session, because no subscriber
 * could answer a question yet. Throws if the stream is then refused.
 */
async function isAnsweredLate(
  context: ScenarioContext,
  statusOfStream: Promise<number>,
  inbox: Inbox,
): Promise<boolean> {
  if (!context.has("start")) return false;
  const { skipped } = await context.hook("start", { task: "plain", words: taskRequests.plain });
  if (skipped !== undefined) return false;
  const status = await waitWithin(context, statusOfStream, boundOf(context, "event"));
  if (status !== undefined && status !== 200) throw new RefusedStream(status);
  // The session must end, because otherwise it would be mistaken for the next one.
  const endPattern = /\bsession\.(?:completed|errored|cancelled)$/;
  if (status === 200) await inbox.waitFor(({ type }) => endPattern.test(String(type)), boundOf(context, "event"));
  return status === 200;
}

/** A request for a stream: its address, its caller, and the id of the last received event. */
interface EventStreamRequest {
  path: string;
  caller: "a" | "b" | "nobody";
  lastEventId?: string | undefined;
}

/** Opens a stream. If its headers do not arrive in time, it counts as open, and fails later if it is refused. */
async function openStream(
  context: ScenarioContext,
  streamRequest: EventStreamRequest,
  inbox: Inbox,
): Promise<{ destroy(): void }> {
  const { setting } = context;
  const stream = keepOpen(inbox, (connectionInbox) => requestStream(context, streamRequest, connectionInbox));
  const wait = boundOf(context, "headers") / (lateAnswerers.has(setting) ? headerWaitDivisor : 1);
  const status = await waitWithin(context, stream.status, wait);
  if (status !== undefined && status !== 200) throw refusalOf(streamRequest, status);
  if (status !== undefined) return stream;
  lateAnswerers.add(setting);
  if (streamRequest.lastEventId === undefined && (await isAnsweredLate(context, stream.status, inbox))) return stream;
  stream.status.then(
    (lateStatus) => (lateStatus === 200 ? undefined : inbox.end(refusalOf(streamRequest, lateStatus))),
    (error) => inbox.end(error),
  );
  return stream;
}

/** Makes the failure or the skip for a refused stream. A subscription need not outlive its connection. */
function refusalOf({ lastEventId }: EventStreamRequest, status: number): TargetFailure | TargetSkip {
  if (lastEventId === undefined || ![404, 409, 410].includes(status)) return new RefusedStream(status);
  return new TargetSkip(`a subscription ends with its connection here, so none can be resumed: HTTP ${status}`);
}

/** Requests a stream, and puts its events into the inbox. */
function requestStream(context: ScenarioContext, streamRequest: EventStreamRequest, inbox: Inbox): ReopenedStream {
  const { path, caller, lastEventId } = streamRequest;
  const { url = "" } = context.setting;
  const { origin, pathname } = new URL(url);
  const target = /^https?:/.test(path) ? path : `${origin}${pathname.replace(/\/$/, "")}${path}`;
  // A separate connection, which can be cut without affecting other streams.
  const dispatcher = new Agent({ pipelining: 0, bodyTimeout: 0, headersTimeout: 0 });
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
  context.closing(() => dispatcher.destroy());
  const abort = new AbortController();
  const signal = AbortSignal.any([context.signal, abort.signal]);
  let stream: Readable | undefined;
  const status = request(target, {
    dispatcher,
    signal,
    headers: headersFrom(headersOf(context)[caller], headers),
  }).then(
    ({ statusCode, body }) => {
      stream = body;
      if (statusCode === 200) listenTo(body, inbox);
      else body.on("error", () => {}).destroy();
      return statusCode;
    },
    (error: Error) => {
      context.signal.throwIfAborted();
      throw new TargetFailure("errored", "connect", `no stream of events: ${error.message}`, { cause: error });
    },
  );
  // If the caller does not wait for the status, its failure is ignored.
  status.catch(() => {});
  return {
    status,
    destroy() {
      if (stream === undefined) abort.abort();
      else stream.on("error", () => {}).destroy();
    },
  };
}

function listenTo(body: Readable, inbox: Inbox): void {
  const [decoder, strictDecoder] = [new TextDecoder(), new TextDecoder("utf-8", { fatal: true })];
  const splitEvents = splitServerSentEvents((data, frame) => inbox.push(data, frame));
  body.on("data", (bytes: Buffer) => {
    try {
      if (!inbox.hasInvalidUtf8()) strictDecoder.decode(bytes, { stream: true });
    } catch {
      inbox.noteInvalidUtf8();
    }
    splitEvents(decoder.decode(bytes, { stream: true }));
  });
  body.on("end", () => inbox.end());
  body.on("error", (error: Error) =>
    inbox.end(new TargetFailure("errored", "read", `the stream broke: ${error.message}`)),
  );
  body.on("close", () => inbox.end());
}

/** Reads the acceptance or rejection in an HTTP answer. Undefined for any other answer. */
export function answerIn({ json }: HttpReply): JsonObject | undefined {
  if (!isObject(json)) return undefined;
  return json.type === "subscription.accepted" || json.type === "subscription.rejected" ? json : undefined;
}
