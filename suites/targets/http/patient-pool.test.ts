import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { expect, it } from "vitest";
import type { Request } from "../../base/http/send.ts";
import { PatientPool } from "./patient-pool.ts";

it("gives up a repeated request that is never answered, so that other requests continue", async () => {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    if (count === 1) response.writeHead(429, { "retry-after": "0" }).end();
    // The second request, which repeats the first, is not answered.
    else if (request.url === "/other") response.writeHead(202).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const pool = new PatientPool(new Pool(`http://127.0.0.1:${port}`), Date.now, undefined, 50);
  const request = (path: string): Request => ({ method: "GET", path, headers: {}, body: "" });
  const { signal } = new AbortController();
  const repeatedRequest = pool.ask(request("/"), signal).catch((error: unknown) => error);
  while (!pool.isHeld()) await new Promise((resolve) => setImmediate(resolve));
  const otherRequest = pool.ask(request("/other"), signal);
  expect(await repeatedRequest).toMatchObject({ outcome: "timed-out", stage: "answer" });
  expect((await otherRequest).status).toBe(202);
  expect(pool.isHeld()).toBe(false);
  await pool.pool.destroy();
  server.closeAllConnections();
  server.close();
});
