import type { Json, ReceiverConnection } from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";

/** Creates the connection with which a signer learns the identity of a server. A broken connection does not count as an answer. */
export function receiverConnection(
  ask: (request: Request) => Promise<Response>,
  headers: Record<string, string>,
  path: (at: string) => string,
  intake: string | undefined,
): ReceiverConnection {
  // A GET request has no body, and therefore no Content-Type.
  const { "content-type": _, ...bodilessHeaders } = headers;
  const askForJson = async (request: Request): Promise<Json | undefined> => {
    try {
      return JSON.parse((await ask(request)).body) as Json;
    } catch {
      return undefined;
    }
  };
  return {
    read: (at) =>
      askForJson({
        method: "GET",
        path: path(at),
        headers: { ...bodilessHeaders, accept: "application/json" },
        body: "",
      }),
    async send(message) {
      if (intake === undefined) return undefined;
      return askForJson({ method: "POST", path: path(intake), headers, body: JSON.stringify(message) });
    },
  };
}
