import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../../schemas/index.ts";
import { jsonIn } from "../../../packs/twins/json.ts";
import { object, texts } from "../../../packs/twins/say.ts";
import { twin } from "./twin.ts";

/** A producer with the protocol's own binding, which uses every freedom in one of two ways. */
export async function serveTwin(isStrict: boolean): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(isStrict, request, response).catch(() => response.writeHead(500).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function answer(isStrict: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const send = (status: number, body?: JsonObject): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
  };
  if (request.url === "/aaep/v1/events") send(405);
  else if (request.url === "/aaep/v1/replies") send(isStrict ? 400 : 204, isStrict ? { error: "ignored" } : undefined);
  else if (request.url !== "/aaep/v1/subscriptions") send(404);
  else {
    const body = await subscribe(isStrict, Buffer.concat(chunks));
    // A lenient producer lets the message alone say that it is a rejection.
    send(body.type === "subscription.accepted" ? 201 : isStrict ? 400 : 200, body);
  }
}

async function subscribe(isStrict: boolean, text: Uint8Array): Promise<JsonObject> {
  const reject = (code: string, why: string): JsonObject => ({
    type: "subscription.rejected",
    reason_code: code,
    reason_message: why,
  });
  const why = await twin.judge({ document: "subscription.request", text }, () => isStrict);
  if (why !== undefined) return reject("unknown", why);
  const { aaep_version: version, capabilities } = object(jsonIn(text));
  const { languages, max_events_per_second: rate } = object(capabilities);
  if (isStrict && version !== "1.0.0") return reject("version_unsupported", "Only 1.0.0 is spoken here.");
  const spoken = languages === undefined ? ["en-US"] : texts(languages).filter((each) => each.startsWith("en"));
  if (isStrict && spoken.length === 0) return reject("capabilities_incompatible", "Only English is spoken here.");
  return {
    type: "subscription.accepted",
    subscription_id: "sub_twin",
    aaep_version: "1.0.0",
    producer: { agent_id: "twin" },
    honored_capabilities: rate === undefined ? {} : { max_events_per_second: rate },
  };
}
