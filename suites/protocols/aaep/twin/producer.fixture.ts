import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../../schemas/index.ts";
import { jsonIn } from "../../../packs/twins/json.ts";
import { objectOrEmpty, stringsIn } from "../../../packs/twins/say.ts";
import { twin } from "./twin.ts";

/** Serves a producer over the protocol's HTTP binding. It uses every freedom in the strict or in the lenient way. */
export async function serveTwin(isStrict: boolean): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answerRequest(isStrict, request, response).catch(() => response.writeHead(500).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function answerRequest(isStrict: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    // A lenient producer rejects with status 200, so only the message shows the rejection.
    const rejectionStatus = isStrict ? 400 : 200;
    send(body.type === "subscription.accepted" ? 201 : rejectionStatus, body);
  }
}

async function subscribe(isStrict: boolean, text: Uint8Array): Promise<JsonObject> {
  const reject = (code: string, reason: string): JsonObject => ({
    type: "subscription.rejected",
    reason_code: code,
    reason_message: reason,
  });
  const refusal = await twin.judge({ document: "subscription.request", text }, () => isStrict);
  if (refusal !== undefined) return reject("unknown", refusal);
  const { aaep_version: version, capabilities } = objectOrEmpty(jsonIn(text));
  const { languages, max_events_per_second: rate } = objectOrEmpty(capabilities);
  if (isStrict && version !== "1.0.0") return reject("version_unsupported", "Only 1.0.0 is supported here.");
  const supportedLanguages =
    languages === undefined ? ["en-US"] : stringsIn(languages).filter((language) => language.startsWith("en"));
  if (isStrict && supportedLanguages.length === 0)
    return reject("capabilities_incompatible", "Only English is supported here.");
  return {
    type: "subscription.accepted",
    subscription_id: "sub_twin",
    aaep_version: "1.0.0",
    producer: { agent_id: "twin" },
    honored_capabilities: rate === undefined ? {} : { max_events_per_second: rate },
  };
}
