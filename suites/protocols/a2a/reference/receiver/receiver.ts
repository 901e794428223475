import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, isObject, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";

/** A parsed webhook call. */
export interface ReceivedCall {
  event: JsonObject;
  text: string;
  /** The id of the task that the call is about. */
  taskId: string;
}

/** The decisions of a receiver. `correctReceiver` has the decisions of a correct receiver; a variant replaces some of them. */
export interface ReceiverPolicy {
  /** The milliseconds before it reads a call. */
  readDelay: number;
  /** The status for a correct call. */
  successStatus: number;
  /** The status for a call without the correct credential; undefined if that is not checked. */
  strangerStatus: number | undefined;
  /** The status for a call about an unexpected task; undefined if that is not checked. */
  foreignTaskStatus: number | undefined;
  /** Whether a call repeats an earlier one. */
  isRepetition(call: ReceivedCall, earlierCalls: readonly ReceivedCall[]): boolean;
  scheme: string;
  /** Whether a call has the configured credential. */
  matchesCredential(received: string, configured: string): boolean;
}

export const correctReceiver: ReceiverPolicy = {
  readDelay: 0,
  successStatus: 200,
  strangerStatus: 401,
  foreignTaskStatus: 404,
  isRepetition: ({ text }, earlierCalls) => earlierCalls.some((earlierCall) => earlierCall.text === text),
  scheme: "Bearer",
  matchesCredential: (received, configured) => received === configured,
};

/** Starts a webhook receiver on a loopback port. Hooks act as its user. */
export async function receiverEnvironment(policy: ReceiverPolicy): Promise<Environment> {
  /** The expected tasks, by the credentials of their webhooks. */
  const expectedTasks = new Map<string, string>();
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    if (policy.readDelay > 0) await sleep(policy.readDelay);
    response.writeHead(statusFor(request.headers.authorization ?? "", text)).end();
  };
  const statusFor = (authorization: string, text: string): number => {
    const [, task] =
      [...expectedTasks].find(([configured]) => policy.matchesCredential(authorization, configured)) ?? [];
    if (task === undefined && policy.strangerStatus !== undefined) return policy.strangerStatus;
    const event = jsonOf(text);
    if (!isObject(event)) return 400;
    const call = { event, text, taskId: taskIn(event) };
    const isForeign =
      ![...expectedTasks.values()].includes(call.taskId) || (task !== undefined && task !== call.taskId);
    if (isForeign && policy.foreignTaskStatus !== undefined) return policy.foreignTaskStatus;
    if (!policy.isRepetition(call, calls)) calls.push(call);
    return policy.successStatus;
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const hooks = {
    expect({ task }: JsonObject): JsonObject {
      const credentials = `${expectedTasks.size + 1}-token`;
      expectedTasks.set(`${policy.scheme} ${credentials}`, isObject(task) ? String(task.id) : "");
      return { url, authentication: { scheme: policy.scheme, credentials } };
    },
    acted: (): JsonObject => ({ events: calls.map(({ event }) => event) }),
  };
  return {
    setting: { side: "receiver", hooks },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function taskIn({ task, ...event }: JsonObject): string {
  if (isObject(task)) return String(task.id);
  const [update] = Object.values(event);
  return isObject(update) ? String(update.taskId) : "";
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
