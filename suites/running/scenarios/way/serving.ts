import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Hook, isObject, type Json, type RuledProtocol, type Service } from "../../../../schemas/index.ts";
import { createApp } from "../../../packs/reference/app.ts";
import { type ReferenceServer, serve } from "../../../packs/reference/serve.ts";
import { variantNamed } from "../../../packs/reference/start.ts";

/** The maximum bytes of a hook's input. */
const maxInputBytes = 1024 * 1024;

/** The reference that judges messages beside the served hooks. */
export interface HookJudge {
  protocol: RuledProtocol;
  service: Service;
  /** The variant of the reference, if any. */
  variant?: string | undefined;
}

/** Serves hooks on the loopback interface, each as `POST /NAME` with a JSON object. Every other path reaches the reference that judges messages. Throws a usage error for an unknown variant, and for a port that is not available. */
export async function serveHooks(
  hooks: Readonly<Record<string, Hook>>,
  { protocol, service, variant }: HookJudge,
  port?: number,
): Promise<ReferenceServer> {
  const judgeVariant = variant === undefined ? undefined : variantNamed(variant, { protocol, service });
  const judge = await createApp(protocol, service, judgeVariant);
  const app = new Hono();
  app.use(bodyLimit({ maxSize: maxInputBytes }));
  for (const [name, hook] of Object.entries(hooks))
    app.post(`/${name}`, async (context) => {
      const requestBody: Json = await context.req.json().catch(() => null);
      if (!isObject(requestBody)) return context.json({ error: `POST /${name} expects a JSON object` }, 400);
      return context.json(await hook(requestBody));
    });
  const paths = new Set(Object.keys(hooks).map((name) => `/${name}`));
  const handler = async (request: Request): Promise<Response> =>
    paths.has(new URL(request.url).pathname) ? app.fetch(request) : judge(request);
  return serve(Object.assign(handler, judge.close === undefined ? {} : { close: judge.close }), port);
}
