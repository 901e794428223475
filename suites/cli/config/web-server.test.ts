import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { startWebServer } from "./web-server.ts";

/** Finds a free port of the loopback interface. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function nodeCommand(code: string): string {
  return `${JSON.stringify(process.execPath)} -e ${JSON.stringify(code)}`;
}

it("starts a server, waits until it answers with any status, and stops it", async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const code = `require('http').createServer((q, a) => { a.statusCode = 404; a.end(); }).listen(${port}, '127.0.0.1')`;
  const { close } = await startWebServer({ command: nodeCommand(code), url });
  expect((await fetch(url)).status).toBe(404);
  await expect(startWebServer({ command: "true", url })).rejects.toThrow(/another program answers/);
  (await startWebServer({ command: "false", url, reuse: true })).close();
  expect((await fetch(url)).status).toBe(404);
  close();
  await expect.poll(() => fetch(url).catch(() => "gone"), { timeout: 5000 }).toBe("gone");
});

it("reports why the server did not start, with its output", async () => {
  const url = `http://127.0.0.1:${await findFreePort()}/`;
  const command = nodeCommand("console.error('no database'); process.exit(3)");
  await expect(startWebServer({ command, url })).rejects.toMatchObject({
    kind: "target",
    message: expect.stringContaining("it ended with exit code 3 before it answered"),
    hint: expect.stringContaining("it printed: no database"),
  });
  await expect(
    startWebServer({ command: nodeCommand("setInterval(() => {}, 1e6)"), url, timeout: 0.2 }),
  ).rejects.toThrow(/did not answer within 0.2 s/);
});
