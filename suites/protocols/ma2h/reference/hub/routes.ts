import { isObject, type JsonObject, jsonObjectOf } from "../../../../../schemas/index.ts";
import type { MessageSpelling } from "../../../../packs/pack/renamed-scenarios.ts";
import { callerOf } from "../../../ahcp/reference/hub/access.ts";
import { fault, type HubReply, isReply, responseOf } from "../../../ahcp/reference/hub/reply.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";
import type { OwnRoutes } from "../service.ts";
import { acknowledge, acknowledgeOutcome, readWithTrack, type Tracks } from "./acknowledging.ts";
import type { Ma2hDecisions } from "./decisions.ts";
import { acknowledgeEntries, drain } from "./inbox.ts";
import { publishLegs } from "./legs.ts";
import type { PostOffice } from "./post.ts";
import { resolveByWire, type Wire } from "./resolving.ts";
import { type RouteTools, sessionRoutes } from "./session-routes.ts";
import { openStream } from "./stream.ts";

/** Adds the endpoints that AHCP does not have, and changes the answers of some others. */
export function ownRoutes(office: () => PostOffice, decisions: Ma2hDecisions, spelling: MessageSpelling): OwnRoutes {
  const hub = () => office().hub;
  return (app, context, ask) => {
    const tracks = (): Tracks => office().post.tracks;
    const wire = (): Wire => ({ hub: hub(), office: office(), context, decisions });
    const answer = async (reply: Promise<HubReply>): Promise<Response> => {
      const response = responseOf(await reply);
      response.headers.set("date", new Date(hub().clock.now()).toUTCString());
      return response;
    };
    addMessageRoute(app, { office, answer }, ask);
    app.post("/v1/messages/:id/resolve", (route) =>
      answer(resolveByWire(wire(), route.req.param("id"), route.req.raw)),
    );
    app.post("/v1/messages/:id/ack", (route) =>
      answer(acknowledge(wire(), tracks(), route.req.param("id"), route.req.raw)),
    );
    const asAgent: RouteTools["asAgent"] = (request, act) => {
      const caller = callerOf(hub(), request.headers);
      if (isReply(caller)) return answer(Promise.resolve(caller));
      const { post, decisions: postDecisions } = office();
      if (postDecisions.countsAsSeen("request")) post.seen.set(caller.principal ?? "", hub().clock.now());
      return answer(Promise.resolve(act(caller.principal ?? "")));
    };
    sessionRoutes(app, { office, context, answer, asAgent });
    app.get("/v1/inbox", ({ req }) =>
      asAgent(req.raw, (principal) => {
        const query = new URL(req.url).searchParams;
        return drain(office(), principal, { query, signal: req.raw.signal, spelling });
      }),
    );
    app.get("/v1/stream", ({ req }) => {
      const caller = callerOf(hub(), req.raw.headers);
      const query = new URL(req.url).searchParams;
      const stream = isReply(caller)
        ? caller
        : openStream(office(), caller.principal ?? "", { query, signal: req.raw.signal, spelling });
      return stream instanceof Response ? stream : answer(Promise.resolve(stream));
    });
    app.post("/v1/inbox/ack", ({ req }) =>
      asAgent(req.raw, (principal) => {
        const onOutcome = (message: StoredMessage): void => acknowledgeOutcome(wire(), tracks(), message);
        return acknowledgeEntries(office(), principal, req.raw, { spelling, onOutcome });
      }),
    );
    app.get("/v1/messages/:id", async (route) => {
      const { raw: request } = route.req;
      recordWaitingRead(office(), request);
      const directive = readDirective(office(), route.req.param("id"));
      return directive ?? readWithTrack(wire(), tracks(), () => ask(request));
    });
    app.get("/.well-known/ma2h", async (route) => {
      const ahcpAnswer = await ask(route.req.raw);
      return publishLegs(ahcpAnswer, { office: office(), streamUrl: new URL("/v1/stream", route.req.url).href });
    });
  };
}

/** Refuses addresses in messages from an agent with a # in its id. */
function addMessageRoute(
  app: Parameters<OwnRoutes>[0],
  { office, answer }: Pick<RouteTools, "office" | "answer">,
  ask: Parameters<OwnRoutes>[2],
): void {
  app.post("/v1/messages", async ({ req }) => {
    const caller = callerOf(office().hub, req.raw.headers);
    const message = jsonObjectOf(await req.raw.clone().text());
    const hasHash = !isReply(caller) && (caller.principal ?? "").includes("#");
    if (!hasHash || message === undefined || !hasAddress(message)) return ask(req.raw);
    if (office().decisions.acceptsHashAgents) return ask(withoutAddress(req.raw, message));
    return answer(Promise.resolve(fault("invalid_field", "an agent with a # in its id has no address")));
  });
}

function hasAddress({ to, agent }: JsonObject): boolean {
  return to !== undefined || (isObject(agent) && agent.session !== undefined);
}

/** The request without `to` and session, as a broken hub accepts it. */
function withoutAddress({ url, headers }: Request, { to: _to, agent, ...message }: JsonObject): Request {
  const { session: _session, ...sender } = isObject(agent) ? agent : {};
  const otherHeaders = new Headers(headers);
  otherHeaders.delete("content-length");
  return new Request(url, {
    method: "POST",
    headers: otherHeaders,
    body: JSON.stringify({ ...message, agent: sender }),
  });
}

/** Records that an agent is present if its read waits for an outcome. */
function recordWaitingRead({ hub, post, decisions }: PostOffice, { url, headers }: Request): void {
  const caller = callerOf(hub, headers);
  const isWaiting = Number(new URL(url).searchParams.get("wait")) > 0;
  if (isWaiting && !isReply(caller) && decisions.countsAsSeen("waiting read"))
    post.seen.set(caller.principal ?? "", hub.clock.now());
}

/** The directive with this id, if the hub lets directives be read as messages. */
function readDirective({ post, decisions }: PostOffice, id: string): Response | undefined {
  const directive = decisions.showsDirectivesAsMessages
    ? post.directives.find(({ payload }) => payload.id === id)
    : undefined;
  return directive && Response.json({ ...directive.payload, status: "open" });
}
