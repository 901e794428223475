import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import type { ScenarioContext, Sent } from "../../../../schemas/index.ts";
import { openStream } from "./event-stream.ts";
import { queueFor } from "./queue.ts";
import { openSocket } from "./websocket.ts";
import { type Connection, takeSockets } from "./websocket-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
});

async function startListening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Creates the parts of a context that this folder uses. */
function contextAt(url?: string): { context: ScenarioContext; sent: Sent[]; abort(why: Error): void } {
  const records: Sent[] = [];
  const ending = new AbortController();
  const context = {
    setting: url === undefined ? {} : { url },
    signal: ending.signal,
    closing: (close: () => unknown) => void closers.push(close),
    record: (message: Sent) => void records.push(message),
    later: async ({ status }: { status: number }, tries: number) => (status === 429 && tries < 3 ? 1 : 0),
  };
  return { context: context as unknown as ScenarioContext, sent: records, abort: (why) => ending.abort(why) };
}

it("a socket fails if pings never stop", async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    socket.on("error", () => {});
    const flood = (): void => {
      for (let count = 0; count < 500 && socket.readyState === 1; count++) socket.ping();
      if (socket.readyState === 1) setImmediate(flood);
    };
    flood();
  });
  const { context } = contextAt();
  const socket = await openSocket(context, `ws://${await startListening(server)}/`);
  await expect(socket.next(20_000)).rejects.toThrow("it sends pings without end: 1000 of them");
  expect(socket.pings()).toBeLessThan(3000);
});

describe("a queue", () => {
  it("keeps items until they are read, then reports its end", async () => {
    const queue = queueFor<number>(contextAt().context);
    queue.put(1);
    queue.put(2);
    queue.end();
    queue.put(3);
    expect([await queue.next(), await queue.next(), await queue.next(), await queue.next()]).toEqual([
      { item: 1 },
      { item: 2 },
      "end",
      "end",
    ]);
  });

  it("reports silence, and keeps later items", async () => {
    const queue = queueFor<number>(contextAt().context);
    expect(await queue.next(5)).toBe("silence");
    queue.put(1);
    expect(await queue.next(5)).toEqual({ item: 1 });
  });

  it("throws the abort reason of the scenario", async () => {
    const { context, abort } = contextAt();
    const nextItem = queueFor<number>(context).next();
    abort(new Error("too late"));
    await expect(nextItem).rejects.toThrow("too late");
  });

  it("stops a counterpart that floods it", async () => {
    const queue = queueFor<number>(contextAt().context);
    for (let count = 0; count < 20_000; count++) queue.put(count);
    expect(queue.isOver).toBe(true);
    for (let count = 0; count < 10_000; count++) await queue.next();
    await expect(queue.next()).rejects.toThrow("without end");
  });
});

describe("a stream of events", () => {
  async function streamOf(respond: (response: ServerResponse) => void) {
    const address = await startListening(createServer((_request, response) => respond(response)));
    const { context, sent } = contextAt(`http://${address}`);
    const stream = await openStream(context, { path: "/events", body: "{}", headers: { accept: "text/event-stream" } });
    return { stream, sent };
  }

  it("is parsed correctly, however it is split into chunks", async () => {
    const text = ': hello\n\ndata: one\n\ndata:two\r\ndata: more\r\n\r\nid: 7\ndata: {"é":1}\n\nevent: x\n\ndata: rest';
    const { stream } = await streamOf((response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (const byte of Buffer.from(text)) response.write(Buffer.of(byte));
      response.end();
    });
    const events = [];
    for (let next = await stream.next(); next !== "end" && next !== "silence"; next = await stream.next())
      events.push([next.item.data, next.item.lines]);
    expect(events).toEqual([
      ["one", 1],
      ["two\nmore", 2],
      ['{"é":1}', 1],
    ]);
    expect(stream.rest()).toBe("data: rest");
  });

  it("returns any other body unchanged", async () => {
    const { stream } = await streamOf((response) => response.writeHead(400).end("no"));
    expect([stream.status, await stream.next(), await stream.next()]).toEqual([
      400,
      { item: { data: "no", lines: 0 } },
      "end",
    ]);
  });

  it("is requested again a few times if the answer asks for a retry", async () => {
    let requestCount = 0;
    const { stream } = await streamOf((response) => {
      requestCount += 1;
      if (requestCount < 3) return response.writeHead(429).end("{}");
      return response.writeHead(200, { "content-type": "text/event-stream" }).end("data: here\n\n");
    });
    expect([requestCount, stream.status, await stream.next()]).toEqual([3, 200, { item: { data: "here", lines: 1 } }]);
    const limitedStream = await streamOf((response) => response.writeHead(429).end("later"));
    expect([limitedStream.stream.status, await limitedStream.stream.next()]).toEqual([
      429,
      { item: { data: "later", lines: 0 } },
    ]);
  });

  it("fails if it breaks within an event, and is silent without data", async () => {
    const brokenStream = await streamOf((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: on");
      setTimeout(() => response.destroy(), 5);
    });
    await expect(brokenStream.stream.next()).rejects.toThrow("its stream broke");
    const silentStream = await streamOf((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": \n");
    });
    expect(await silentStream.stream.next(20)).toBe("silence");
    silentStream.stream.cut();
    expect(await silentStream.stream.next()).toBe("end");
  });

  it("fails if it never ends", async () => {
    const { stream } = await streamOf((response) => {
      const writeMore = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.writeHead(200, { "content-type": "text/event-stream" }).on("drain", writeMore);
      writeMore();
    });
    await expect(stream.next()).rejects.toThrow("longer than");
  });

  it("fails if no server listens", async () => {
    const { context } = contextAt("http://127.0.0.1:1");
    await expect(openStream(context, { path: "/", body: "", headers: {} })).rejects.toThrow("could not be asked for");
  });
});

describe("a WebSocket", () => {
  async function serverOf(take: (connection: Connection) => void, longest?: number): Promise<string> {
    const server = createServer();
    const address = await startListening(server);
    closers.push(takeSockets(server, take, longest === undefined ? {} : { longest }));
    return address;
  }

  it("carries text frames of every length in both directions", async () => {
    const address = await serverOf((connection) => connection.onText((text) => connection.send(`${text}!`)));
    const { context, sent } = contextAt();
    const socket = await openSocket(context, `ws://${address}/here?a=1`);
    for (const length of [0, 1, 125, 126, 65_535, 65_536, 300_000]) {
      const text = "é".repeat(length);
      socket.send(text);
      expect(await socket.next()).toEqual({ item: `${text}!` });
    }
    expect(sent.slice(0, 2)).toEqual([
      { from: "touchstone", to: "target", text: "" },
      { from: "target", to: "touchstone", text: "!" },
    ]);
  });

  it("counts pings, which are answered, and reports its end", async () => {
    let isAnswered = false;
    const address = await serverOf((connection) => {
      connection.onPong(() => {
        isAnswered = true;
        connection.send("heard");
      });
      connection.onText(() => connection.close());
      connection.ping();
    });
    const socket = await openSocket(contextAt().context, `ws://${address}`);
    expect(await socket.next()).toEqual({ item: "heard" });
    expect([socket.pings(), isAnswered]).toEqual([1, true]);
    socket.send("bye");
    expect(await socket.next()).toBe("end");
  });

  it("joins fragments, and closes the connection of a party that sends too much", async () => {
    const texts: string[] = [];
    const address = await serverOf((connection) => connection.onText((text) => void texts.push(text)), 1000);
    const [host = "", port] = address.split(":");
    const rawSocket = connect(Number(port), host);
    closers.push(() => rawSocket.destroy());
    const received = new Promise<string>((resolve) => {
      const chunks: Buffer[] = [];
      rawSocket.on("data", (chunk) => void chunks.push(chunk));
      rawSocket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    });
    rawSocket.write("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n");
    rawSocket.write("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    const frame = (firstByte: number, payload: string): Buffer => {
      const bytes = Buffer.from(payload);
      const masked = bytes.map((byte, index) => byte ^ ((index % 4) + 1));
      const head = bytes.length < 126 ? [0x80 | bytes.length] : [0x80 | 126, bytes.length >> 8, bytes.length & 255];
      return Buffer.concat([Buffer.from([firstByte, ...head, 1, 2, 3, 4]), masked]);
    };
    rawSocket.write(Buffer.concat([frame(0x01, "he"), frame(0x89, ""), frame(0x00, "ll"), frame(0x80, "o")]));
    rawSocket.write(frame(0x81, "x".repeat(2000)));
    const output = await received;
    // The example of RFC 6455, section 1.3.
    expect(output).toContain("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    expect(texts).toEqual(["hello"]);
    expect(output.endsWith("\u0088\u0002\u0003\u00f1")).toBe(true);
  });

  it("is refused if the server does not offer WebSockets", async () => {
    const address = await startListening(createServer((_request, response) => response.end("no")));
    await expect(openSocket(contextAt().context, `ws://${address}`)).rejects.toThrow("it was refused");
  });
});
