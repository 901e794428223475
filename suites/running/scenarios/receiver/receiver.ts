import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Arrival, Callback, Reaction } from "../../../../schemas/index.ts";
import { maxRequestLength, readRequestBody } from "../../../base/http/request-body.ts";
import { applyReaction } from "./reaction.ts";

export interface Receiver {
  /** Creates a callback under a unique name. `tail` is the end of its URL, with a leading slash; `tell` is called for each request. */
  callback(name: string, reactions: readonly Reaction[], tail?: string, tell?: (arrival: Arrival) => void): Callback;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** The interface to listen on (default: 127.0.0.1). */
  host?: string;
  /** The port; a free one if absent or 0. */
  port?: number;
  /** The address at which the target reaches the receiver, if it differs from these. */
  url?: string;
}

/** The maximum total size, in bytes, and the maximum number of the requests that are kept. */
const maxKept = 64 * maxRequestLength;
const maxArrivals = 10_000;

interface ReceiverState {
  arrivals: Arrival[];
  reactions: Reaction[];
  waiting: Set<() => void>;
  tell: (arrival: Arrival) => void;
}

/** Listens for callbacks until it is closed. */
export async function startReceiver({ host = "127.0.0.1", port = 0, url }: ReceiverOptions = {}): Promise<Receiver> {
  const statesByName = new Map<string, ReceiverState>();
  const ending = new AbortController();
  let arrivalCount = 0;
  let keptBytes = 0;
  const server = createServer(async (request, response) => {
    response.on("error", () => {});
    const body = await readRequestBody(request);
    const target = request.url ?? "";
    const callbackState = statesByName.get(/^\/([^/?]*)/.exec(target)?.[1] ?? "");
    const isTooMuch = body === "too-large" || arrivalCount >= maxArrivals || keptBytes >= maxKept;
    if (typeof body === "string" || callbackState === undefined || isTooMuch) {
      response.writeHead(isTooMuch ? 413 : 404, { connection: "close" }).end(() => request.destroy());
      return;
    }
    arrivalCount += 1;
    keptBytes += body.length;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { arrivals, reactions, waiting, tell } = callbackState;
    const reaction = (reactions.length > 1 ? reactions.shift() : reactions[0]) ?? 200;
    const arrival: Arrival = { method: request.method ?? "", target, headers, body, at: performance.now(), reaction };
    response.on("close", () => {
      if (!response.headersSent) arrival.leftAt = performance.now();
    });
    arrivals.push(arrival);
    tell(arrival);
    for (const wake of [...waiting]) wake();
    await applyReaction(response, reaction, (time) => sleep(time, undefined, ending)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const ownUrl = `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  const base = (url ?? ownUrl).replace(/\/$/, "");

  return {
    callback(name, reactions, tail = "", tell = () => {}) {
      const callbackState: ReceiverState = { arrivals: [], reactions: [...reactions], waiting: new Set(), tell };
      statesByName.set(name, callbackState);
      return {
        url: `${base}/${name}${tail}`,
        arrivals: callbackState.arrivals,
        come: (count, milliseconds) => awaitArrivals(callbackState, count, milliseconds),
      };
    },
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Waits until this many requests have arrived, or the time is over; returns whether they have arrived. */
function awaitArrivals({ arrivals, waiting }: ReceiverState, count: number, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const stopWaiting = (): void => {
      clearTimeout(timer);
      waiting.delete(check);
      resolve(arrivals.length >= count);
    };
    const check = (): void => {
      if (arrivals.length >= count) stopWaiting();
    };
    const timer = setTimeout(stopWaiting, milliseconds);
    waiting.add(check);
    check();
  });
}
