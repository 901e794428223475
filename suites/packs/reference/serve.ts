import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { TouchstoneError } from "../../../schemas/index.ts";

export interface ReferenceServer {
  /** The origin, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Answers requests. `close` ends the requests that are still open. */
export type ServeHandler = ((request: Request) => Promise<Response>) & { close?(): void };

/** How a server treats its connections. */
export interface Connections {
  /** Milliseconds after which an idle connection is closed without notice; never by default. */
  idleMs?: number;
}

/** Serves a handler on a loopback port; port 0 chooses a free one. Throws a usage error if the port is not available. */
export async function serve(handler: ServeHandler, port = 0, { idleMs }: Connections = {}): Promise<ReferenceServer> {
  const { getRequestListener } = await import("@hono/node-server");
  // The global objects belong to the program that starts the reference.
  const server = createServer(getRequestListener(handler, { overrideGlobalObjects: false }));
  // Idle connections are left for the client to close. If both sides closed a connection at the same time, as happens on a busy machine, the server would seem to have failed.
  server.keepAliveTimeout = 0;
  if (idleMs !== undefined) closeWhenIdle(server, idleMs);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((error: Error) => {
    handler.close?.();
    throw new TouchstoneError("usage", `port ${port} cannot be used: ${error.message}`, {
      hint: "give another port, or none to use a free one",
      cause: error,
    });
  });
  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      closed ??= new Promise((resolve) => {
        handler.close?.();
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
  };
}

/** Closes each connection that received nothing for this long after its last answer. */
function closeWhenIdle(server: Server, milliseconds: number): void {
  server.prependListener("request", ({ socket }, response) => {
    clearTimeout(idleTimers.get(socket));
    // Set explicitly, so that Node does not announce a timeout.
    response.setHeader("connection", "keep-alive");
    response.on("finish", () => idleTimers.set(socket, setTimeout(() => socket.destroy(), milliseconds).unref()));
  });
}

const idleTimers = new WeakMap<object, NodeJS.Timeout>();
