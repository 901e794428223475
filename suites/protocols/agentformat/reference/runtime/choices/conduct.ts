import { consent, memory } from "./asking.ts";
import type { RuntimeChoice } from "./choice.ts";
import { documents, models } from "./reading.ts";
import { calls, endings, outputs, policies } from "./work.ts";

/** All choices about a runtime's behaviour that the specification leaves open. */
export const conduct: readonly RuntimeChoice[] = [
  ...policies,
  ...endings,
  ...documents,
  ...outputs,
  ...calls,
  ...models,
  ...consent,
  ...memory,
].map((choice) => ({ ...choice, kind: "freedom" }));
