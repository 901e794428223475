import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, isObject, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";

/** A call of the webhook after it was read. */
export interface ReceivedCall {
  event: JsonObject;
  text: string;
  /** The id of the task that it is about. */
  task: string;
}

/** The decisions of a receiver. Those of a right one are below; a variant replaces some of them. */
export interface ReceiverPolicy {
  /** The milliseconds before it reads a call. */
  delay: number;
  /** The status for a right call. */
  accepts: number;
  /** The status for a call without the right credential; undefined if it is not checked. */
  refusesStrangers: number | undefined;
  /** The status for a call about an unexpected task; undefined if that is not checked. */
  refusesForeign: number | undefined;
  /** Whether a call repeats an earlier one. */
  isAgain(call: ReceivedCall, before: readonly ReceivedCall[]): boolean;
  scheme: string;
  /** Whether the credential of a call is the one that was configured. */
  isRight(shown: string, configured: string): boolean;
}

export const rightReceiver: ReceiverPolicy = {
  delay: 0,
  accepts: 200,
  refusesStrangers: 401,
  refusesForeign: 404,
  isAgain: ({ text }, before) => before.some((receivedCall) => receivedCall.text === text),
  scheme: "Bearer",
  isRight: (shown, configured) => shown === configured,
};

/** Starts a receiver of webhooks on a loopback port, with its user as hooks. */
export async function receiverEnvironment(policy: ReceiverPolicy): Promise<Environment> {
  /** The expected tasks, by the credentials of their webhooks. */
  const expected = new Map<string, string>();
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    if (policy.delay > 0) await sleep(policy.delay);
    response.writeHead(statusFor(request.headers.authorization ?? "", text)).end();
  };
  const statusFor = (shown: string, text: string): number => {
    const [, task] = [...expected].find(([configured]) => policy.isRight(shown, configured)) ?? [];
    if (task === undefined && policy.refusesStrangers !== undefined) return policy.refusesStrangers;
    const event = jsonOf(text);
    if (!isObject(event)) return 400;
    const call = { event, text, task: taskIn(event) };
    const isForeign = ![...expected.values()].includes(call.task) || (task !== undefined && task !== call.task);
    if (isForeign && policy.refusesForeign !== undefined) return policy.refusesForeign;
    if (!policy.isAgain(call, calls)) calls.push(call);
    return policy.accepts;
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const hooks = {
    expect({ task }: JsonObject): JsonObject {
      const credentials = `${expected.size + 1}-token`;
      expected.set(`${policy.scheme} ${credentials}`, isObject(task) ? String(task.id) : "");
      return { url, authentication: { scheme: policy.scheme, credentials } };
    },
    acted: (): JsonObject => ({ events: calls.map(({ event }) => event) }),
  };
  return {
    setting: { side: "receiver", hooks },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
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
