import type { Hono } from "hono";
import {
  documentNamed,
  type Extension,
  type Judge,
  namesOf,
  type Protocol,
  type Service,
  type ServiceContext,
} from "../../../../schemas/index.ts";
import { type MessageSpelling, messageSpellings } from "../../../packs/pack/renamed-scenarios.ts";
import { refusalSentence, refuseInvalid } from "../../../packs/reference/service.ts";
import { fault, responseOf } from "../../ahcp/reference/hub/reply.ts";
import { service as ahcpService } from "../../ahcp/reference/service.ts";
import { publishLegs } from "./hub/legs.ts";

/** Adds the routes that AHCP does not have. `ask` sends a request to the AHCP service, with the names converted. */
export type OwnRoutes = (app: Hono, context: ServiceContext, askAhcp: (request: Request) => Promise<Response>) => void;

/** Offers an AHCP service under MA2H's names, and validates with MA2H's schemas. */
export function inOwnNames(service: Service, addRoutes?: OwnRoutes): Service {
  return {
    ...service,
    protocol: "ma2h",
    routes(app, context) {
      const extension = context.protocol.extends as Extension;
      const inner = new (app.constructor as new () => Hono)();
      service.routes(inner, { ...context, judge: judgeUnderOwnNames(context, extension) });
      const renaming = { ...messageSpellings(extension), path: namesOf(extension).back().text };
      const askAhcp = (request: Request): Promise<Response> =>
        answerUnderOwnNames(request, renaming, async (renamed) => inner.fetch(renamed));
      addRoutes?.(app, context, askAhcp);
      for (const path of ["/.well-known/ma2h", "/v1/*", "/operator/*"])
        app.all(path, (route) => askAhcp(route.req.raw));
    },
  };
}

function judgeUnderOwnNames(
  { protocol, judge }: Pick<ServiceContext, "protocol" | "judge">,
  extension: Extension,
): Judge {
  const { toPack } = messageSpellings(extension);
  const names = namesOf(extension).back();
  const renameReasons = <T extends { at?: string; rule?: string }>(reasons: readonly T[]): T[] =>
    reasons.map((reason) => ({
      ...reason,
      ...(reason.at === undefined ? {} : { at: names.pointer(reason.at) }),
      ...(reason.rule === undefined ? {} : { rule: names.id(reason.rule) }),
    }));
  return (document, value, bytes) => {
    const ownDocument = documentNamed(protocol as Protocol, document.name);
    const { breaches, advice } = judge(ownDocument, toPack.value(value), bytes && convertNames(bytes, toPack));
    return { breaches: renameReasons(breaches), advice: renameReasons(advice) };
  };
}

/** Converts requests to AHCP's names, and answers back. It is expensive to create, so it is created once. */
interface ServiceRenaming extends Record<"toPack" | "toParent", MessageSpelling> {
  path(path: string): string;
}

async function answerUnderOwnNames(
  request: Request,
  { toPack, toParent, path }: ServiceRenaming,
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  const url = new URL(request.url);
  url.pathname = path(url.pathname);
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = new Headers(toParent.headers(Object.fromEntries(request.headers)));
  const { method, signal } = request;
  const content = method === "GET" || method === "HEAD" ? {} : { body: convertNames(body, toParent) };
  const answer = await ask(new Request(url, { method, headers, signal, ...content }));
  const bytes = convertNames(new Uint8Array(await answer.arrayBuffer()), toPack);
  const isEmpty = answer.status === 204 || answer.status === 304;
  return new Response(isEmpty ? null : bytes, { status: answer.status, headers: answer.headers });
}

/** Converts the names in UTF-8 text. Invalid UTF-8 stays unchanged. */
function convertNames(bytes: Uint8Array, spelling: MessageSpelling): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(bytes).toString("utf8");
  const isUtf8 = Buffer.from(text, "utf8").equals(bytes);
  return new Uint8Array(isUtf8 ? Buffer.from(spelling.text(text), "utf8") : bytes);
}

/** Accepts every registration that its schema allows. Real sessions need a hub with a clock and credentials. */
const registrationRoutes: OwnRoutes = (app, { protocol, judge, intake }, ask) => {
  app.get("/.well-known/ma2h", async (route) => publishLegs(await ask(route.req.raw)));
  const document = documentNamed(protocol, "registration");
  app.post(
    "/v1/sessions",
    intake({
      judge({ value, bytes }) {
        const { breaches, advice } = judge(document, value, bytes);
        return { advice, ...(breaches.length === 0 ? {} : { refusal: refuseInvalid(breaches) }) };
      },
      accepted: () => Response.json({ session: {} }, { status: 201 }),
      refused: (refusal) => responseOf(fault("validation_error", refusalSentence(refusal))),
    }),
  );
};

export const service: Service = {
  ...inOwnNames(ahcpService, registrationRoutes),
  variants: (ahcpService.variants ?? []).map((variant) => ({
    ...variant,
    name: variant.name.replace("AHCP-", "MA2H-"),
    service: inOwnNames(variant.service, registrationRoutes),
  })),
};
