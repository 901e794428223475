import type { Json, Reason, RuledProtocol } from "../../schemas/index.ts";
import { readBody, Unreadable } from "./body.ts";
import { rulesFor } from "./rules.ts";
import type { Handler } from "./serve.ts";
import { type Context, type Intake, invalid, type Judge, type Refusal, type Service, verdicts } from "./service.ts";
import { judgeFor } from "./validator.ts";
import type { Variant } from "./variants/variant.ts";

/** The web handler of a reference implementation: the protocol's own routes, every document at `/documents/NAME`, and a page at `/`. */
export async function createApp(protocol: RuledProtocol, service: Service, variant?: Variant): Promise<Handler> {
  const { Hono } = await import("hono");
  const app = new Hono();
  const schemas = await judgeFor(protocol, variant);
  const rules = await rulesFor(protocol, variant);
  /** What was said against the instance judged last, though it may be accepted. */
  let warnings: Reason[] = [];
  let body: Body | undefined;
  const closing: (() => void)[] = [];
  const judge: Judge = (document, value) => {
    const reasons = schemas(document, value);
    if (reasons.length > 0) return reasons;
    const { breaches, advice } = rules(document, value, value === body?.value ? body.bytes : undefined);
    warnings.push(...advice);
    return breaches;
  };
  const context: Context = {
    protocol,
    judge,
    advice: () => warnings,
    closing: (task) => void closing.push(task),
    intake: (intake) => async (route) => {
      const noted: Intake & Reader = {
        ...intake,
        judge(value) {
          warnings = [];
          return intake.judge(value);
        },
        read(read) {
          body = read;
        },
        accepted: async (value, request) => {
          const own = warnings;
          return warned(await intake.accepted(value, request), own);
        },
      };
      return answer(route.req.raw, service, noted, variant);
    },
  };

  service.routes(app, context);
  app.post("/documents/:name", (route, next) => {
    const document = protocol.profile.documents.find(({ name }) => name === route.req.param("name"));
    if (document === undefined) return missing(`no document "${route.req.param("name")}"`);
    return context.intake(verdicts((value) => invalid(judge(document, value))))(route, next);
  });
  app.get("/", () => Response.json(page()));
  app.notFound(({ req }) => missing(`no ${req.method} ${req.path}`));
  app.onError(() => Response.json({ error: "internal" }, { status: 500 }));
  return Object.assign(async (request: Request) => app.fetch(request), {
    close() {
      for (const task of closing.splice(0)) task();
    },
  });

  function page(): Json {
    return {
      about: "A reference implementation, for testing and for nothing else.",
      protocol: protocol.name,
      version: protocol.version,
      variant: variant?.name ?? null,
      paths: paths(),
    };
  }

  function missing(message: string): Response {
    return Response.json({ error: "not_found", message, paths: paths() }, { status: 404 });
  }

  function paths(): string[] {
    const documents = protocol.profile.documents.map(({ name }) => `POST /documents/${name}`);
    const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
    return routes.flatMap((route) => (route.endsWith("/:name") ? documents : [route]));
  }
}

/** The answer with what there is to say in a header of its own, in ASCII. */
function warned(response: Response, warnings: readonly Reason[]): Response {
  if (warnings.length === 0) return response;
  const text = JSON.stringify(warnings.slice(0, 10)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (text.length <= 8000) response.headers.set("touchstone-warnings", text);
  return response;
}

interface Body {
  value: Json;
  bytes: Uint8Array;
}

interface Reader {
  /** Hears of the body right before its value is judged. */
  read(body: Body): void;
}

async function answer(
  request: Request,
  { media }: Service,
  intake: Intake & Reader,
  variant?: Variant,
): Promise<Response> {
  let value: Json | undefined;
  let refusal: Refusal | undefined;
  try {
    const body = await readBody(request, media, variant?.read);
    value = body.value;
    intake.read(body);
    refusal = variant?.always === undefined ? intake.judge(value) : undefined;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    refusal = { kind: error.kind, reasons: [{ at: "", message: error.message }] };
  }
  if (variant?.always === "accept") return intake.accepted(value ?? null, request);
  if (variant?.always === "reject")
    refusal ??= { kind: "invalid", reasons: [{ at: "", message: "is refused by this variant" }] };
  return refusal === undefined ? intake.accepted(value ?? null, request) : intake.refused(refusal, value);
}
