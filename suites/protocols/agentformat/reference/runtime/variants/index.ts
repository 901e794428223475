import type { RuntimeVariant } from "../variant.ts";
import { bounds } from "./bounds.ts";
import { conditions } from "./conditions.ts";
import { consent } from "./consent.ts";
import { data } from "./data.ts";
import { declaredVariants } from "./declared.ts";
import { flows } from "./flows.ts";

/** Runtimes that break a rule, by families of rules. */
export const runtimeVariants: readonly RuntimeVariant[] = [
  ...declaredVariants,
  ...conditions,
  ...consent,
  ...flows,
  ...data,
  ...bounds,
];
