import type { Pack } from "../../../schemas/index.ts";

export const pack: Pack = {
  rules: () => import("./rules/index.ts"),
  answers: () => import("./rules/answers.ts"),
};
