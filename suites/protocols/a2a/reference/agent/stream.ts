import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { type AgentCall, AgentRefusal, type AgentStream, type ReferenceAgent } from "./agent.ts";
import { beginMessage, findNamedTask } from "./operations.ts";
import { isOver, presentTask, type TaskEvent } from "./tasks.ts";

/** Answers with a stream of items. Throws a refusal before anything is sent. */
export function answerStream(agent: ReferenceAgent, call: AgentCall, response: ServerResponse): void {
  agent.streamCount += 1;
  const stream: AgentStream = { call, task: undefined, itemCount: 0, number: agent.streamCount };
  const sendItem = (item: JsonObject): void => {
    for (const sentItem of agent.policy.changeItem(item, stream)) {
      stream.itemCount += 1;
      const envelope =
        call.binding === "JSONRPC" ? { jsonrpc: "2.0", id: call.id ?? null, result: sentItem } : sentItem;
      response.write(agent.policy.writeEvent(JSON.stringify(envelope), stream));
    }
  };
  if (call.operation === "SubscribeToTask") {
    subscribe(agent, stream, { response, put: sendItem });
    return;
  }
  const outcome = beginMessage(agent, call);
  openEvents(agent, stream, response);
  if ("reply" in outcome) {
    sendItem({ message: outcome.reply });
    response.end();
    return;
  }
  stream.task = outcome.task;
  sendItem({ task: presentTask(outcome.task) });
  sendEventsOf(agent, stream, { response, put: sendItem });
  outcome.begin();
}

interface StreamOutput {
  response: ServerResponse;
  put(item: JsonObject): void;
}

function subscribe(agent: ReferenceAgent, stream: AgentStream, output: StreamOutput): void {
  const task = findNamedTask(agent, stream.call, "id");
  if (isOver(task) && agent.policy.makesCheck("over", stream.call))
    throw new AgentRefusal("UnsupportedOperation", `the task is over: ${task.state}`);
  stream.task = task;
  openEvents(agent, stream, output.response);
  output.put({ task: presentTask(task) });
  sendEventsOf(agent, stream, output);
}

function openEvents(agent: ReferenceAgent, { call }: AgentStream, response: ServerResponse): void {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  const answer = agent.policy.changeAnswer({ status: 200, headers, body: undefined }, call);
  response.writeHead(answer.status, answer.headers);
  response.flushHeaders();
}

/** Sends the events of a task until the stream ends. */
function sendEventsOf(agent: ReferenceAgent, stream: AgentStream, { response, put }: StreamOutput): void {
  const { task } = stream;
  if (task === undefined) return;
  const watcher = (event: TaskEvent): void => {
    put(event);
    if (!agent.policy.endsStreamAt(task.state, stream) || "artifactUpdate" in event) return;
    task.watchers.delete(watcher);
    response.end();
  };
  task.watchers.add(watcher);
  response.on("close", () => {
    task.watchers.delete(watcher);
    if (!response.writableEnded) agent.policy.onClientLeft(stream);
  });
  agent.ending.signal.addEventListener("abort", () => response.destroy());
}
