import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { type AgentCall, AgentRefusal, type AgentStream, type ReferenceAgent } from "./agent.ts";
import { beginMessage, taskNamed } from "./operations.ts";
import { isOver, shownTask, type TaskEvent } from "./tasks.ts";

/** Answers with a stream of items. Throws the refusal before anything is sent. */
export function answerStream(agent: ReferenceAgent, call: AgentCall, response: ServerResponse): void {
  agent.streams += 1;
  const stream: AgentStream = { call, task: undefined, sent: 0, serial: agent.streams };
  const put = (item: JsonObject): void => {
    for (const each of agent.policy.streams(item, stream)) {
      stream.sent += 1;
      const whole = call.binding === "JSONRPC" ? { jsonrpc: "2.0", id: call.id ?? null, result: each } : each;
      response.write(agent.policy.writes(JSON.stringify(whole), stream));
    }
  };
  if (call.operation === "SubscribeToTask") {
    subscribe(agent, stream, { response, put });
    return;
  }
  const begun = beginMessage(agent, call);
  openEvents(agent, stream, response);
  if ("reply" in begun) {
    put({ message: begun.reply });
    response.end();
    return;
  }
  stream.task = begun.task;
  put({ task: shownTask(begun.task) });
  follow(agent, stream, { response, put });
  begun.begin();
}

interface StreamOutput {
  response: ServerResponse;
  put(item: JsonObject): void;
}

function subscribe(agent: ReferenceAgent, stream: AgentStream, output: StreamOutput): void {
  const task = taskNamed(agent, stream.call, "id");
  if (isOver(task) && agent.policy.checks("over", stream.call))
    throw new AgentRefusal("UnsupportedOperation", `the task is over: ${task.state}`);
  stream.task = task;
  openEvents(agent, stream, output.response);
  output.put({ task: shownTask(task) });
  follow(agent, stream, output);
}

function openEvents(agent: ReferenceAgent, { call }: AgentStream, response: ServerResponse): void {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  const answer = agent.policy.answers({ status: 200, headers, body: undefined }, call);
  response.writeHead(answer.status, answer.headers);
  response.flushHeaders();
}

/** Sends the events of a task until the stream ends. */
function follow(agent: ReferenceAgent, stream: AgentStream, { response, put }: StreamOutput): void {
  const { task } = stream;
  if (task === undefined) return;
  const watcher = (event: TaskEvent): void => {
    put(event);
    if (!agent.policy.closes(task.state, stream) || "artifactUpdate" in event) return;
    task.watchers.delete(watcher);
    response.end();
  };
  task.watchers.add(watcher);
  response.on("close", () => {
    task.watchers.delete(watcher);
    if (!response.writableEnded) agent.policy.left(stream);
  });
  agent.ending.signal.addEventListener("abort", () => response.destroy());
}
