import { jsonObjectOf } from "../../../../../schemas/index.ts";
import type { RunningHub } from "../../../ahcp/reference/hub/hub.ts";
import { type HubReply, responseOf } from "../../../ahcp/reference/hub/reply.ts";
import type { OwnRoutes } from "../service.ts";
import { acknowledge, readWithTrack, type Tracks } from "./acknowledging.ts";
import type { OwnDecisions } from "./decisions.ts";
import { resolveByWire, type Wire } from "./resolving.ts";

/** The endpoints that AHCP does not have, and what they change in the answers of the others. */
export function ownRoutes(hub: () => RunningHub, decides: OwnDecisions): OwnRoutes {
  return (app, context, ask) => {
    const tracks: Tracks = new Map();
    const wire = (): Wire => ({ hub: hub(), context, decides });
    const answer = async (reply: Promise<HubReply>): Promise<Response> => {
      const response = responseOf(await reply);
      response.headers.set("date", new Date(hub().clock.now()).toUTCString());
      return response;
    };
    app.post("/v1/messages/:id/resolve", (route) =>
      answer(resolveByWire(wire(), route.req.param("id"), route.req.raw)),
    );
    app.post("/v1/messages/:id/ack", (route) =>
      answer(acknowledge(wire(), tracks, route.req.param("id"), route.req.raw)),
    );
    app.get("/v1/messages/:id", async (route) => readWithTrack(wire(), tracks, await ask(route.req.raw)));
    app.get("/.well-known/ma2h", async (route) => {
      const published = await ask(route.req.raw);
      const body = published.status === 200 ? jsonObjectOf(await published.clone().text()) : undefined;
      if (body === undefined) return published;
      const ack = { enabled: true, signature_algs: ["hmac-sha256", "ed25519"] };
      return new Response(JSON.stringify({ ...body, ack }), { status: 200, headers: published.headers });
    });
  };
}
