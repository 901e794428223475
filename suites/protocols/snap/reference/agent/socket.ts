import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, readJson } from "../../../../../schemas/index.ts";
import { type Connection, takeSockets } from "../../../../running/scenarios/way/websocket-server.ts";
import type { RunningAgent } from "./agent.ts";
import { receive } from "./receive.ts";

/** Serves an agent over WebSocket on a loopback port until it is closed. */
export async function serveSocket(agent: RunningAgent): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const dropConnections = takeSockets(server, (connection) => serveConnection(agent, connection));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/snap`,
    close: () =>
      new Promise((resolve) => {
        dropConnections();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers the messages of a connection one after another. */
function serveConnection(agent: RunningAgent, connection: Connection): void {
  let queue: Promise<void> = Promise.resolve();
  connection.onText((text) => {
    queue = queue.then(() => answerMessage(agent, connection, text)).catch(() => connection.close());
  });
  sendPings(agent, connection);
}

async function answerMessage(agent: RunningAgent, connection: Connection, text: string): Promise<void> {
  const bytes = Buffer.from(text, "utf8");
  const { value } = readJson(bytes, "frame");
  let lastMessage: JsonObject | undefined;
  const { answers, isStream } = receive(agent, { value, bytes }, "websocket");
  for await (const message of answers) {
    lastMessage = message;
    if (isStream && agent.policy.streams("websocket"))
      connection.send(agent.policy.socketFrame(JSON.stringify(message)));
  }
  if (lastMessage !== undefined && !(isStream && agent.policy.streams("websocket")))
    connection.send(agent.policy.socketFrame(JSON.stringify(lastMessage)));
}

/** The time after which a missing pong means that the connection is lost. */
const patienceMs = 10_000;

/** Sends pings by the agent's clock, and closes a connection that did not answer the last one. */
function sendPings(agent: RunningAgent, connection: Connection): void {
  const { pingIntervalMs } = agent.policy;
  let nextPingAt = Date.now() + agent.ahead + pingIntervalMs;
  /** The time of an unanswered ping, by the machine's clock. */
  let unansweredPingAt: number | undefined;
  const pingIfDue = (): void => {
    if (Date.now() + agent.ahead < nextPingAt) return;
    nextPingAt = Date.now() + agent.ahead + pingIntervalMs;
    if (unansweredPingAt !== undefined && Date.now() - unansweredPingAt > patienceMs) connection.close();
    unansweredPingAt ??= Date.now();
    connection.ping();
  };
  const timer = setInterval(pingIfDue, 500);
  if (agent.policy.movesPings) agent.ticks.add(pingIfDue);
  connection.onPong(() => {
    unansweredPingAt = undefined;
  });
  connection.onClose(() => {
    clearInterval(timer);
    agent.ticks.delete(pingIfDue);
  });
}
