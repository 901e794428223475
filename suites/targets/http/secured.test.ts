import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { Document, Protocol, Target, TargetAnswer } from "../../../schemas/index.ts";
import { httpTarget } from "../http.ts";
import { answerOf } from "../observations.fixture.ts";

const item: Document = {
  name: "add-item",
  title: "Item",
  schema: "https://example.test/item",
  file: "item.schema.json",
  standalone: true,
  role: "entry",
  endpoint: {
    method: "POST",
    path: "/items",
    described: {
      answers: [],
      rule: "ADD-ITEM-ANSWER-001",
      credentials: [],
      security: { rule: "ADD-ITEM-SECURITY-001", places: [{ in: "header", name: "authorization", scheme: "bearer" }] },
    },
  },
};

let server: Server;
let target: Target;
afterEach(async () => {
  await target.close();
  server.closeAllConnections();
  server.close();
});

/** Sends a message to a server that accepts each key once, in requests that `admits` allows; other requests get the status `refusal`. */
async function answerTo(
  admits: (request: IncomingMessage) => boolean,
  document: Document,
  keep: string[] = [],
  refusal = 401,
): Promise<TargetAnswer> {
  const keys = new Set<string>();
  server = createServer(async (request, response) => {
    const { key } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const status = keys.has(key) ? 409 : admits(request) ? 201 : refusal;
    if (status === 201) keys.add(key);
    response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  target = httpTarget({ url, headers: { Authorization: "Bearer right" } });
  const http = { accepted: [{ status: [201] }], rejected: [{ status: [400] }] };
  const profile = { documents: [document], http };
  await target.open({ name: "items", version: "1", rules: [], schemas: [], profile } as unknown as Protocol);
  return answerOf(await target.check({ document, data: { key: "a" }, keep, seed: 1 }, AbortSignal.timeout(30_000)));
}

const freshItem: Document = { ...item, fresh: [{ at: "/key", make: "uuid" }] };

it.each([
  ["a message", []],
  ["a message about the key", ["/key"]],
])("a server that does not check tokens is detected by %s, although it accepts each key only once", async (_, keep) => {
  const expectedBreach = { rule: "ADD-ITEM-SECURITY-001", level: "MUST" };
  expect((await answerTo(() => true, freshItem, keep)).breach).toMatchObject(expectedBreach);
  expect(target.untested?.()).toEqual([]);
});

it.each([401, 404])("a server is shown to refuse wrong tokens by HTTP %i", async (refusal) => {
  const isRight = ({ headers }: IncomingMessage): boolean => headers.authorization === "Bearer right";
  expect((await answerTo(isRight, freshItem, [], refusal)).breach).toBeUndefined();
  expect(target.untested?.()).toEqual([]);
});

it("nothing is known about a server that recognises the key if the key is never fresh", async () => {
  expect((await answerTo(() => true, item)).breach).toBeUndefined();
  expect(target.untested?.()).toEqual([
    { rule: "ADD-ITEM-SECURITY-001", why: "POST /items without credentials is answered with HTTP 409" },
  ]);
});

it("a credential that is also a parameter, in a header or the query, is left out and tried like any other", async () => {
  for (const where of ["header", "query"] as const) {
    const receivedKeys: string[] = [];
    server = createServer(({ url, headers }, response) => {
      receivedKeys.push(`${url} ${headers["x-key"] ?? ""}`.trim());
      response.writeHead(200).end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const place = { in: where, name: "X-Key" };
    const endpoint = {
      method: "GET",
      path: "/items",
      carries: "parameters",
      parameters: [{ ...place, style: where === "header" ? "simple" : "form", explode: true, types: ["string"] }],
      described: { ...item.endpoint?.described, security: { rule: "ADD-ITEM-SECURITY-001", places: [place] } },
    };
    const document = { ...item, endpoint } as unknown as Document;
    target = httpTarget(where === "header" ? { url, headers: { "X-Key": "right" } } : { url: `${url}?X-Key=right` });
    const profile = { documents: [document], http: { accepted: [{ status: [200] }], rejected: [] } };
    await target.open({ name: "items", version: "1", rules: [], schemas: [], profile } as unknown as Protocol);
    const data = { [where]: { "X-Key": "made-up" } };
    const { breach } = answerOf(await target.check({ document, data, keep: [], seed: 1 }, AbortSignal.timeout(30_000)));
    expect(breach?.message).toMatch(/GET \/items without credentials is answered with HTTP 200/);
    expect(receivedKeys).toEqual([where === "header" ? "/items right" : "/items?X-Key=right", "/items"]);
    await target.close();
    server.close();
  }
});
