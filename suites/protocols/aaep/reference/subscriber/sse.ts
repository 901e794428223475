import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ProducerLine } from "./line.ts";
import type { SubscriberPolicy } from "./model.ts";

/** Subscribes by POST, and receives events as a stream. */
export async function overSse(
  url: string,
  request: JsonObject,
  { decodes, reads }: Pick<SubscriberPolicy, "decodes" | "reads">,
): Promise<ProducerLine> {
  const response = await post(`${url}/aaep/v1/subscriptions`, request);
  const answer = (await response.json()) as JsonObject;
  const place = new URL(response.headers.get("location") ?? "/aaep/v1/events", url);
  const abort = new AbortController();
  return {
    answer,
    async send(message) {
      await post(`${url}/aaep/v1/replies`, message).catch(() => {});
    },
    async listen(take) {
      const decode = decodes();
      const read = reads(take);
      const readStream = async (): Promise<void> => {
        const { body } = await fetch(place, { headers: { accept: "text/event-stream" }, signal: abort.signal });
        for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) read(decode(bytes));
      };
      // A body that is aborted while its last bytes are read may neither end nor fail. A lost connection counts as the end.
      const isLeft = new Promise<void>((left) => abort.signal.addEventListener("abort", () => left(), { once: true }));
      await Promise.race([readStream().catch(() => {}), isLeft]);
    },
    end: () => abort.abort(),
  };
}

function post(url: string, message: JsonObject): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(message), signal: AbortSignal.timeout(10_000) });
}
