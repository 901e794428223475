import { setTimeout as sleep } from "node:timers/promises";
import { request as call, type Dispatcher, WebSocket } from "undici";
import { type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { checkAnswer, failureIn } from "./message.ts";
import { type Requester, type ServiceEndpoint, SnapFailure } from "./requester.ts";

/** How long to wait for an answer. */
const patienceMs = 30_000;

/** Returns the endpoints of a card, in the order in which the requester tries them. */
export function endpointsOf({ policy }: Requester, card: JsonObject): readonly ServiceEndpoint[] {
  const endpoints = Array.isArray(card.endpoints) ? (card.endpoints as unknown as ServiceEndpoint[]) : [];
  return policy.orderEndpoints(endpoints);
}

/** Posts a message, and returns the HTTP answer. Throws a SnapFailure if there is none, or for status 429. */
export async function post(
  { policy, ending }: Requester,
  url: string,
  message: JsonObject,
  extraHeaders: Record<string, string> = {},
): Promise<Dispatcher.ResponseData> {
  const headers = policy.headers({ "content-type": "application/json", "snap-version": "0.1", ...extraHeaders });
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(patienceMs)]);
  const answer = await call(url, { method: "POST", headers, body: policy.serialize(message), signal }).catch(
    (error: Error) => {
      throw new SnapFailure(4003, `no connection to ${url}: ${error.message}`);
    },
  );
  if (answer.statusCode === 429) {
    const retryAfter = Number(answer.headers["retry-after"]);
    await answer.body.dump();
    throw new SnapFailure(5002, "too many requests", Number.isFinite(retryAfter) ? retryAfter : undefined);
  }
  return answer;
}

/** Sends a request, and returns its answer. `makeRequest` is called again for each attempt. */
export async function requestAnswer(
  requester: Requester,
  endpoint: ServiceEndpoint,
  makeRequest: () => JsonObject,
): Promise<JsonObject> {
  return withRetries(requester, async () => {
    const request = makeRequest();
    const value =
      endpoint.protocol === "wss"
        ? await sendOverSocket(requester, endpoint.url, request)
        : await sendOverHttp(requester, endpoint.url, request);
    const answer = checkAnswer(requester, request, value);
    const failure = failureIn(answer);
    if (failure !== undefined) throw failure;
    return answer;
  });
}

async function sendOverHttp(requester: Requester, url: string, request: JsonObject): Promise<Json | undefined> {
  const answer = await post(requester, url, request);
  const text = await answer.body.text();
  const value = jsonOf(text);
  if (answer.statusCode >= 500 && value === undefined)
    throw new SnapFailure(5001, `HTTP ${answer.statusCode}: ${text.slice(0, 100)}`);
  return value;
}

function sendOverSocket({ policy }: Requester, url: string, request: JsonObject): Promise<Json | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const fail = (): void => reject(new SnapFailure(4005, `no WebSocket at ${url}`));
    const timer = setTimeout(fail, patienceMs);
    socket.addEventListener("open", () => socket.send(policy.serialize(request)));
    socket.addEventListener("error", fail);
    socket.addEventListener("close", () => {
      clearTimeout(timer);
      fail();
    });
    socket.addEventListener("message", ({ data }) => {
      resolve(jsonOf(String(data)));
      socket.close();
    });
  });
}

/** Repeats an attempt after transient failures, with growing pauses, until the policy gives up. */
export async function withRetries<T>({ policy, ending }: Requester, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SnapFailure)) throw error;
      const wait = policy.pauseAfter(error, attempts, policy.pauses);
      if (wait === undefined) throw error;
      await sleep(wait, undefined, { signal: ending.signal });
    }
  }
}
