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
import { readBody, UnreadableBody } from "./body.ts";
import { answerLines } from "./lines.ts";
import { rulesFor } from "./rules.ts";
import type { ServeHandler } from "./serve.ts";
import { rulingOn, verdictIntake } from "./service.ts";
import { judgeFor } from "./validator.ts";
import type { Variant } from "./variants/variant.ts";

/** The web handler of a reference implementation: the protocol's own routes, every document at `/documents/NAME`, and a page at `/`. With `compilesFirst` it compiles every schema beforehand; otherwise the first request for each schema waits for its compilation, which is too slow under load. */
export async function createApp(
  protocol: RuledProtocol,
  service: Service,
  variant?: Variant,
  compilesFirst = false,
): Promise<ServeHandler> {
  const { Hono } = await import("hono");
  const app = new Hono();
  const judgeBySchema = await judgeFor(protocol, variant);
  if (compilesFirst) compileAll(protocol, judgeBySchema);
  const judgeByRules = await rulesFor(protocol, variant);
  const closeTasks: (() => void)[] = [];
  const judge: Judge = (document, value, bytes) => {
    const breaches = judgeBySchema(document, value);
    return breaches.length > 0 ? { breaches, advice: [] } : judgeByRules(document, value, bytes);
  };
  const context: ServiceContext = {
    protocol,
    judge,
    closing: (task) => void closeTasks.push(task),
    intake: (intake) => (route) => answer(route.req.raw, service, intake, variant),
  };

  const allPaths = (): string[] => pathsOf(app.routes, protocol);
  const notFound = (message: string): Response =>
    Response.json({ error: "not_found", message, paths: allPaths() }, { status: 404 });

  service.routes(app, context);
  app.post("/documents", async ({ req }) => {
    const headers = { "content-type": "application/x-ndjson" };
    return new Response(await answerLines(await req.text(), protocol.profile.documents, judge), { headers });
  });
  app.post("/documents/:name", (route, next) => {
    const document = protocol.profile.documents.find(({ name }) => name === route.req.param("name"));
    if (document === undefined) return notFound(`no document "${route.req.param("name")}"`);
    return context.intake(verdictIntake(({ value, bytes }) => rulingOn(judge(document, value, bytes))))(route, next);
  });
  app.get("/", () => Response.json(startPage(protocol, variant, allPaths())));
  app.notFound(({ req }) => notFound(`no ${req.method} ${req.path}`));
  app.onError(() => Response.json({ error: "internal" }, { status: 500 }));
  return Object.assign(async (request: Request) => app.fetch(request), {
    close() {
      for (const task of closeTasks.splice(0)) task();
    },
  });
}

/** Compiles each schema now. */
function compileAll({ profile }: RuledProtocol, judgeBySchema: Awaited<ReturnType<typeof judgeFor>>): void {
  for (const document of profile.documents)
    try {
      judgeBySchema(document, null);
    } catch {
      // Ignored here: a request for that document fails with the same error.
    }
}

function startPage({ name, version }: RuledProtocol, variant: Variant | undefined, paths: string[]): Json {
  return {
    about: "A reference implementation, only for testing.",
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

const maxWarnings = 10;
/** The maximum length of the header, because clients limit the size of all headers. */
const maxHeaderLength = 8000;

/** Adds the warnings to an answer as ASCII text in a separate header. */
function addWarnings(response: Response, warnings: readonly Reason[]): Response {
  if (warnings.length === 0) return response;
  const text = JSON.stringify(warnings.slice(0, maxWarnings)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (text.length <= maxHeaderLength) response.headers.set("touchstone-warnings", text);
  return response;
}

async function answer(request: Request, { media }: Service, intake: Intake, variant?: Variant): Promise<Response> {
  let body: Body | undefined;
  let ruling: Ruling = { advice: [] };
  try {
    body = await readBody(request, media, variant?.respellText);
    if (variant?.fixedAnswer === undefined) ruling = intake.judge(body);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    ruling = { refusal: { kind: error.kind, reasons: [{ at: "", message: error.message }] }, advice: [] };
  }
  const { refusal = variant?.fixedAnswer === "reject" ? unconditionalRefusal : undefined, advice } = ruling;
  if (refusal === undefined || variant?.fixedAnswer === "accept")
    return addWarnings(await intake.accepted(body?.value ?? null, request), advice);
  return intake.refused(refusal, body?.value);
}

const unconditionalRefusal: Refusal = { kind: "invalid", reasons: [{ at: "", message: "is refused by this variant" }] };
