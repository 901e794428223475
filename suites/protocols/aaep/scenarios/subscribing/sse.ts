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
import { headerOf, withCredential, withoutCredentials } from "../../../../base/http/identity.ts";
import { quote } from "../../../../base/text/show.ts";
import { boundOf, unscaledBound } from "../bounds.ts";
import { eventsIn } from "./frames.ts";
import { closes, type Inbox, inboxOf } from "./inbox.ts";
import type { Line, SubscriptionWishes } from "./line.ts";
import { producerFacts } from "./producer-facts.ts";
import { keptOpen, type ReopenedStream } from "./reconnection.ts";
import { closeMessage, requestOf } from "./request.ts";
import { words } from "./tasks.ts";

/** The answer to a request for a subscription. Throws if a plain request gets no producer's answer either. */
export async function requestSubscription(context: ScenarioContext, wanted: SubscriptionWishes): Promise<HttpReply> {
  const reply = await askSubscription(context, wanted);
  if (!isStrange(reply)) return reply;
  const plain = await askSubscription(context, {});
  if (!isStrange(plain)) return reply;
  const what = `no AAEP producer answers here, see whether the address is the right one, and options.paths and options.level`;
  const how = `a plain request for a subscription is answered HTTP ${plain.status}: ${quote(plain.text)}`;
  throw new TargetFailure("errored", "subscribe", `${what}; ${how}`);
}

/** Whether an answer may come from a server without subscriptions: nothing is found, it is found elsewhere, or the answer is a page. */
function isStrange(reply: HttpReply): boolean {
  const { status, text, json } = reply;
  if (answerIn(reply) !== undefined) return false;
  return [404, 405, 501].includes(status) || (status >= 300 && status < 400) || (json === undefined && text !== "");
}

async function askSubscription(context: ScenarioContext, wanted: SubscriptionWishes): Promise<HttpReply> {
  const { paths } = producerFacts(context);
  const { as = "a", name = "subscriber" } = wanted;
  const reply = await context.send({
    method: "POST",
    path: paths.subscriptions,
    body: requestOf(context, wanted),
    as,
    name,
  });
  const { type, subscription_id: id } = answerIn(reply) ?? {};
  // A subscriber without an answer may keep waiting for the answers of a subscriber that has left.
  if (type === "subscription.accepted") context.closing(() => leaveSubscription(context, String(id), as));
  return reply;
}

/** Subscribes by POST, if the producer shakes hands, and opens the stream of events. */
export async function overSse(context: ScenarioContext, wanted: SubscriptionWishes): Promise<Line> {
  const { paths, level } = producerFacts(context);
  const { as = "a", name = "subscriber" } = wanted;
  const inbox = inboxOf(context, name);
  const reply = level < 3 ? undefined : await requestSubscription(context, wanted);
  const accepted = isObject(reply?.json) && reply.json.type === "subscription.accepted" ? reply.json : undefined;
  if (reply !== undefined && accepted === undefined)
    throw new TargetSkip(
      `it does not grant the subscription needed for this: HTTP ${reply.status} ${reply.text.slice(0, 200)}`,
    );
  const id = typeof accepted?.subscription_id === "string" ? accepted.subscription_id : ownId(context);
  const usual = accepted === undefined ? paths.events : `${paths.events}?subscription_id=${id}`;
  const path = placeOf(context, reply?.headers.location) ?? usual;
  const { target, count } = numberTargets(inbox);
  let stream = await openStream(context, { path, as }, target(count.up()));
  const cut = (): void => {
    context.record({ from: name, to: "producer", text: closes });
    inbox.expectEnd();
    stream.destroy();
  };
  context.closing(() => stream.destroy());
  return {
    id,
    name,
    as,
    accepted,
    inbox,
    send: (message, by = as) => context.send({ method: "POST", path: paths.replies, body: message, as: by, name }),
    cut,
    async resume(last) {
      const number = count.up();
      const next = target(number);
      // Without a handshake nothing connects the stream with the earlier one: it may be another subscription.
      if (accepted === undefined) inbox.reopen(`${name} ${number}`);
      else inbox.reopen();
      stream = await openStream(context, { path, as, last }, next);
    },
  };
}

/** Closes a subscription when its story is over, in a second at most. */
async function leaveSubscription(context: ScenarioContext, id: string, as: "a" | "b" | "nobody"): Promise<void> {
  const { url = "" } = context.setting;
  const body = JSON.stringify(closeMessage(id));
  const target = `${url.replace(/\/$/, "")}${producerFacts(context).paths.replies}`;
  const signal = AbortSignal.timeout(1000);
  const { body: answer } = await request(target, {
    method: "POST",
    headers: headersFrom(shownBy(context)[as]),
    body,
    signal,
  });
  await answer.dump();
}

/** The headers that show who asks. */
function shownBy({
  setting: { headers = {}, credentials = {} },
}: ScenarioContext): Record<"a" | "b" | "nobody", Record<string, string>> {
  return {
    a: { ...(credentials.a === undefined ? headers : withCredential(headers, credentials.a).headers) },
    b: { ...withoutCredentials(headers), ...(credentials.b === undefined ? {} : headerOf(credentials.b)) },
    nobody: withoutCredentials(headers),
  };
}

/** The rest of a stream that another stream has replaced is ignored. */
function numberTargets(inbox: Inbox): { target(number: number): Inbox; count: { up(): number } } {
  let current = 0;
  const target = (number: number): Inbox => ({
    ...inbox,
    push: (...came) => (number === current ? inbox.push(...came) : undefined),
    end: (why) => (number === current ? inbox.end(why) : undefined),
  });
  return { target, count: { up: () => ++current } };
}

/**
 * The status of the answer to a caller that requests a subscription's stream. Headers may come with the first event: `provoke` brings one about.
 * Undefined if none came then either.
 */
export async function streamStatus(
  context: ScenarioContext,
  id: string,
  as: "a" | "b" | "nobody",
  provoke: () => Promise<unknown>,
): Promise<number | undefined> {
  const { paths } = producerFacts(context);
  const inbox = inboxOf(context, as);
  inbox.expectEnd();
  const stream = requestOfStream(context, { path: `${paths.events}?subscription_id=${id}`, as }, inbox);
  const status = async (milliseconds: number): Promise<number | undefined> =>
    waitWithin(context, stream.answered, milliseconds);
  const soon = await status(boundOf(context, "event") / 10);
  let failure: unknown;
  if (soon === undefined) await provoke().catch((error: unknown) => (failure = error));
  const known = soon ?? (await status(unscaledBound(context, "event")));
  stream.destroy();
  // A replaced stream ends; the answer to the other shows it.
  if (known === undefined && failure !== undefined) throw failure;
  return known;
}

/** The result within so many milliseconds, by the setting's scale; undefined if it needs longer. */
async function waitWithin<T>(
  { setting: { timeScale = 1 } }: ScenarioContext,
  promise: Promise<T>,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds * Math.max(0.2, timeScale));
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Producers that send the headers of a stream only with the first event. */
const slowToAnswer = new WeakSet<Setting>();
/** How much sooner the wait for headers ends if they are known to come later. */
const hasteMs = 10;

/** A stream of events that is answered by a status other than 200. */
class RefusedStream extends TargetFailure {
  constructor(status: number) {
    super("errored", "connect", `the stream of events is answered HTTP ${status}`);
  }
}

/** The producer's address for the stream; only at its own host, since credentials are sent there. */
function placeOf({ setting }: ScenarioContext, location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, setting.url)) return undefined;
  const place = new URL(location, setting.url);
  return place.origin === new URL(setting.url ?? "").origin ? place.href : undefined;
}

function ownId(context: ScenarioContext): string {
  return `sub_${context
    .fresh("own")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 60)}`;
}

/**
 * Whether the headers of a stream come with the first event. A session of no other use causes that event: as long as the request has not arrived,
 * no subscriber could answer a question. Throws if the stream is refused then.
 */
async function isAnsweredLate(context: ScenarioContext, answered: Promise<number>, inbox: Inbox): Promise<boolean> {
  if (!context.has("start")) return false;
  const { skipped } = await context.hook("start", { task: "plain", words: words.plain });
  if (skipped !== undefined) return false;
  const status = await waitWithin(context, answered, boundOf(context, "event"));
  if (status !== undefined && status !== 200) throw new RefusedStream(status);
  // A session that continues would be mistaken for the next one.
  const isEnd = /\bsession\.(?:completed|errored|cancelled)$/;
  if (status === 200) await inbox.seen(({ type }) => isEnd.test(String(type)), boundOf(context, "event"));
  return status === 200;
}

/** A stream to ask for: its address, who asks, and the id of the last event that has come. */
interface AskedStream {
  path: string;
  as: "a" | "b" | "nobody";
  last?: string | undefined;
}

/** Opens a stream. A producer may send its headers with the first event: then the stream counts as open, and fails later if it is refused. */
async function openStream(context: ScenarioContext, asked: AskedStream, inbox: Inbox): Promise<{ destroy(): void }> {
  const { setting } = context;
  const stream = keptOpen(inbox, (to) => requestOfStream(context, asked, to));
  const wait = boundOf(context, "headers") / (slowToAnswer.has(setting) ? hasteMs : 1);
  const status = await waitWithin(context, stream.answered, wait);
  if (status !== undefined && status !== 200) throw refusalOf(asked, status);
  if (status !== undefined) return stream;
  slowToAnswer.add(setting);
  if (asked.last === undefined && (await isAnsweredLate(context, stream.answered, inbox))) return stream;
  stream.answered.then(
    (late) => (late === 200 ? undefined : inbox.end(refusalOf(asked, late))),
    (error) => inbox.end(error),
  );
  return stream;
}

/** How a refused stream ends the scenario: a subscription need not outlive its connection. */
function refusalOf({ last }: AskedStream, status: number): TargetFailure | TargetSkip {
  if (last === undefined || ![404, 409, 410].includes(status)) return new RefusedStream(status);
  return new TargetSkip(`a subscription ends with its connection here, so that none is resumed: HTTP ${status}`);
}

/** Requests a stream; its later answer and its events go to the inbox. */
function requestOfStream(context: ScenarioContext, asked: AskedStream, inbox: Inbox): ReopenedStream {
  const { path, as, last } = asked;
  const { url = "" } = context.setting;
  const { origin, pathname } = new URL(url);
  const target = /^https?:/.test(path) ? path : `${origin}${pathname.replace(/\/$/, "")}${path}`;
  // A connection of its own, which is cut without harm to others.
  const dispatcher = new Agent({ pipelining: 0, bodyTimeout: 0, headersTimeout: 0 });
  const more: Record<string, string> = { accept: "text/event-stream" };
  if (last !== undefined) more["last-event-id"] = last;
  context.closing(() => dispatcher.destroy());
  const abort = new AbortController();
  const signal = AbortSignal.any([context.signal, abort.signal]);
  let stream: Readable | undefined;
  const answered = request(target, { dispatcher, signal, headers: headersFrom(shownBy(context)[as], more) }).then(
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
  // A caller that does not wait for it ignores a failure.
  answered.catch(() => {});
  return {
    answered,
    destroy() {
      if (stream === undefined) abort.abort();
      else stream.on("error", () => {}).destroy();
    },
  };
}

function listenTo(body: Readable, inbox: Inbox): void {
  const [decoder, strict] = [new TextDecoder(), new TextDecoder("utf-8", { fatal: true })];
  const take = eventsIn((data, frame) => inbox.push(data, frame));
  body.on("data", (bytes: Buffer) => {
    try {
      if (!inbox.isMiswritten()) strict.decode(bytes, { stream: true });
    } catch {
      inbox.noteMiswritten();
    }
    take(decoder.decode(bytes, { stream: true }));
  });
  body.on("end", () => inbox.end());
  body.on("error", (error: Error) =>
    inbox.end(new TargetFailure("errored", "read", `the stream broke: ${error.message}`)),
  );
  body.on("close", () => inbox.end());
}

/** The members of an answer that is a message of the handshake. */
export function answerIn({ json }: HttpReply): JsonObject | undefined {
  if (!isObject(json)) return undefined;
  return json.type === "subscription.accepted" || json.type === "subscription.rejected" ? json : undefined;
}
