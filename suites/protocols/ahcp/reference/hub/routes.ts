import type { Context as Route } from "hono";
import {
  documentNamed,
  type Intake,
  isObject,
  type Json,
  type Refusal,
  readJson,
  type Service,
  type ServiceContext,
  TouchstoneError,
} from "../../../../../schemas/index.ts";
import { bytesOf, UnreadableBody } from "../../../../packs/reference/body.ts";
import { refusalSentence, refuseInvalid } from "../../../../packs/reference/service.ts";
import { callerOf } from "./access.ts";
import { cancel } from "./cancel.ts";
import { capabilityDocument } from "./capability.ts";
import type { RunningHub } from "./hub.ts";
import { refuseOverRate } from "./limits.ts";
import { close } from "./open.ts";
import { operate } from "./operator.ts";
import { read } from "./read.ts";
import { type Code, fault, type HubReply, isReply, responseOf } from "./reply.ts";
import { submit } from "./submit.ts";

/** The web service of a hub, with the endpoints of the protocol and of the operator. */
export function serviceOf(open: (context: ServiceContext) => RunningHub): Service {
  return {
    protocol: "ahcp",
    media: ["application/json"],
    routes(app, context) {
      const hub = open(context);
      context.closing(() => close(hub));
      app.use("*", async (route, next) => {
        await next();
        route.res.headers.set("date", new Date(hub.clock.now()).toUTCString());
      });
      app.get("/.well-known/ahcp", (route) => {
        const caller = hub.policy.isDiscoveryOpen ? undefined : callerOf(hub, route.req.raw.headers);
        if (caller !== undefined && isReply(caller)) return responseOf(caller);
        return responseOf(
          hub.policy.reply({ status: 200, body: capabilityDocument(hub) }, { route: "capability", hub }),
        );
      });
      app.post("/v1/messages", async (route, next) => {
        const caller = callerOf(hub, route.req.raw.headers);
        if (isReply(caller)) return responseOf(await hub.policy.replyToUnknownCaller(caller, () => route.req.text()));
        const rateRefusal = refuseOverRate(hub, caller.principal);
        if (rateRefusal !== undefined) return responseOf(hub.policy.reply(rateRefusal, { route: "refusal", hub }));
        return context.intake(intakeOf(hub, context, caller))(route, next);
      });
      app.get("/v1/messages/:id", async (route) => {
        const caller = callerOf(hub, route.req.raw.headers);
        if (isReply(caller)) return responseOf(caller);
        const query = { wait: route.req.query("wait"), since: route.req.query("since") };
        return responseOf(await read(hub, caller, { id: route.req.param("id"), query, signal: route.req.raw.signal }));
      });
      app.post("/v1/messages/:id/cancel", async (route) => {
        const caller = callerOf(hub, route.req.raw.headers);
        if (isReply(caller)) return responseOf(caller);
        if (!hub.policy.readsCancelBody && (await route.req.raw.arrayBuffer()).byteLength > 0)
          return responseOf(hub.policy.reply(fault("validation_error", "send no body"), { route: "refusal", hub }));
        return responseOf(await cancel(hub, caller, route.req.param("id")));
      });
      app.all("/operator/:operation", (route) => serveOperator(hub, route));
    },
  };
}

function intakeOf(hub: RunningHub, context: ServiceContext, caller: { principal: string | undefined }): Intake {
  const message = documentNamed(context.protocol, "message");
  let reasons: readonly NonNullable<Refusal["reasons"][number]>[] | undefined;
  return {
    judge({ value, bytes }) {
      const refusal = hub.policy.refuseVersion(value) ?? hub.policy.refuseSender(value, caller.principal, hub);
      if (refusal !== undefined) return { refusal, advice: [] };
      const { breaches, advice } = context.judge(message, value, bytes);
      // A breach with a rule but no keyword is semantic. Such a message is well-formed, so `submit` decides about it.
      const malformed = breaches.filter(({ keyword, rule }) => keyword !== undefined || rule === undefined);
      if (malformed.length > 0) return { refusal: refuseInvalid(malformed), advice };
      reasons = [...breaches, ...advice.filter(({ rule }) => rule === "AHCP-ASK-012")];
      return { advice };
    },
    async accepted(value, request) {
      const { origin } = new URL(request.url);
      if (reasons === undefined || !isObject(value)) return responseOf(unreadableReply(value, origin));
      return responseOf(await submit(hub, { message: value, reasons, caller, origin }));
    },
    refused(refusal) {
      return responseOf(hub.policy.reply(refusalOf(refusal), { route: "refusal", hub, refusal }));
    },
  };
}

/** The reply of a broken hub that accepts a message it cannot read. */
function unreadableReply(value: Json, origin: string): HubReply {
  const status = isObject(value) && value.type === "notify" ? "delivered" : "open";
  return { status: 202, body: { id: "msg_unread", status, poll_url: `${origin}/v1/messages/msg_unread` } };
}

function refusalOf(refusal: Refusal): HubReply {
  const codes: Record<Refusal["kind"], Code> = {
    invalid: "validation_error",
    unreadable: "validation_error",
    "media-type": "media_type_not_supported",
    "too-large": "too_large",
  };
  return fault((refusal.code as Code | undefined) ?? codes[refusal.kind], refusalSentence(refusal));
}

/** Serves the operator, but only on this machine. Any other host name means that a web page or a proxy sent the request. */
async function serveOperator(hub: RunningHub, route: Route): Promise<Response> {
  const { hostname, searchParams } = new URL(route.req.url);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname))
    return Response.json({ error: `the operator must use a local host name, not ${hostname}` }, { status: 403 });
  const name = route.req.param("operation") ?? "";
  try {
    const bytes = await bytesOf(route.req.raw);
    const input = bytes.length === 0 ? Object.fromEntries(searchParams) : readJson(bytes, "body").value;
    const answer = await operate(hub, name, input);
    if (answer !== undefined) return Response.json(answer);
    return Response.json({ error: `unknown operation "${name}"` }, { status: 404 });
  } catch (error) {
    if (error instanceof UnreadableBody) return Response.json({ error: error.message }, { status: 413 });
    if (error instanceof TouchstoneError) return Response.json({ error: error.message }, { status: 400 });
    throw error;
  }
}
