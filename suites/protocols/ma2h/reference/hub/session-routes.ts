import type { ServiceContext } from "../../../../../schemas/index.ts";
import type { HubReply } from "../../../ahcp/reference/hub/reply.ts";
import type { OwnRoutes } from "../service.ts";
import { isPerson, readPresence } from "./person.ts";
import type { PostOffice } from "./post.ts";
import { closeSession, listSessions, readSession, registerSession } from "./sessions.ts";

/** Helpers of routes. `answer` sends a reply, and `asAgent` authenticates the agent first. */
export interface RouteTools {
  office: () => PostOffice;
  context: ServiceContext;
  answer(reply: Promise<HubReply>): Promise<Response>;
  asAgent(request: Request, act: (principal: string) => HubReply | Promise<HubReply>): Promise<Response>;
}

/** The endpoints of sessions and of presence. */
export function sessionRoutes(app: Parameters<OwnRoutes>[0], { office, context, answer, asAgent }: RouteTools): void {
  app.post("/v1/sessions", ({ req }) =>
    asAgent(req.raw, (principal) => registerSession(office(), principal, req.raw, context)),
  );
  // The viewer is an agent, or undefined for the person of the account.
  const asViewer = (request: Request, act: (viewer: string | undefined) => HubReply): Promise<Response> =>
    isPerson(request.headers) && office().decisions.personManagesSessions
      ? answer(Promise.resolve(act(undefined)))
      : asAgent(request, act);
  app.get("/v1/sessions", ({ req }) => asViewer(req.raw, (viewer) => listSessions(office(), viewer)));
  app.get("/v1/sessions/:id", ({ req }) =>
    asViewer(req.raw, (viewer) => readSession(office(), viewer, req.param("id"))),
  );
  app.delete("/v1/sessions/:id", ({ req }) =>
    asViewer(req.raw, (viewer) => closeSession(office(), viewer, req.param("id"))),
  );
  app.get("/v1/agents/:id/presence", ({ req }) => {
    const read = (isPerson: boolean): HubReply => readPresence(office(), req.param("id"), { isPerson });
    return isPerson(req.raw.headers) ? answer(Promise.resolve(read(true))) : asAgent(req.raw, () => read(false));
  });
}
