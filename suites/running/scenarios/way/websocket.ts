import diagnostics from "node:diagnostics_channel";
import { Agent, WebSocket } from "undici";
import { type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { type NextItem, queueFor } from "./queue.ts";

/** The placeholder for a frame other than text. */
export const binary = "(binary)";

/** A WebSocket to a counterpart. */
export interface Socket {
  send(text: string): void;
  /** The next text frame; a binary frame comes as the text `binary`. */
  next(milliseconds?: number): Promise<NextItem<string>>;
  /** How many pings of the protocol have come; they are answered by themselves. */
  pings(): number;
  close(): void;
}

/** Pings on one socket, of which a server sends one in half a minute. */
const mostPings = 1000;

/** Opens a socket that lasts no longer than the scenario. Throws a TargetFailure when there is none within ten seconds. */
export async function openSocket(context: ScenarioContext, url: string, protocols: string[] = []): Promise<Socket> {
  const queue = queueFor<string>(context);
  const dispatcher = new Agent();
  const socket = new WebSocket(url, { protocols, dispatcher });
  let pings = 0;
  const onPing = (message: unknown): void => {
    if ((message as { websocket?: unknown }).websocket !== socket) return;
    pings += 1;
    // A flood would be answered for as long as it lasts: the connection ends at once, without taking leave.
    if (pings !== mostPings) return;
    queue.end(new TargetFailure("errored", "read", `it sends pings without end: ${mostPings} of them`));
    void dispatcher.destroy();
  };
  diagnostics.subscribe("undici:websocket:ping", onPing);
  context.closing(() => {
    diagnostics.unsubscribe("undici:websocket:ping", onPing);
    if (socket.readyState <= 1) socket.close();
    void dispatcher.close().catch(() => {});
  });
  const opened = queueFor<true>(context);
  socket.onopen = () => opened.put(true);
  socket.onclose = () => {
    opened.end();
    queue.end();
  };
  socket.onerror = () => opened.end();
  socket.onmessage = ({ data }) => {
    const text = typeof data === "string" ? data : binary;
    context.record({ from: "target", to: "touchstone", text });
    queue.put(text);
  };
  const first = await opened.next();
  if (first === "silence")
    throw new TargetFailure("timed-out", "connect", `no WebSocket at ${url}: it did not open in time`);
  if (first === "end") throw new TargetFailure("errored", "connect", `no WebSocket at ${url}: it was refused`);
  return {
    send(text) {
      context.record({ from: "touchstone", to: "target", text });
      if (socket.readyState === 1) socket.send(text);
    },
    next: (milliseconds) => queue.next(milliseconds),
    pings: () => pings,
    close: () => socket.close(),
  };
}
