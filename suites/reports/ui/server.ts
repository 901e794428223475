import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { admitRequest } from "./admission.ts";

export interface ShownPage {
  /** The current page. */
  page(): string;
  /** The state of the run that a reader gets on connecting, as JSON. */
  state(): object;
  /** Runs one vector again. Returns false if it cannot be run, for example during the run. */
  again(id: string): Promise<boolean>;
}

export interface Ui {
  url: string;
  /** Informs every reader of a change. */
  changed(): void;
  close(): Promise<void>;
}

/** The maximum number of readers that are informed of changes. */
const maxReaders = 8;
/** The maximum length of a request that names a vector, in characters. */
const maxBodyLength = 4096;
const maxConnections = 4 * maxReaders;
/** The minimum pause between two messages to readers. */
const minPauseMs = 300;

const commonHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Serves the page of a run on the loopback interface, at a free port and a path that cannot be guessed. */
export async function serveUi(shownPage: ShownPage): Promise<Ui> {
  const token = randomBytes(16).toString("hex");
  const readers = new Set<ServerResponse>();
  const busySockets = new Set<Socket>();
  let pending: NodeJS.Timeout | undefined;
  const sendState = (reader: ServerResponse): void => {
    reader.write(`data: ${JSON.stringify(shownPage.state())}\n\n`);
  };
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const { port } = server.address() as AddressInfo;
    const admitted = admitRequest({ method, path: url, headers }, token, port);
    if (typeof admitted !== "number") {
      busySockets.add(request.socket);
      response.on("close", () => busySockets.delete(request.socket));
    }
    if (typeof admitted === "number") refuse(response, admitted);
    else if (method === "GET" && admitted === "") sendPage(response, shownPage);
    else if (method === "GET" && admitted === "events") addReader(response);
    else if (method === "POST" && admitted === "again") void repeatVector(request, response, shownPage);
    else refuse(response, 404);
  });
  const addReader = (response: ServerResponse): void => {
    if (readers.size >= maxReaders) {
      refuse(response, 503);
      return;
    }
    response.writeHead(200, { ...commonHeaders, "content-type": "text/event-stream" });
    readers.add(response);
    response.on("close", () => readers.delete(response));
    sendState(response);
  };
  boundConnections(server, busySockets);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    changed() {
      pending ??= setTimeout(() => {
        pending = undefined;
        for (const reader of readers) sendState(reader);
      }, minPauseMs).unref();
    },
    async close() {
      clearTimeout(pending);
      const untilClosed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await untilClosed;
    },
  };
}

/** Sets timeouts for slow requests. If there are too many connections, closes the oldest one without an admitted request. */
function boundConnections(server: Server, busySockets: ReadonlySet<Socket>): void {
  const sockets = new Set<Socket>();
  server.requestTimeout = 10_000;
  server.headersTimeout = 10_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    if (sockets.size <= maxConnections) return;
    const idleSocket = [...sockets].find((candidate) => !busySockets.has(candidate) && candidate !== socket);
    (idleSocket ?? socket).destroy();
  });
}

function sendPage(response: ServerResponse, shownPage: ShownPage): void {
  try {
    sendAnswer(response, 200, "text/html; charset=utf-8", shownPage.page());
  } catch {
    // The run itself continues, and its report describes the fault.
    refuse(response, 500);
  }
}

/** Answers 200 if the vector has been run, 409 if it cannot be run now, and 400 for a body that does not name a vector. */
async function repeatVector(request: IncomingMessage, response: ServerResponse, shownPage: ShownPage): Promise<void> {
  try {
    const id = idIn(await readBody(request));
    const isDone = id !== undefined && (await shownPage.again(id));
    if (isDone) sendAnswer(response, 200, "application/json", "{}");
    else refuse(response, id === undefined ? 400 : 409);
  } catch {
    refuse(response, 409);
  }
}

/** The text of a request, unless it is too long to name a vector. */
async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request.setEncoding("utf8")) {
    body += part;
    if (body.length > maxBodyLength) return "";
  }
  return body;
}

function idIn(body: string): string | undefined {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === "string" && id !== "" ? id : undefined;
  } catch {
    return undefined;
  }
}

function sendAnswer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...commonHeaders, "content-type": type }).end(body);
}

function refuse(response: ServerResponse, status: number): void {
  response
    .writeHead(status, { ...commonHeaders, "content-type": "text/plain", connection: "close" })
    .end(`${status}\n`);
}
