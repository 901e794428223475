import type { Json, ReceiverConnection } from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";

/** The connection that a signer uses to learn the identity of a server. A broken connection is not an answer. */
export function receiverConnection(
  ask: (request: Request) => Promise<Response>,
  headers: Record<string, string>,
  path: (at: string) => string,
  intake: string | undefined,
): ReceiverConnection {
  // A GET request has no body, so no type of one.
  const { "content-type": _, ...anyBody } = headers;
  const json = async (request: Request): Promise<Json | undefined> => {
    try {
      return JSON.parse((await ask(request)).body) as Json;
    } catch {
      return undefined;
    }
  };
  return {
    read: (at) =>
      json({ method: "GET", path: path(at), headers: { ...anyBody, accept: "application/json" }, body: "" }),
    async send(message) {
      if (intake === undefined) return undefined;
      return json({ method: "POST", path: path(intake), headers, body: JSON.stringify(message) });
    },
  };
}
