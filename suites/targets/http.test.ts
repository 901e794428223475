import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Document, type Json, type Protocol, protocolNamed, type Target } from "../../schemas/index.ts";
import { type HttpOptions, httpTarget } from "./http.ts";
import { answerOf } from "./observations.fixture.ts";
import { referenceTarget } from "./reference.ts";

const note: Document = {
  name: "note",
  title: "Note",
  schema: "https://example.test/note",
  file: "note.schema.json",
  standalone: true,
  role: "entry",
  endpoint: { method: "POST", path: "/notes" },
  fresh: [{ at: "/sent", make: "date-time" }],
};
const otherDocuments: Document[] = [
  {
    ...note,
    name: "inner",
    endpoint: { method: "PUT", path: "/outer" },
    wrap: { at: "/payload", in: { id: "old", payload: 0 } },
    fresh: [{ at: "/id", make: "token", prefix: "msg-", in: "carrier" }],
  },
  { name: "sent", title: "", schema: "", file: "", standalone: true, role: "emitted" },
  { name: "shared", title: "", schema: "", file: "", standalone: true, role: "part" },
  { name: "lost", title: "", schema: "", file: "", standalone: true, role: "entry" },
  { ...note, name: "keyed", fresh: [{ at: "/key", make: "uuid", clash: "taken" }] },
];
const protocol = {
  name: "notes",
  version: "1.0",
  rules: [],
  schemas: [],
  profile: {
    documents: [note, ...otherDocuments],
    http: {
      headers: { "X-Version": "1" },
      accepted: [{ status: [202] }],
      rejected: [{ status: [422] }],
      reason: { code: "/code", message: "/message" },
    },
  },
} as unknown as Protocol;

let server: Server | undefined;
let target: Target;
afterEach(async () => {
  await target.close();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Starts a server with the given behaviour, and opens a target for it. Returns the requests that the server receives. */
async function openServer(
  respond: (response: ServerResponse, seen: SeenRequest, count: number) => void,
  options: Partial<HttpOptions> & { base?: string } = {},
): Promise<SeenRequest[]> {
  const requests: SeenRequest[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    requests.push(seen);
    respond(response, seen, requests.length);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { base = "", ...otherOptions } = options;
  target = httpTarget({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, ...otherOptions });
  await target.open(protocol);
  expect(requests).toEqual([]);
  return requests;
}

const documentNamed = (name: string): Document =>
  [note, ...otherDocuments].find((document) => document.name === name) as Document;
const question = (data: Json, name = "note") => ({ document: documentNamed(name), data, keep: [], seed: 1 });
const check = async (data: Json, name = "note", signal = AbortSignal.timeout(30_000)) =>
  Promise.resolve(target.check(question(data, name), signal)).then(answerOf);
const accept = (response: ServerResponse): unknown => response.writeHead(202).end();

describe("a request", () => {
  it("goes to the document's path below the address, with all headers and a fresh body", async () => {
    const requests = await openServer(accept, {
      base: "/api/?tenant=a",
      headers: { "x-version": "2" },
      now: () => 1e12,
    });
    await check({ sent: "long ago", text: "hello" });
    expect(requests).toMatchObject([{ method: "POST", url: "/api/notes?tenant=a" }]);
    expect(requests[0]?.headers).toMatchObject({ "content-type": "application/json", "x-version": "2" });
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ sent: "2001-09-09T01:46:40Z", text: "hello" });
  });

  it("carries a document inside its carrier, which is made fresh too", async () => {
    const requests = await openServer(accept);
    await check({ id: "mine" }, "inner");
    expect(requests[0]?.method).toBe("PUT");
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      id: expect.stringMatching(/^msg-\w{24}$/),
      payload: { id: "mine" },
    });
  });

  it("carries raw text byte by byte, but not inside a carrier", async () => {
    const requests = await openServer(accept);
    const raw = { keep: [], seed: 1, bytes: new Uint8Array([0x7b, 0x7d, 0x20]) };
    await target.check({ ...raw, document: note }, AbortSignal.timeout(30_000));
    expect(requests[0]?.body).toBe("{} ");
    expect(target.skips({ ...raw, document: documentNamed("inner") })).toMatchObject({
      why: expect.stringMatching(/raw text has no place/),
    });
  });

  it("in YAML is skipped for a server that does not read YAML, and in JSON is not", async () => {
    await openServer((response) => response.writeHead(415).end());
    const questionWith = { document: note, text: "a: 1", keep: [], seed: 1 };
    const signal = AbortSignal.timeout(30_000);
    expect(await target.check({ ...questionWith, yaml: true }, signal)).toMatchObject({ kind: "declined" });
    expect(await target.check(questionWith, signal)).toMatchObject({
      why: expect.stringContaining("the server does not accept this content type"),
    });
  });

  it("uses configured paths, and has none for documents that a server does not receive", async () => {
    const requests = await openServer(accept, { endpoints: { note: "/other", lost: "/found" } });
    await check(1);
    await check(2, "lost");
    expect(requests.map(({ url }) => url)).toEqual(["/other", "/found"]);
    expect(target.skips(question(1))).toBeUndefined();
    expect(target.skips(question(1, "sent"))).toMatchObject({ why: expect.stringMatching(/sends this document/) });
    expect(target.skips(question(1, "shared"))).toMatchObject({ why: expect.stringMatching(/inside another/) });
    await expect(check(1, "sent")).rejects.toMatchObject({ outcome: "errored", stage: "send" });
  });
});

describe("recorded exchanges", () => {
  it("are bounded and free of secrets", async () => {
    const secret = "s3cret-s3cret";
    await openServer(
      (response, { headers }) => {
        response.setHeader("set-cookie", "session=1").writeHead(422, { "content-type": "application/json" });
        response.end(JSON.stringify({ message: `you said ${headers.authorization}`, filler: "x".repeat(10_000) }));
      },
      { headers: { Authorization: `Bearer ${secret}` } },
    );
    const answer = await check({ text: "y".repeat(10_000) });
    expect(answer.exchange?.request).toMatchObject({ method: "POST", headers: { authorization: "[redacted]" } });
    expect(answer.exchange?.response).toMatchObject({ status: 422, headers: { "set-cookie": "[redacted]" } });
    expect(answer.exchange?.request.body.length).toBeLessThanOrEqual(4097);
    expect(answer.exchange?.response?.body.length).toBeLessThanOrEqual(4097);
    // Reasons are judged before redaction; secrets in them are hidden in the result.
    expect(JSON.stringify(answer.exchange)).not.toContain(secret);
  });

  it("do not contain credentials from the address, even in a failure", async () => {
    const requests: SeenRequest[] = await openServer((response, { headers }) =>
      response.writeHead(500).end(headers.authorization),
    );
    const { host } = new URL(target.name);
    await target.close();
    target = httpTarget({ url: `http://me:passw0rd@${host}/` });
    await target.open(protocol);
    expect(target.name).toBe(`http://${host}`);
    const failure = await check(1).catch((error) => error);
    expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa("me:passw0rd")}`);
    expect(failure.message).toMatch(/HTTP 500.*\[redacted\]/);
  });
});

describe("a server that", () => {
  it("redirects is not followed", async () => {
    const requests = await openServer((response) => response.writeHead(307, { location: "/elsewhere" }).end());
    await expect(check(1)).rejects.toMatchObject({ outcome: "errored", message: /\/elsewhere/ });
    expect(requests).toHaveLength(1);
  });

  it("closes the connection gets the request once more, and only once", async () => {
    const requests = await openServer((response, _seen, count) =>
      count === 1 ? response.destroy() : accept(response),
    );
    expect((await check(1)).verdict).toBe("accepted");
    expect(requests).toHaveLength(2);
    await target.close();
    server?.close();
    const secondRequests = await openServer((response) => response.destroy());
    await expect(check(1)).rejects.toMatchObject({ outcome: "errored", message: /closed the connection/ });
    expect(secondRequests).toHaveLength(2);
  });

  it("never ends its answer is cut off", async () => {
    await openServer((response) => {
      const writeMore = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.writeHead(202).on("drain", writeMore);
      writeMore();
    });
    await expect(check(1)).rejects.toMatchObject({ outcome: "errored", stage: "read", message: /1 MiB/ });
  });

  it("stops in the middle of an answer is timed out, or errored if it closes the connection", async () => {
    await openServer((response, { body }) => {
      response.writeHead(202, { "content-length": "10" }).write("abc");
      if (body === '"leave"') setTimeout(() => response.destroy(), 20);
    });
    await expect(check("stay", "note", AbortSignal.timeout(150))).rejects.toMatchObject({
      outcome: "timed-out",
      stage: "read",
    });
    await expect(check("leave")).rejects.toMatchObject({ outcome: "errored", stage: "read" });
  });

  it("refuses a repeated value is taken to remember it, if the vector cannot change that value", async () => {
    await openServer((response, { body }) =>
      response.writeHead(409).end(JSON.stringify({ code: body.includes("other") ? "locked" : "taken" })),
    );
    const questionWith = async (key: string, keep: string[]) =>
      Promise.resolve(target.check({ ...question({ key }, "keyed"), keep }, AbortSignal.timeout(30_000))).then(
        answerOf,
      );
    await expect(questionWith("k", ["/key"])).rejects.toMatchObject({ kind: "remembered" });
    await expect(questionWith("other", ["/key"])).rejects.toThrow(/locked/);
    await expect(questionWith("other", ["/key"])).rejects.toMatchObject({
      kind: expect.stringMatching(/^(declined|about-state)$/),
    });
    await expect(questionWith("k", [])).rejects.toMatchObject({
      kind: expect.stringMatching(/^(declined|about-state)$/),
    });
  });

  it("limits requests is waited for, within the time limit", async () => {
    const requests = await openServer((response, { body }, count) => {
      if (body === '"later"' || count > 2)
        response.writeHead(429, { "retry-after": body === '"later"' ? "3600" : "20" }).end();
      else if (count === 1) response.writeHead(429, { "retry-after": "0" }).end();
      else accept(response);
    });
    expect((await check("soon")).verdict).toBe("accepted");
    expect(requests).toHaveLength(2);
    const lateAbort = new AbortController();
    const waitingCheck = check("waits", "note", lateAbort.signal);
    while (target.isHeld?.() !== true) await new Promise((resolve) => setImmediate(resolve));
    lateAbort.abort();
    await expect(waitingCheck).rejects.toMatchObject({ outcome: "errored", message: /limiting requests.*--only/ });
    await expect(check("later")).rejects.toThrow(/Retry-After 3600; raise the server's limits/);
    // After one request has waited in vain, the others do not wait.
    await expect(check("another")).rejects.toMatchObject({ outcome: "errored" });
    expect(requests).toHaveLength(5);
  });

  it("limits every request is given up in the end", async () => {
    const requests = await openServer((response) => response.writeHead(429, { "retry-after": "0" }).end());
    await expect(check(1)).rejects.toMatchObject({ outcome: "errored", message: /raise the server/ });
    expect(requests).toHaveLength(9);
  });
});

describe("opening fails for", () => {
  it("a server that is not running", async () => {
    await openServer(accept);
    const url = target.name;
    server?.close();
    await target.close();
    target = httpTarget({ url });
    const opening = target.open(protocol);
    await expect(opening).rejects.toMatchObject({ name: "TouchstoneError", kind: "target" });
    await expect(opening).rejects.toThrow(/cannot connect to http:\/\/127\.0\.0\.1:\d+: ECONNREFUSED/);
  });

  it.each([
    [{ endpoints: { nite: "/x" } }, /"nite", which notes does not have[\s\S]*did you mean "note"/],
    [{ endpoints: { note: "//evil.test/x" } }, /is not a path/],
    [{ endpoints: { note: "http://evil.test/x" } }, /is not a path/],
    [{ headers: { "bad name": "secret-value" } }, /the header "bad name" cannot be sent/],
    [{ headers: { "x-key": "a\nb" } }, /the header "x-key" cannot be sent/],
  ])("an impossible configuration: %j", async (options, message) => {
    const opening = openServer(accept, options as Partial<HttpOptions>);
    await expect(opening).rejects.toMatchObject({ kind: "usage" });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow(/secret-value/);
  });

  it.each(["localhost:8080", "ftp://host/", "not a url"])("an invalid address: %s", (url) => {
    expect(() => httpTarget({ url })).toThrow(/is not the address of an HTTP server/);
  });
});

describe("the reference", () => {
  it("accepts documents at its own endpoints and by name", async () => {
    target = referenceTarget();
    const ahcp = protocolNamed("ahcp");
    await target.open(ahcp);
    expect(target.name).toBe("reference");
    const withSamples = ahcp.profile.documents.filter((document) => (document.samples ?? []).length > 0);
    expect(withSamples.length).toBeGreaterThan(1);
    for (const document of withSamples) {
      const send = (data: Json) =>
        Promise.resolve(target.check({ document, data, keep: [], seed: 1 }, AbortSignal.timeout(30_000))).then(
          answerOf,
        );
      expect(target.skips({ document, data: null, keep: [], seed: 1 })).toBeUndefined();
      expect((await send(document.samples?.[0] as Json)).verdict).toBe("accepted");
      const refusedAnswer = await send([]);
      expect(refusedAnswer.verdict).toBe("rejected");
      expect(refusedAnswer.reasons[0]?.message).toBeTruthy();
    }
  });
});
