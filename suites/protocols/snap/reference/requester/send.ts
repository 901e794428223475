import { isObject, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import { eventReader } from "../../../../running/scenarios/way/event-stream.ts";
import { agree, checkAnswer, failureIn, requestTo } from "./message.ts";
import { type Requester, type ServiceEndpoint, SnapFailure } from "./requester.ts";
import { endpointsOf, post, requestAnswer, withRetries } from "./transport.ts";

/** Sends a request to the agent of a card, trying its endpoints in order. Throws a SnapFailure if none answers. */
export async function send(
  requester: Requester,
  card: JsonObject,
  method: string,
  payload: JsonObject,
): Promise<JsonObject> {
  agree(requester, card);
  return tryEndpoints(requester, card, (endpoint) =>
    requestAnswer(requester, endpoint, () => requestTo(requester, String(card.identity), method, payload)),
  );
}

async function tryEndpoints<T>(
  requester: Requester,
  card: JsonObject,
  attempt: (endpoint: ServiceEndpoint) => Promise<T>,
): Promise<T> {
  for (const endpoint of endpointsOf(requester, card)) {
    try {
      return await attempt(endpoint);
    } catch (error) {
      // Only a failed connection (4xxx) leads to the next endpoint. Any answer of the agent is final.
      if (!(error instanceof SnapFailure) || error.code < 4000 || error.code >= 5000) throw error;
    }
  }
  throw new SnapFailure(4001, "no endpoint of the card could be reached");
}

/** Requests a stream, and returns its messages up to the response. A broken stream is resumed. */
export async function stream(requester: Requester, card: JsonObject, payload: JsonObject): Promise<JsonObject[]> {
  agree(requester, card);
  const to = String(card.identity);
  const messages: JsonObject[] = [];
  return tryEndpoints(requester, card, async ({ url }) => {
    const readStream = (method: string, payloadToSend: JsonObject): Promise<boolean> =>
      withRetries(requester, () => readInto(requester, url, requestTo(requester, to, method, payloadToSend), messages));
    if (await readStream("message/stream", payload)) return messages;
    const { payload: lastPayload } = messages.at(-1) ?? {};
    const taskId = isObject(lastPayload) ? lastPayload.taskId : undefined;
    if (typeof taskId !== "string" || !requester.policy.resumes) throw new SnapFailure(4003, "the stream broke off");
    const taskAnswer = await send(requester, card, "tasks/get", { taskId });
    const task = isObject(taskAnswer.payload) && isObject(taskAnswer.payload.task) ? taskAnswer.payload.task : {};
    const state = isObject(task.status) ? task.status.state : undefined;
    if (state !== "working" && state !== "input_required") return [...messages, taskAnswer];
    if (await readStream("tasks/resubscribe", { taskId })) return messages;
    throw new SnapFailure(4003, "the stream broke off again");
  });
}

/** Requests one stream, appends its messages to a list, and returns whether the response was among them. */
async function readInto(
  requester: Requester,
  url: string,
  request: JsonObject,
  messages: JsonObject[],
): Promise<boolean> {
  const answer = await post(requester, url, request, { accept: "text/event-stream" });
  const isStream = /^text\/event-stream\b/i.test(String(answer.headers["content-type"] ?? ""));
  if (!isStream) {
    if (!requester.policy.acceptsPlainAnswer) throw new SnapFailure(1003, "the answer is not a stream");
    messages.push(parseAnswer(requester, request, await answer.body.text()));
    return true;
  }
  let eventTexts: string[] = [];
  const events = eventReader(({ data }) => void eventTexts.push(data));
  const decode = requester.policy.decoder();
  let hasResponse = false;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      eventTexts = [];
      events.take(decode(chunk));
      for (const text of eventTexts) {
        const message = parseAnswer(requester, request, text);
        messages.push(message);
        hasResponse ||= message.type === "response";
      }
      if (hasResponse) break;
    }
  } catch (error) {
    if (error instanceof SnapFailure) throw error;
    // A broken connection is not an error here: the caller resumes the stream.
  }
  return hasResponse;
}

function parseAnswer(requester: Requester, request: JsonObject, text: string): JsonObject {
  const message = checkAnswer(requester, request, jsonOf(text));
  const failure = failureIn(message);
  if (failure !== undefined) throw failure;
  return message;
}
