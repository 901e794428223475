import type {
  Body,
  Intake,
  Json,
  Judge,
  Reason,
  Refusal,
  RuledProtocol,
  Ruling,
  Service,
  ServiceContext,
} from "../../../schemas/index.ts";
import { readBody, Unreadable } from "./body.ts";
import { answerLines } from "./lines.ts";
import { rulesFor } from "./rules.ts";
import type { ServeHandler } from "./serve.ts";
import { rulingOn, verdictIntake } from "./service.ts";
import { judgeFor } from "./validator.ts";
import type { Variant } from "./variants/variant.ts";

/** The web handler of a reference implementation: the protocol's own routes, every document at `/documents/NAME`, and a page at `/`. With `isReady` it compiles every schema beforehand; otherwise the first request waits for that, which is too slow under load. */
export async function createApp(
  protocol: RuledProtocol,
  service: Service,
  variant?: Variant,
  isReady = false,
): Promise<ServeHandler> {
  const { Hono } = await import("hono");
  const app = new Hono();
  const schemas = await judgeFor(protocol, variant);
  if (isReady) compileAll(protocol, schemas);
  const rules = await rulesFor(protocol, variant);
  const closing: (() => void)[] = [];
  const judge: Judge = (document, value, bytes) => {
    const breaches = schemas(document, value);
    return breaches.length > 0 ? { breaches, advice: [] } : rules(document, value, bytes);
  };
  const context: ServiceContext = {
    protocol,
    judge,
    closing: (task) => void closing.push(task),
    intake: (intake) => (route) => answer(route.req.raw, service, intake, variant),
  };

  const paths = (): string[] => pathsOf(app.routes, protocol);
  const missing = (message: string): Response =>
    Response.json({ error: "not_found", message, paths: paths() }, { status: 404 });

  service.routes(app, context);
  app.post("/documents", async ({ req }) => {
    const type = { "content-type": "application/x-ndjson" };
    return new Response(await answerLines(await req.text(), protocol.profile.documents, judge), { headers: type });
  });
  app.post("/documents/:name", (route, next) => {
    const document = protocol.profile.documents.find(({ name }) => name === route.req.param("name"));
    if (document === undefined) return missing(`no document "${route.req.param("name")}"`);
    return context.intake(verdictIntake(({ value, bytes }) => rulingOn(judge(document, value, bytes))))(route, next);
  });
  app.get("/", () => Response.json(pageOf(protocol, variant, paths())));
  app.notFound(({ req }) => missing(`no ${req.method} ${req.path}`));
  app.onError(() => Response.json({ error: "internal" }, { status: 500 }));
  return Object.assign(async (request: Request) => app.fetch(request), {
    close() {
      for (const task of closing.splice(0)) task();
    },
  });
}

/** Compiles each schema now; a request for a schema that cannot be compiled gets the error. */
function compileAll({ profile }: RuledProtocol, schemas: Awaited<ReturnType<typeof judgeFor>>): void {
  for (const document of profile.documents)
    try {
      schemas(document, null);
    } catch {
      // A request for that document gets the error.
    }
}

function pageOf({ name, version }: RuledProtocol, variant: Variant | undefined, paths: string[]): Json {
  return {
    about: "A reference implementation, for testing and for nothing else.",
    protocol: name,
    version,
    variant: variant?.name ?? null,
    paths,
  };
}

/** The paths of the routes and of all documents. */
function pathsOf(routes: readonly { method: string; path: string }[], { profile }: RuledProtocol): string[] {
  const documents = profile.documents.map(({ name }) => `POST /documents/${name}`);
  return routes
    .map(({ method, path }) => `${method} ${path}`)
    .flatMap((route) => (route.endsWith("/:name") ? documents : [route]));
}

/** The answer with its warnings in a separate header, in ASCII. */
function addWarnings(response: Response, warnings: readonly Reason[]): Response {
  if (warnings.length === 0) return response;
  const text = JSON.stringify(warnings.slice(0, 10)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (text.length <= 8000) response.headers.set("touchstone-warnings", text);
  return response;
}

async function answer(request: Request, { media }: Service, intake: Intake, variant?: Variant): Promise<Response> {
  let body: Body | undefined;
  let ruling: Ruling = { advice: [] };
  try {
    body = await readBody(request, media, variant?.read);
    if (variant?.always === undefined) ruling = intake.judge(body);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ruling = { refusal: { kind: error.kind, reasons: [{ at: "", message: error.message }] }, advice: [] };
  }
  const { refusal = variant?.always === "reject" ? arbitrary : undefined, advice } = ruling;
  if (refusal === undefined || variant?.always === "accept")
    return addWarnings(await intake.accepted(body?.value ?? null, request), advice);
  return intake.refused(refusal, body?.value);
}

const arbitrary: Refusal = { kind: "invalid", reasons: [{ at: "", message: "is refused by this variant" }] };
