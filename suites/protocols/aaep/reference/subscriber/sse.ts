import type { JsonObject } from "../../../../../schemas/index.ts";
import type { SubscriberPolicy } from "./model.ts";
import type { ProducerTransport } from "./transport.ts";

/** Subscribes by POST, and receives events as a stream. */
export async function connectOverSse(
  url: string,
  request: JsonObject,
  { createDecoder, splitEvents }: Pick<SubscriberPolicy, "createDecoder" | "splitEvents">,
): Promise<ProducerTransport> {
  const response = await post(`${url}/aaep/v1/subscriptions`, request);
  const answer = (await response.json()) as JsonObject;
  const eventsUrl = new URL(response.headers.get("location") ?? "/aaep/v1/events", url);
  const abort = new AbortController();
  return {
    answer,
    async send(message) {
      await post(`${url}/aaep/v1/replies`, message).catch(() => {});
    },
    async listen(handleText) {
      const decode = createDecoder();
      const read = splitEvents(handleText);
      const readStream = async (): Promise<void> => {
        const { body } = await fetch(eventsUrl, { headers: { accept: "text/event-stream" }, signal: abort.signal });
        for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) read(decode(bytes));
      };
      // If the body is aborted while its last bytes are being read, it may neither end nor fail. A lost connection also counts as the end.
      const aborted = new Promise<void>((resolve) =>
        abort.signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      await Promise.race([readStream().catch(() => {}), aborted]);
    },
    end: () => abort.abort(),
  };
}

function post(url: string, message: JsonObject): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(message), signal: AbortSignal.timeout(10_000) });
}
