import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { hookFrom } from "./hooks.ts";
import { startReceiver } from "./receiver/receiver.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
async function startServer(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a hook", () => {
  it("with an endless answer is given up", async () => {
    const host = await startServer((_, response) => {
      response.writeHead(200);
      const writeMore = (): void =>
        void response.write(Buffer.alloc(65_536), (error) => error ?? setImmediate(writeMore));
      writeMore();
    });
    await expect(hookFrom("clock", { http: { url: `http://${host}/` } })({})).rejects.toThrow(/larger than 1 MiB/);
    await expect(hookFrom("clock", { command: "yes" })({})).rejects.toThrow(/more than 1 MiB/);
  });

  it("with a decompression bomb as answer is given up, while a small compressed answer is read", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
    const host = await startServer(({ url }, response) => {
      response
        .writeHead(200, { "content-encoding": "gzip" })
        .end(url === "/bomb" ? bomb : gzipSync('{"applied":true}'));
    });
    await expect(hookFrom("clock", { http: { url: `http://${host}/bomb` } })({})).rejects.toThrow(/cannot be read/);
    expect(await hookFrom("clock", { http: { url: `http://${host}/` } })({})).toEqual({ applied: true });
  });

  it("with a login in its address shows it only to the server", async () => {
    let seenHeader: string | undefined;
    const host = await startServer(({ headers, socket }, _) => {
      seenHeader = headers.authorization;
      socket.destroy();
    });
    const failedCall = hookFrom("clock", { http: { url: `http://me:pass-of-a-hook@${host}/?token=token-of-a-hook` } })(
      {},
    );
    await expect(failedCall).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/of-a-hook/) }),
    );
    expect(seenHeader).toBe(`Basic ${btoa("me:pass-of-a-hook")}`);
  });
});

it("a receiver of callbacks refuses large bodies, and survives a client that drops a request", async () => {
  const receiver = await startReceiver();
  try {
    const { url, arrivals } = receiver.callback("one", [200]);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write("POST /one HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{");
    await once(socket, "connect");
    setTimeout(() => socket.resetAndDestroy(), 20);
    await once(socket, "close");
    const largeStatus = await fetch(url, { method: "POST", body: Buffer.alloc(2 * 2 ** 20) }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(largeStatus).toBe(413);
    expect(arrivals).toEqual([]);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(200);
    expect(arrivals).toHaveLength(1);
  } finally {
    await receiver.close();
  }
});
