import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { documentNamed, protocolNamed } from "../../../schemas/index.ts";
import { httpTarget } from "../http.ts";

const protocol = protocolNamed("aaep");
const document = documentNamed(protocol, "subscription.request");

/** Sends a message that opens a subscription. The server answers the closing message with `status`. Returns the verdict and the requests that followed. */
async function exchangeWith(status: number, accepted: object, location = "/aaep/v1/events?subscription_id=sub_1") {
  const requests: string[] = [];
  let leave = (): void => {};
  const disconnected = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method === "HEAD" || request.url === "/") return void response.end();
    if (request.url === "/aaep/v1/subscriptions")
      return void response
        .writeHead(201, { "content-type": "application/json", location })
        .end(JSON.stringify(accepted));
    requests.push(`${request.method} ${request.url} ${request.headers.authorization} ${text}`);
    if (request.method === "POST") return void response.writeHead(status).end();
    response.on("close", () => leave());
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = httpTarget({ url, headers: { authorization: "Bearer t" } });
  try {
    await target.open(protocol);
    const data = { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "reader", capabilities: {} };
    const { verdict } = await target.check({ document, data, keep: [], seed: 1 }, AbortSignal.timeout(5000));
    if (requests.some((request) => request.startsWith("GET"))) await disconnected;
    return { verdict, requests };
  } finally {
    await target.close();
    server.closeAllConnections();
    server.close();
  }
}

const accepted = { type: "subscription.accepted", subscription_id: "sub_1" };
const close = {
  type: "subscription.close",
  reason_code: "shutdown",
  reason_message: "That was all.",
  subscription_id: "sub_1",
};
const closeRequest = `POST /aaep/v1/replies Bearer t ${JSON.stringify(close)}`;
const streamRequest = "GET /aaep/v1/events?subscription_id=sub_1 Bearer t ";

it("closes the resource that a message opened, and no other", async () => {
  await expect(exchangeWith(204, accepted)).resolves.toEqual({ verdict: "accepted", requests: [closeRequest] });
});

it("opens and leaves the stream of a resource that it cannot close, without a fault", async () => {
  await expect(exchangeWith(404, accepted)).resolves.toEqual({
    verdict: "accepted",
    requests: [closeRequest, streamRequest],
  });
});

it("does not send credentials to a different host", async () => {
  const elsewhere = "http://localhost:1/aaep/v1/events";
  await expect(exchangeWith(404, accepted, elsewhere)).resolves.toEqual({
    verdict: "accepted",
    requests: [closeRequest],
  });
});

it("does not close anything if the answer has no id", async () => {
  await expect(exchangeWith(204, { type: "subscription.accepted" })).resolves.toEqual({
    verdict: "accepted",
    requests: [],
  });
});
