import {
  documentNamed,
  isObject,
  type JsonObject,
  jsonObjectOf,
  type ServiceContext,
} from "../../../../../schemas/index.ts";
import { callerOf } from "../../../ahcp/reference/hub/access.ts";
import type { RunningHub } from "../../../ahcp/reference/hub/hub.ts";
import { blockOf, end, expire } from "../../../ahcp/reference/hub/lifecycle.ts";
import { fault, type HubReply, isReply } from "../../../ahcp/reference/hub/reply.ts";
import { resolve } from "../../../ahcp/reference/hub/resolve.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import { isOver, type Ma2hDecisions } from "./decisions.ts";
import type { PostOffice } from "./post.ts";
import { findPresented, isSession } from "./sessions.ts";

/** What the endpoints that resolve and acknowledge need: the hub, and its decisions about them. */
export interface Wire {
  hub: RunningHub;
  office: PostOffice;
  context: ServiceContext;
  decisions: Ma2hDecisions;
}

const noSuchMessage = fault("not_found", "there is no such message");

/** Answers a request to resolve a message over HTTP. */
export async function resolveByWire(wire: Wire, id: string, request: Request): Promise<HubReply> {
  const { hub, decisions } = wire;
  const caller = callerOf(hub, request.headers);
  if (isReply(caller)) return caller;
  const { principal = "" } = caller;
  const entry = hub.store.entries.get(id);
  if (entry === undefined || entry.deleted) return noSuchMessage;
  const bodyText = await request.text();
  const body = jsonObjectOf(bodyText) ?? {};
  const sessionId = new URL(request.url).searchParams.get("session");
  const session = findPresented(wire.office, principal, sessionId, "resolve");
  if (session !== undefined && !isSession(session)) return session;
  const agentActor = decisions.nameResolver(principal, body);
  const actor = session === undefined ? agentActor : `${agentActor}#${session.id}`;
  const isSubmitter = entry.agent === principal;
  if (!decisions.mayResolve(hub.policy.mayResolve(actor, entry), principal, entry))
    return refuseUnpermitted(isSubmitter, decisions);
  if (decisions.validatesResolves) {
    const { breaches } = wire.context.judge(documentNamed(wire.context.protocol, "resolve-request"), body);
    if (breaches.length > 0) return fault("validation_error", "the body is not a resolve request");
  }
  expire(hub, entry, "resolve");
  if (entry.message.type !== "notify" && isOver(entry.status)) return refuseLate(entry, body, decisions);
  if (decisions.acceptsRivalResolvers) await new Promise((done) => setImmediate(done));
  return resolveNow(wire, entry, { ...decisions.changeResolve(body), id, actor, claims: body });
}

function refuseUnpermitted(isSubmitter: boolean, { strangerStatus }: Ma2hDecisions): HubReply {
  const mayKnowMessage = isSubmitter || strangerStatus === 403;
  return mayKnowMessage ? fault("not_authorized", "this resolver is not permitted") : noSuchMessage;
}

function refuseLate(
  { id, status, envelope = {} }: StoredMessage,
  body: JsonObject,
  decisions: Ma2hDecisions,
): HubReply {
  const resolution = String(body.resolution);
  if (decisions.acceptsLateResolvers)
    return { status: 200, body: { id, status: resolution, resolution_id: String(envelope.resolution_id) } };
  return fault("already_terminal", `the message is ${status}`, {
    id,
    status,
    resolution: envelope.resolution ?? status,
  });
}

async function resolveNow(
  { hub, decisions }: Wire,
  entry: StoredMessage,
  resolveRequest: JsonObject,
): Promise<HubReply> {
  const { id, message } = entry;
  const resolution = String(resolveRequest.resolution);
  if (decisions.extraResolutions.includes(resolution)) {
    end(hub, entry, { resolution, actor: String(resolveRequest.actor) }, hub.clock.now());
  } else if (!decisions.validatesValues && isObject(blockOf(message))) {
    const { value } = resolveRequest;
    const outcome = { resolution, actor: String(resolveRequest.actor), ...(value === undefined ? {} : { value }) };
    end(hub, entry, outcome, hub.clock.now());
  } else {
    const attempt = await resolve(hub, resolveRequest);
    if (!attempt.applied && attempt.code === "already_terminal" && decisions.acceptsRivalResolvers)
      return { status: 200, body: { id, status: resolution, resolution_id: `res_${id}` } };
    if (!attempt.applied) {
      if (attempt.code === "already_terminal" && message.type !== "notify")
        return refuseLate(entry, resolveRequest, decisions);
      return fault(attempt.code, attempt.message);
    }
  }
  const { status, envelope } = entry;
  return {
    status: 200,
    body: decisions.presentResolved({ id, status, resolution_id: envelope?.resolution_id ?? "" }, entry),
  };
}
