import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { serveUi, type Ui } from "./server.ts";

let ui: Ui;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await ui.close();
});

it("answers despite a hundred silent or refused connections, and keeps open event streams", async () => {
  ui = await serveUi({ page: () => "the page", state: () => ({ all: 1 }), again: async () => true });
  const { port } = new URL(ui.url);
  const reader = await fetch(`${ui.url}events`);
  const openSocket = async (text: string): Promise<void> => {
    const socket = connect(Number(port), "127.0.0.1");
    sockets.push(socket.on("error", () => {}));
    await once(socket, "connect");
    socket.write(text);
  };
  for (let count = 0; count < 100; count++)
    await openSocket(count % 2 === 0 ? "" : "GET /nobody/ HTTP/1.1\r\nhost: a\r\n");
  for (let count = 0; count < 3; count++) expect(await (await fetch(ui.url)).text()).toBe("the page");
  const [first] = [await (reader.body as ReadableStream<Uint8Array>).getReader().read()];
  expect(Buffer.from(first.value as Uint8Array).toString()).toContain('{"all":1}');
});
