import type { Pack } from "../../../schemas/index.ts";

export const pack: Pack = {
  rules: () => import("./rules/index.ts"),
  session: () => import("./rules/session.ts"),
  reference: () => import("./reference/service.ts"),
  twin: () => import("./twin/twin.ts"),
  scenarios: () => import("./scenarios/index.ts"),
  walks: () => import("./scenarios/agent/walks/index.ts"),
  live: () => import("./reference/live.ts"),
};
