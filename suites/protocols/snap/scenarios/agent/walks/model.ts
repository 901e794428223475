import { isObject, type JsonObject, type ScenarioContext } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { openStream } from "../../../../../running/scenarios/way/event-stream.ts";
import type { Socket } from "../../../../../running/scenarios/way/websocket.ts";
import { boundOf } from "../../bounds.ts";
import { messageOf, type Peer, peerOf, request } from "../../parties.ts";
import { socketUrl } from "../connect.ts";
import type { AgentStep, MessageFault, WalkText } from "./step.ts";

/** The facts about one task that the agent must know. */
export interface WalkedTask {
  id: string;
  text: WalkText;
  /** The last reported state. */
  state: string;
  /** Set if a valid message has cancelled it. */
  isCancelled: boolean;
}

export type WalkTransport = "http" | "socket";

/** A message in transit. */
export interface WalkMessage {
  message: JsonObject;
  way: WalkTransport;
  bent?: MessageFault | undefined;
  text?: WalkText | undefined;
  /** The number of its task. */
  of?: number | undefined;
  /** The message that it repeats, completely or only in its id. */
  first?: AcceptedMessage | undefined;
}

/** An accepted message, with the task that it has created. */
export interface AcceptedMessage extends Pick<WalkMessage, "message" | "way" | "text" | "of"> {
  task?: string | undefined;
}

/** The state in the model of an agent: tasks and messages in order of arrival. */
export interface AgentModel {
  peer: Peer;
  /** The address of its WebSocket, and the open one. */
  websocket: string | undefined;
  socket?: Socket | undefined;
  tasks: WalkedTask[];
  acceptedMessages: AcceptedMessage[];
  /** The exchanges between the requesters and the agent, as the rules on tasks judge them. */
  exchanges: JsonObject[];
  post: Post<WalkMessage>;
  /** The texts and methods that it does not have. */
  unsupported: Set<string>;
  hasClock: boolean;
  /** Whether it answers with streams: otherwise a request about endless work is never answered. */
  streams: boolean;
  /** The maximum milliseconds until a stream continues. */
  patienceMs: number;
}

/** Milliseconds to wait while a walk is shrunk and no message is expected. */
const hasteMs = 800;

/** The answering party, and whether streams are answered as such: determined once for all walks. */
const knownPeers = new WeakMap<ScenarioContext, Promise<{ peer: Peer; streams: boolean }>>();

export async function beginWalk(context: ScenarioContext, isAgain: boolean): Promise<AgentModel> {
  const probe = knownPeers.get(context) ?? probeAgent(context);
  knownPeers.set(context, probe);
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
    patienceMs: isAgain ? hasteMs : boundOf(context, "stream"),
  };
}

async function probeAgent(context: ScenarioContext): Promise<{ peer: Peer; streams: boolean }> {
  // The first use of the judges is slow, which must not count against the agent.
  for (const document of ["envelope", "exchange", "task-log"]) await context.violations(document, {});
  const peer = await peerOf(context);
  const probe = await request(context, peer, "message/stream", messageOf(context));
  const headers = { "content-type": "application/json", "snap-version": "0.1", accept: "text/event-stream" };
  const stream = await openStream(context, { path: peer.path, body: JSON.stringify(probe), headers });
  stream.cut();
  return { peer, streams: /^text\/event-stream\b/i.test(stream.headers["content-type"] ?? "") };
}

/** The step with `of` reduced to an existing task. Undefined if the step is meaningless here. */
export function fitStep(model: AgentModel, step: AgentStep): AgentStep | undefined {
  const { tasks, acceptedMessages, post, unsupported, hasClock, websocket } = model;
  if ("way" in step && step.way === "socket" && websocket === undefined) return undefined;
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
      // A stream without an end would delay everything else on its WebSocket.
      return step.text === "working" ? overHttp(step) : step;
    case "replay":
    case "reuse": {
      const of = acceptedMessages.length === 0 ? 0 : step.of % acceptedMessages.length;
      const first = acceptedMessages[of];
      if (first === undefined) return undefined;
      const isEndless = first.text === "working" && first.message.method === "message/stream";
      return { ...(isEndless ? overHttp(step) : step), of };
    }
  }
  if (tasks.length === 0) return undefined;
  const of = step.of % tasks.length;
  // Only a task that asks back continues in a known way.
  return step.do === "continue" && tasks[of]?.state !== "input_required" ? undefined : { ...step, of };
}

function overHttp<Step extends AgentStep & { way?: "socket" }>({ way: _, ...step }: Step): Step {
  return step as Step;
}

export function taskIn(payload: JsonObject | undefined): JsonObject | undefined {
  return isObject(payload?.task) ? payload.task : undefined;
}
