import type { Pool } from "undici";
import { type Closing, isObject, type Json, jsonOf } from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";

/** How to reach the server: the connection, and the headers and paths of requests. */
interface ServerAccess {
  pool: Pool;
  origin: string;
  headers: Record<string, string>;
  pathTo(path: string): string;
  ask(request: Request, signal: AbortSignal): Promise<Response>;
}

/** Milliseconds for each attempt. */
const attemptMs = 1000;

/** Returns a function that closes the task or stream that an answer has opened. If the server does not accept the closing message, the stream that the answer names is opened and left, so that nothing waits there. Never rejects: staying open is not a fault of the message. */
export function closerOf(
  closing: Closing | undefined,
  access: ServerAccess,
): ((answer: Response) => Promise<void>) | undefined {
  if (closing === undefined) return undefined;
  const { pool, origin, headers, pathTo, ask } = access;

  const close = async (id: Json): Promise<boolean> => {
    const body = JSON.stringify({ ...closing.body, [closing.id]: id });
    const request: Request = { method: "POST", path: pathTo(closing.path), headers, body };
    return (await ask(request, AbortSignal.timeout(attemptMs))).status < 300;
  };

  const openAndLeave = async (location: string | undefined): Promise<void> => {
    if (location === undefined || !URL.canParse(location, origin)) return;
    const address = new URL(location, origin);
    // The request carries credentials.
    if (address.origin !== origin) return;
    const { "content-type": _, ...otherHeaders } = headers;
    const { body } = await pool.request({
      method: "GET",
      path: `${address.pathname}${address.search}`,
      headers: { ...otherHeaders, accept: "text/event-stream" },
      signal: AbortSignal.timeout(attemptMs),
    });
    body.on("error", () => {}).destroy();
  };

  return async ({ status, headers: answerHeaders, body }) => {
    const json = status < 300 ? jsonOf(body) : undefined;
    const id = isObject(json) && Object.hasOwn(json, closing.id) ? json[closing.id] : undefined;
    if (id === undefined) return;
    const isClosed = await close(id).catch(() => false);
    if (!isClosed) await openAndLeave(answerHeaders.location).catch(() => {});
  };
}
