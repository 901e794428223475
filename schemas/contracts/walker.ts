import type { Json } from "../json.ts";

/** Makes the message or recording to which steps lead, given as one text. Throws for a step that may not be taken. */
export type Walk = (steps: string) => Json;

/** Makes what cases begin from, if that is given as steps. */
export interface Walker {
  walk: Walk;
}
