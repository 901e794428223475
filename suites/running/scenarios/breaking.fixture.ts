import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Breaking {
  url: string;
  /** The number of requests so far. */
  count(): number;
  close(): void;
}

/** Starts a proxy that forwards this many requests to a server. It answers later requests with `respond`, or closes at the next request if `respond` is undefined. */
export async function startBreaking(
  origin: string,
  limit: number,
  respond: ((response: ServerResponse) => void) | undefined,
): Promise<Breaking> {
  let count = 0;
  const server = createServer((incoming, response) => {
    count += 1;
    if (count <= limit) return forwardRequest(origin, incoming, response);
    if (respond === undefined) return close();
    incoming.resume();
    incoming.on("end", () => respond(response));
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count, close };
}

function forwardRequest(origin: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = incoming;
  const outgoing = request(new URL(url ?? "/", origin), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}
