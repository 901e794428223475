import { type JsonObject, type ScenarioContext, TargetFailure, TargetSkip } from "../../../../../schemas/index.ts";
import { type EventStream, openStream } from "../../../../running/scenarios/way/event-stream.ts";
import { boundOf } from "../bounds.ts";
import { storeExchange } from "../exchanges.ts";
import { contentOf, type Peer } from "../parties.ts";
import { messageIn } from "./connect.ts";

/** The result of a request for a stream. */
export interface StreamResult {
  request: JsonObject;
  stream: EventStream;
  messages: JsonObject[];
  /** Faults in the form and order of the items. */
  faults: string[];
  /** Whether the stream ended, or only fell silent. */
  end: "end" | "silence";
}

export async function openMessageStream(
  context: ScenarioContext,
  { path }: Peer,
  message: JsonObject,
  withinMs?: number,
): Promise<EventStream> {
  const headers = { "content-type": "application/json", "snap-version": "0.1", accept: "text/event-stream" };
  const within = withinMs === undefined ? {} : { withinMs };
  return openStream(context, { path, body: JSON.stringify(message), headers, ...within });
}

export function isStream({ headers }: EventStream): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}

/** Reads a stream to its end. Skips if the agent does not answer with a stream, which is optional. */
export async function readWholeStream(
  context: ScenarioContext,
  peer: Peer,
  streamRequest: JsonObject,
): Promise<StreamResult> {
  const stream = await openMessageStream(context, peer, streamRequest);
  const messages: JsonObject[] = [];
  const faults: string[] = [];
  for (;;) {
    const next = await stream.next(boundOf(context, "stream"));
    if (next === "silence" && messages.at(-1)?.type !== "response")
      throw new TargetFailure(
        "timed-out",
        "read",
        `a stream is silent for ${boundOf(context, "stream")} ms, but has not ended`,
      );
    if (next === "end" || next === "silence") {
      if (!isStream(stream))
        throw new TargetSkip("the agent does not answer with server-sent events, which are optional");
      storeExchange(context, { request: streamRequest, messages });
      if (next === "end" && stream.rest().trim() !== "") faults.push("ends within an event, without an empty line");
      return { request: streamRequest, stream, messages, faults, end: next };
    }
    const { data, lines } = next.item;
    if (isStream(stream) && lines !== 1) faults.push(`puts a message on ${lines} data lines`);
    const message = messageIn(data);
    if (message === undefined && !isStream(stream) && /^(?:data|event|id|retry)?:/m.test(data)) {
      const type = stream.headers["content-type"] ?? "";
      context.expect("SNAP-STREAM-004", false, `a stream of events has the type "${type}": ${data.slice(0, 100)}`);
    }
    if (message === undefined) faults.push(`sends an event that is not a message: ${data.slice(0, 100)}`);
    else messages.push(message);
    if (message === undefined) continue;
    skipWhereCrowded(message);
    if (contentOf(message).code === 1007) throw new TargetSkip("the agent does not offer streams");
  }
}

/** Throws a TargetSkip if a rate limit, or the wait for it, made the agent refuse the request for a stream. */
export function skipWhereCrowded(message: JsonObject | undefined): void {
  const { code } = contentOf(message);
  if (code === 5002 || code === 2004)
    throw new TargetSkip(`the agent does not accept a request for a stream: it answers with code ${code}`);
}

/** Requests a stream. Returns the answer, or whether the agent is silent or closes the connection. */
export async function openWithin(
  context: ScenarioContext,
  peer: Peer,
  message: JsonObject,
  milliseconds?: number,
): Promise<EventStream | "silence" | "closed"> {
  try {
    return await openMessageStream(context, peer, message, milliseconds);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof TargetFailure)) throw error;
    if (error.outcome === "timed-out") return "silence";
    // Throws again if the target is down.
    await context.send({ method: "GET", path: "/" });
    return "closed";
  }
}
