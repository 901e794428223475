import type { Json, Profile } from "../../../schemas/index.ts";
import { leastBytes, overLimit } from "../../http/over-limit.ts";
import type { Response } from "../../http/send.ts";

/** Which published limit a message is over that is answered so: undefined for none, and where it is taken. */
export type Over = (message: string | Uint8Array, answer: Response) => Promise<string | undefined>;

/** What a server publishes is asked for once, when it first refuses a message. */
export function overOf(limits: Profile["http"]["limits"], read: (path: string) => Promise<Json | undefined>): Over {
  if (limits === undefined) return async () => undefined;
  let published: Promise<Json | undefined> | undefined;
  let taken = 0;
  return async (message, { status, body: refusal }) => {
    if (status < 300) taken = Math.max(taken, leastBytes(message));
    if (status < 400 || status >= 500) return undefined;
    published ??= read(limits.path);
    return overLimit(limits, await published, { message, refusal, taken });
  };
}
