import type { Json } from "../json.ts";

/** Makes the message or recording to which steps lead, given as one text. Throws for a step that is not possible. */
export type Walk = (steps: string) => Json;

/** Makes the recordings that cases begin from, if they are given as steps. */
export interface Walker {
  walk: Walk;
}
