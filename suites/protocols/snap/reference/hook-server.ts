import type { Hono } from "hono";
import { type Hook, isObject, type JsonObject, readJson, TouchstoneError } from "../../../../schemas/index.ts";

/** The maximum size of a request body in bytes. */
const maxBytes = 1024 * 1024;

/** Serves hooks as POST requests to `/operator/NAME` with a JSON object. Refuses requests under a host name other than a loopback name. */
export function serveHooks(app: Hono, hooks: () => Readonly<Record<string, Hook>>): void {
  app.post("/operator/:name", async ({ req }) => {
    const { hostname } = new URL(req.url);
    if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname))
      return Response.json(
        { error: `hooks are served only under a loopback name, not under ${hostname}` },
        { status: 403 },
      );
    const hooksByName = hooks();
    const name = req.param("name");
    const hook = Object.hasOwn(hooksByName, name) ? hooksByName[name] : undefined;
    if (hook === undefined) return Response.json({ error: `unknown operation "${name}"` }, { status: 404 });
    try {
      return Response.json(await hook(parseParameters(new Uint8Array(await req.arrayBuffer()))));
    } catch (error) {
      if (error instanceof TouchstoneError) return Response.json({ error: error.message }, { status: 400 });
      throw error;
    }
  });
}

function parseParameters(bytes: Uint8Array): JsonObject {
  if (bytes.length === 0) return {};
  if (bytes.length > maxBytes)
    throw new TouchstoneError("usage", `body: longer than ${maxBytes} bytes`, { hint: "send less" });
  const { value } = readJson(bytes, "body");
  if (isObject(value)) return value;
  throw new TouchstoneError("usage", "body: not a JSON object", { hint: "send parameters as members" });
}
