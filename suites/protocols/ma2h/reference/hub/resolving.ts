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
import { isOver, type OwnDecisions } from "./decisions.ts";
import type { PostOffice } from "./post.ts";
import { findPresented, isSession } from "./sessions.ts";

export interface Wire {
  hub: RunningHub;
  office: PostOffice;
  context: ServiceContext;
  decides: OwnDecisions;
}

const absent = fault("not_found", "there is no such message");

/** An agent ends a message by HTTP, as the hub knows it. */
export async function resolveByWire(wire: Wire, id: string, request: Request): Promise<HubReply> {
  const { hub, decides } = wire;
  const caller = callerOf(hub, request.headers);
  if (isReply(caller)) return caller;
  const { principal = "" } = caller;
  const entry = hub.store.entries.get(id);
  if (entry === undefined || entry.deleted) return absent;
  const text = await request.text();
  const body = jsonObjectOf(text) ?? {};
  const named = new URL(request.url).searchParams.get("session");
  const session = findPresented(wire.office, principal, named, "resolve");
  if (session !== undefined && !isSession(session)) return session;
  const speaker = decides.resolver(principal, body);
  const actor = session === undefined ? speaker : `${speaker}#${session.id}`;
  const isSubmitter = entry.agent === principal;
  if (!decides.mayResolve(hub.policy.mayResolve(actor, entry), principal, entry)) return refuse(isSubmitter, decides);
  if (decides.readsStrictly) {
    const { breaches } = wire.context.judge(documentNamed(wire.context.protocol, "resolve-request"), body);
    if (breaches.length > 0) return fault("validation_error", "the body is not a resolve request");
  }
  expire(hub, entry, "resolve");
  if (entry.message.type !== "notify" && isOver(entry.status)) return tooLate(entry, body, decides);
  if (decides.pleasesRivals) await new Promise((done) => setImmediate(done));
  return resolveNow(wire, entry, { ...decides.resolves(body), id, actor, claims: body });
}

function refuse(isSubmitter: boolean, { strange }: OwnDecisions): HubReply {
  const isKnown = isSubmitter || strange === 403;
  return isKnown ? fault("not_authorized", "this resolver is not permitted") : absent;
}

function tooLate({ id, status, envelope = {} }: StoredMessage, body: JsonObject, decides: OwnDecisions): HubReply {
  const resolution = String(body.resolution);
  if (decides.pleasesLate)
    return { status: 200, body: { id, status: resolution, resolution_id: String(envelope.resolution_id) } };
  return fault("already_terminal", `the message is ${status}`, {
    id,
    status,
    resolution: envelope.resolution ?? status,
  });
}

async function resolveNow({ hub, decides }: Wire, entry: StoredMessage, given: JsonObject): Promise<HubReply> {
  const { id, message } = entry;
  const resolution = String(given.resolution);
  if (decides.moreWords.includes(resolution)) {
    end(hub, entry, { resolution, actor: String(given.actor) }, hub.clock.now());
  } else if (!decides.judgesValue && isObject(blockOf(message))) {
    const { value } = given;
    end(
      hub,
      entry,
      { resolution, actor: String(given.actor), ...(value === undefined ? {} : { value }) },
      hub.clock.now(),
    );
  } else {
    const told = await resolve(hub, given);
    if (!told.applied && told.code === "already_terminal" && decides.pleasesRivals)
      return { status: 200, body: { id, status: resolution, resolution_id: `res_${id}` } };
    if (!told.applied) {
      if (told.code === "already_terminal" && message.type !== "notify") return tooLate(entry, given, decides);
      return fault(told.code, told.message);
    }
  }
  const { status, envelope } = entry;
  return { status: 200, body: decides.resolved({ id, status, resolution_id: envelope?.resolution_id ?? "" }, entry) };
}
