import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Pool } from "undici";
import { expect, it } from "vitest";
import { send } from "./send.ts";

it.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /^no connection: .*; set NODE_EXTRA_CA_CERTS /],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /^no connection: .*; set NODE_EXTRA_CA_CERTS /],
  ["CERT_HAS_EXPIRED", /^no connection: [^;]*$/],
  ["ECONNREFUSED", /^no connection: [^;]*$/],
])("explains the connection error %s, with a remedy for unknown authorities", async (code, expected) => {
  const error = Object.assign(new Error("it cannot be"), { code });
  const dispatch: Pool["dispatch"] = (_, handler) => {
    handler.onResponseError?.({} as never, error);
    return true;
  };
  const request = { method: "GET", path: "/", headers: [], body: "" } as const;
  const response = send({ dispatch, on: () => {} } as unknown as Pool, request as never, AbortSignal.timeout(60_000));
  await expect(response).rejects.toMatchObject({ stage: "connect", message: expect.stringMatching(expected) });
});

it("does not mistake the answer to the unread rest of one request for the answer to the next", async () => {
  const heads: string[] = [];
  const refusedSockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on("data", (data) => {
      const [head = ""] = data.toString().split("\r\n");
      heads.push(head);
      // The body is still to come, and this server takes it for a request line.
      if (head.startsWith("POST /refused")) {
        refusedSockets.add(socket);
        socket.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
      } else if (head.startsWith("GET /unread") && refusedSockets.delete(socket))
        socket.end("HTTP/1.1 501 Unsupported method\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n");
      else if (head.startsWith("GET /none")) socket.end("HTTP/1.1 501 None\r\nConnection: close\r\n\r\n");
      else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { pipelining: 1 });
  const status = async (method: "GET" | "POST", path: string): Promise<number> =>
    (await send(pool, { method, path, headers: {}, body: method === "GET" ? null : "{}" }, AbortSignal.timeout(60_000)))
      .status;
  const bothStatuses = [status("POST", "/refused"), status("POST", "/refused")];
  expect(await Promise.all(bothStatuses)).toEqual([404, 404]);
  expect(await status("GET", "/unread")).toBe(200);
  expect(heads.map((head) => head.split(" ")[1])).toEqual(["/refused", "/refused", ...Array(3).fill("/unread")]);
  // An answer that is the same on a new connection is the server's real answer.
  expect(await status("GET", "/none")).toBe(501);
  await pool.destroy();
  server.close();
});

it.each([
  ["a long body", "x".repeat(100_000), 5, 413],
  ["a short one", "x", 1, 413],
  ["a short request that is never answered", "x", 5, "the server closed the connection: write EPIPE"],
  ["a request on a reused connection", "x", 5, 413, true],
])(
  "repeats the request if the answer to %s may have been lost",
  async (_, body, lostTries, expected, isReused = false) => {
    let tries = 0;
    let connected = (): void => {};
    const on = (_: string, listener: () => void): void => {
      connected = listener;
    };
    const dispatch: Pool["dispatch"] = (_, handler) => {
      tries += 1;
      if (!isReused) connected();
      if (tries <= lostTries)
        handler.onResponseError?.({} as never, Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
      else {
        handler.onResponseStart?.({} as never, 413, {}, "");
        handler.onResponseEnd?.({} as never, {});
      }
      return true;
    };
    const request = { method: "POST", path: "/", headers: {}, body } as const;
    const response = send({ dispatch, on } as unknown as Pool, request, AbortSignal.timeout(60_000));
    expect(
      await response.then(
        ({ status }) => status,
        ({ message }: Error) => message,
      ),
    ).toBe(expected);
  },
);

it("reads a stream only for a short time, and rejects an answer that is too long", async () => {
  const server = createHttpServer((request, response) => {
    if (request.url === "/long") return void response.end("x".repeat(2 ** 21));
    if (request.url === "/latin") return void response.end(Buffer.from([0xe9]));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ask = (path: string, members: object) =>
    send(pool, { method: "GET", path, headers: {}, body: null, ...members }, AbortSignal.timeout(60_000));
  expect(await ask("/events", { isStream: true })).toMatchObject({ body: "data: 1\n\n", isPartial: true });
  expect((await ask("/long", { maxSize: 2 ** 22 })).body).toHaveLength(2 ** 21);
  expect(await ask("/latin", {})).toMatchObject({ body: "\ufffd", isGarbled: true });
  await expect(ask("/long", {})).rejects.toThrow("larger than 1 MiB");
  await pool.destroy();
  server.closeAllConnections();
  server.close();
});

it("repeats a request sent on a connection that the server had closed, even if others opened new ones meanwhile", async () => {
  const answeredSockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      if (answeredSockets.has(socket)) return socket.destroy();
      answeredSockets.add(socket);
      return setTimeout(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 1);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(url, { pipelining: 1, connections: 4 });
  const request = { method: "POST", path: "/", headers: {}, body: "{}" } as const;
  const response = Array.from({ length: 24 }, () => send(pool, request, AbortSignal.timeout(60_000)));
  expect((await Promise.all(response)).map(({ status }) => status)).toEqual(Array(24).fill(200));
  await pool.destroy();
  server.close();
});
