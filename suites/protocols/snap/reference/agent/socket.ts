import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, readJson } from "../../../../../schemas/index.ts";
import { type Connection, takeSockets } from "../../../../running/scenarios/way/websocket-server.ts";
import type { RunningAgent } from "./agent.ts";
import { receive } from "./receive.ts";

/** Serves an agent over WebSocket on a loopback port until it is closed. */
export async function serveSocket(agent: RunningAgent): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => response.writeHead(426).end());
  const drop = takeSockets(server, (connection) => attend(agent, connection));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/snap`,
    close: () =>
      new Promise((resolve) => {
        drop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function attend(agent: RunningAgent, connection: Connection): void {
  let line: Promise<void> = Promise.resolve();
  connection.onText((text) => {
    line = line.then(() => answerTo(agent, connection, text)).catch(() => connection.close());
  });
  watch(agent, connection);
}

async function answerTo(agent: RunningAgent, connection: Connection, text: string): Promise<void> {
  const bytes = Buffer.from(text, "utf8");
  const { value } = readJson(bytes, "frame");
  let last: JsonObject | undefined;
  const { answers, isStream } = receive(agent, { value, bytes }, "websocket");
  for await (const message of answers) {
    last = message;
    if (isStream && agent.policy.streams("websocket"))
      connection.send(agent.policy.socketFrame(JSON.stringify(message)));
  }
  if (last !== undefined && !(isStream && agent.policy.streams("websocket")))
    connection.send(agent.policy.socketFrame(JSON.stringify(last)));
}

/** The milliseconds within which a ping is answered on any network. */
const patienceMs = 10_000;

/** Pings by the agent's clock, and drops connections that did not answer the last ping. */
function watch(agent: RunningAgent, connection: Connection): void {
  const { pingsEvery } = agent.policy;
  let next = Date.now() + agent.ahead + pingsEvery;
  /** The time of an unanswered ping, by the machine's clock. */
  let open: number | undefined;
  const check = (): void => {
    if (Date.now() + agent.ahead < next) return;
    next = Date.now() + agent.ahead + pingsEvery;
    if (open !== undefined && Date.now() - open > patienceMs) connection.close();
    open ??= Date.now();
    connection.ping();
  };
  const timer = setInterval(check, 500);
  if (agent.policy.movesPings) agent.ticks.add(check);
  connection.onPong(() => {
    open = undefined;
  });
  connection.onClose(() => {
    clearInterval(timer);
    agent.ticks.delete(check);
  });
}
