import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isObject, type JsonObject, TouchstoneError } from "../../../../../schemas/index.ts";
import type { Decisions } from "./decisions.ts";
import { stagedRuntime } from "./stage.ts";

/** Bytes of a message. */
const longest = 1024 * 1024;

/** Serves the hooks of a runtime on the loopback interface: `POST /tell`, `/hear` and `/clock`. Throws a usage error for a port that cannot be had. */
export async function serveRuntime(decisions: Decisions, port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const { setting } = stagedRuntime(decisions);
  const app = new Hono();
  app.use(bodyLimit({ maxSize: longest }));
  for (const [name, hook] of Object.entries(setting.hooks ?? {}))
    app.post(`/${name}`, async (context) => {
      const given: unknown = await context.req.json().catch(() => undefined);
      if (!isObject(given as JsonObject) || typeof hook !== "function")
        return context.json({ error: "no JSON object" }, 400);
      return context.json(await hook(given as JsonObject));
    });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new TouchstoneError("usage", `no server on port ${port}: ${error.message}`)),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
