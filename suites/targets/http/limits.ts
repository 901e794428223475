import type { Json, Profile } from "../../../schemas/index.ts";
import { overLimit } from "../../http/over-limit.ts";
import type { Response } from "../../http/send.ts";

/** Which published limit a message is over that is refused; undefined for none. */
export type Over = (message: string | Uint8Array, refusal: Response) => Promise<string | undefined>;

/** What a server publishes is asked for once, when it first refuses a message. */
export function overOf(limits: Profile["http"]["limits"], read: (path: string) => Promise<Json | undefined>): Over {
  if (limits === undefined) return async () => undefined;
  let published: Promise<Json | undefined> | undefined;
  return async (message, { status, body }) => {
    if (status < 400 || status >= 500) return undefined;
    published ??= read(limits.path);
    return overLimit(limits, await published, message, body);
  };
}
