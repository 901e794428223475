import type { Pack } from "../../../schemas/index.ts";

export const pack: Pack = {
  rules: () => import("./rules/index.ts"),
  answers: () => import("./rules/answers.ts"),
  reference: () => import("./reference/service.ts"),
  twin: () => import("./twin/twin.ts"),
  scenarios: () => import("./scenarios/index.ts"),
  live: () => import("./reference/live.ts"),
  walks: () => import("./scenarios/walks/index.ts"),
  agent: () => import("./scenarios/agent/index.ts"),
};
