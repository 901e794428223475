import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { TouchstoneError } from "../../../schemas/index.ts";

export interface Served {
  /** The origin, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Answers requests; closing it, if possible, ends its open requests. */
export type ServeHandler = ((request: Request) => Promise<Response>) & { close?(): void };

/** How a server treats its connections. */
export interface Connections {
  /** Milliseconds after which an idle connection is closed without notice; never by default. */
  idleMs?: number;
}

/** Serves a handler on a loopback port; port 0 chooses a free one. Throws a usage error if the port is not available. */
export async function serve(handler: ServeHandler, port = 0, { idleMs }: Connections = {}): Promise<Served> {
  const { getRequestListener } = await import("@hono/node-server");
  // The globals belong to the program that starts the reference.
  const server = createServer(getRequestListener(handler, { overrideGlobalObjects: false }));
  // Idle connections are left for the client to close. If both did so at once, as on a busy machine, the server would seem to break down.
  server.keepAliveTimeout = 0;
  if (idleMs !== undefined) closeIdle(server, idleMs);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((error: Error) => {
    handler.close?.();
    throw new TouchstoneError("usage", `port ${port} cannot be used: ${error.message}`, {
      hint: "name another port, or none for a free one",
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
function closeIdle(server: Server, milliseconds: number): void {
  server.prependListener("request", ({ socket }, response) => {
    clearTimeout(idle.get(socket));
    // Set explicitly, so that no time-out is announced.
    response.setHeader("connection", "keep-alive");
    response.on("finish", () => idle.set(socket, setTimeout(() => socket.destroy(), milliseconds).unref()));
  });
}

const idle = new WeakMap<object, NodeJS.Timeout>();
