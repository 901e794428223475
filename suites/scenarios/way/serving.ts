import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Hook, isObject, type Json } from "../../../schemas/index.ts";
import { type Served, serve } from "../../reference/serve.ts";

/** Bytes of what a hook is given. */
const longest = 1024 * 1024;

/** Serves hooks on the loopback interface: `POST /NAME` with a JSON object. Throws a usage error for a port that cannot be had. */
export function serveHooks(hooks: Readonly<Record<string, Hook>>, port?: number): Promise<Served> {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: longest }));
  for (const [name, hook] of Object.entries(hooks))
    app.post(`/${name}`, async (context) => {
      const given: Json = await context.req.json().catch(() => null);
      if (!isObject(given)) return context.json({ error: `POST /${name} takes a JSON object` }, 400);
      return context.json(await hook(given));
    });
  return serve(async (request) => app.fetch(request), port);
}
