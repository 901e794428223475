import { consent, memory } from "./asking.ts";
import type { RuntimeChoice } from "./choice.ts";
import { documents, models } from "./reading.ts";
import { calls, endings, outputs, policies } from "./work.ts";

/** The choices that the specification leaves open about how a runtime behaves. */
export const conduct: readonly RuntimeChoice[] = [
  ...policies,
  ...endings,
  ...documents,
  ...outputs,
  ...calls,
  ...models,
  ...consent,
  ...memory,
].map((each) => ({ ...each, kind: "freedom" }));
