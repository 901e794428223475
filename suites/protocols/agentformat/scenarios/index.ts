import type { Scenario } from "../../../../schemas/index.ts";
import { bounds } from "./bounds.ts";
import { consent } from "./consent.ts";
import { data } from "./data.ts";
import { memory } from "./memory.ts";
import { policies } from "./policies.ts";
import { react } from "./react.ts";

/** The scenarios in the order in which they are played. */
export const scenarios: readonly Scenario[] = [...policies, ...data, ...react, ...bounds, ...memory, ...consent];

export const takesCommand = true;
