import type { Pack } from "../../../schemas/index.ts";

export const pack: Pack = {
  rules: () => import("./rules/index.ts"),
  walker: () => import("./rules/trace/walker.ts"),
  session: () => import("./rules/session.ts"),
  reference: () => import("./reference/service.ts"),
  scenarios: () => import("./scenarios/index.ts"),
  live: () => import("./reference/live.ts"),
  twin: () => import("./twin/twin.ts"),
  walks: () => import("./scenarios/producer/walks/index.ts"),
};
