import type { Hono } from "hono";
import { type Hook, isObject, type JsonObject, readJson, TouchstoneError } from "../../../../schemas/index.ts";

/** The maximum bytes of an operation's body. */
const maxBytes = 1024 * 1024;

/** Serves hooks at `/operator/NAME` as POST requests with a JSON object, for clients on this machine with a loopback name. */
export function serveHooks(app: Hono, hooks: () => Readonly<Record<string, Hook>>): void {
  app.post("/operator/:name", async ({ req }) => {
    const { hostname } = new URL(req.url);
    if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname))
      return Response.json({ error: `operated only from this machine, not by way of ${hostname}` }, { status: 403 });
    const all = hooks();
    const name = req.param("name");
    const hook = Object.hasOwn(all, name) ? all[name] : undefined;
    if (hook === undefined) return Response.json({ error: `unknown operation "${name}"` }, { status: 404 });
    try {
      return Response.json(await hook(objectIn(new Uint8Array(await req.arrayBuffer()))));
    } catch (error) {
      if (error instanceof TouchstoneError) return Response.json({ error: error.message }, { status: 400 });
      throw error;
    }
  });
}

function objectIn(bytes: Uint8Array): JsonObject {
  if (bytes.length === 0) return {};
  if (bytes.length > maxBytes)
    throw new TouchstoneError("usage", `body: longer than ${maxBytes} bytes`, { hint: "send less" });
  const { value } = readJson(bytes, "body");
  if (isObject(value)) return value;
  throw new TouchstoneError("usage", "body: not a JSON object", { hint: "send parameters as members" });
}
