import { isObject, type JsonObject, type ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { openStream } from "../../../../../running/scenarios/way/event-stream.ts";
import type { Socket } from "../../../../../running/scenarios/way/websocket.ts";
import { boundOf } from "../../bounds.ts";
import { messageOf, type Peer, peerOf, request } from "../../parties.ts";
import { socketUrl } from "../connect.ts";
import type { AgentStep, MessageFault, WalkText } from "./step.ts";

/** A task that the agent must know. */
export interface WalkedTask {
  id: string;
  text: WalkText;
  /** The last reported state. */
  state: string;
  /** Whether a valid message has cancelled it. */
  isCancelled: boolean;
}

export type WalkTransport = "http" | "socket";

/** A message in transit. */
export interface WalkMessage {
  message: JsonObject;
  transport: WalkTransport;
  fault?: MessageFault | undefined;
  text?: WalkText | undefined;
  /** The index of the task that it names. */
  index?: number | undefined;
  /** The message that it repeats: the whole message, or only the id. */
  original?: AcceptedMessage | undefined;
}

/** An accepted message, and the id of the task that it has created. */
export interface AcceptedMessage extends Pick<WalkMessage, "message" | "transport" | "text" | "index"> {
  task?: string | undefined;
}

/** The state of the model of an agent: tasks and messages in order of arrival. */
export interface AgentModel {
  peer: Peer;
  /** The address of the agent's WebSocket. */
  websocket: string | undefined;
  /** The open connection to the WebSocket. */
  socket?: Socket | undefined;
  tasks: WalkedTask[];
  acceptedMessages: AcceptedMessage[];
  /** The exchanges between the requesters and the agent, as the rules on tasks judge them. */
  exchanges: JsonObject[];
  post: Post<WalkMessage>;
  /** The texts that are not configured, and the methods that the agent does not offer. */
  unsupported: Set<string>;
  hasClock: boolean;
  /** Whether the agent answers with streams. Otherwise a request for endless work is never answered. */
  streams: boolean;
  /** The maximum time between two events of a stream. */
  patienceMs: number;
}

/** The time to wait for a stream while a walk is shrunk. */
const hasteMs = 800;

/** The agent, and whether it answers with streams: determined once for all walks. */
const probes = new WeakMap<ScenarioContext, Promise<{ peer: Peer; streams: boolean }>>();

export async function beginWalk(context: ScenarioContext, isShrinking: boolean): Promise<AgentModel> {
  const probe = probes.get(context) ?? probeAgent(context);
  probes.set(context, probe);
  const { peer, streams } = await probe;
  const { options = {} } = context.setting;
  return {
    peer,
    websocket: socketUrl(context, peer),
    tasks: [],
    acceptedMessages: [],
    exchanges: [],
    post: postFor<WalkMessage>(),
    unsupported: new Set(["working", "asking"].filter((name) => typeof options[name] !== "string")),
    streams,
    hasClock: context.has("clock"),
    patienceMs: isShrinking ? hasteMs : boundOf(context, "stream"),
  };
}

async function probeAgent(context: ScenarioContext): Promise<{ peer: Peer; streams: boolean }> {
  // The first use of the judges is slow, which must not count against the agent.
  for (const document of ["envelope", "exchange", "task-log"]) await context.violations(document, {});
  const peer = await peerOf(context);
  const streamRequest = await request(context, peer, "message/stream", messageOf(context));
  const headers = { "content-type": "application/json", "snap-version": "0.1", accept: "text/event-stream" };
  const stream = await openStream(context, { path: peer.path, body: JSON.stringify(streamRequest), headers });
  stream.cut();
  return { peer, streams: /^text\/event-stream\b/i.test(stream.headers["content-type"] ?? "") };
}

/** Fits a step to the model: reduces `index` to an existing task or message. Undefined if the step is not possible. */
export function fitStep(model: AgentModel, step: AgentStep): AgentStep | undefined {
  const { tasks, acceptedMessages, post, unsupported, hasClock, websocket } = model;
  if ("transport" in step && step.transport === "socket" && websocket === undefined) return undefined;
  switch (step.do) {
    case "wait":
      return hasClock && acceptedMessages.length > 0 ? step : undefined;
    case "deliver":
      return post.isEmpty ? undefined : step;
    case "send":
      return unsupported.has(step.text) ? undefined : step;
    case "stream":
      if (unsupported.has(step.text) || unsupported.has("message/stream") || step.text === "asking") return undefined;
      if (step.text === "working" && !model.streams) return undefined;
      // An endless stream would block everything else on its WebSocket.
      return step.text === "working" ? overHttp(step) : step;
    case "replay":
    case "reuse": {
      const index = acceptedMessages.length === 0 ? 0 : step.index % acceptedMessages.length;
      const original = acceptedMessages[index];
      if (original === undefined) return undefined;
      const isEndless = original.text === "working" && original.message.method === "message/stream";
      return { ...(isEndless ? overHttp(step) : step), index };
    }
  }
  if (tasks.length === 0) return undefined;
  const index = step.index % tasks.length;
  // The specification only defines how a task that waits for input continues.
  return step.do === "continue" && tasks[index]?.state !== "input_required" ? undefined : { ...step, index };
}

function overHttp<Step extends AgentStep & { transport?: "socket" }>({ transport: _, ...step }: Step): Step {
  return step as Step;
}

export function taskIn(payload: JsonObject | undefined): JsonObject | undefined {
  return isObject(payload?.task) ? payload.task : undefined;
}
