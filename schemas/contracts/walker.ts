import type { Json } from "../json.ts";

/** Makes the message or recording that the steps produce; all steps are in one string. Throws for an impossible step. */
export type Walk = (steps: string) => Json;

/** Makes recordings for cases that give them as steps. */
export interface Walker {
  walk: Walk;
}
