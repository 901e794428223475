import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { protocolNamed, TouchstoneError } from "../../../schemas/index.ts";
import { referenceOf } from "../pack/load.ts";
import { maxBodyBytes } from "./body.ts";
import { listVariants, startReference } from "./index.ts";
import type { ReferenceServer } from "./serve.ts";

let server: ReferenceServer | undefined;
afterEach(() => server?.close());

async function request(path: string, init?: RequestInit) {
  const answer = await fetch(`${server?.url}${path}`, init);
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

function post(path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") {
  return request(path, { method: "POST", headers: { "Content-Type": type }, body });
}

const ahcp = await referenceOf(protocolNamed("ahcp"));

describe("startReference", () => {
  const sample = JSON.stringify(ahcp.protocol.profile.documents[0]?.samples?.[0]);

  it("serves the protocol and its documents, and describes itself", async () => {
    server = await startReference(ahcp);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await request("/")).toMatchObject({
      status: 200,
      body: { protocol: "ahcp", version: "0.3", variant: null },
    });
    const { status, body } = await post("/v1/messages", sample);
    expect([status, body.poll_url]).toEqual([202, `${server.url}/v1/messages/${body.id}`]);
    expect(await post("/documents/message", sample)).toEqual({ status: 200, body: { valid: true } });
    expect(await post("/documents/message", "{}")).toMatchObject({ status: 422, body: { valid: false } });
    expect(await post("/documents/message", "{")).toMatchObject({ status: 400, body: { valid: false } });
  });

  it("lists the known paths in its answer to an unknown path or document", async () => {
    server = await startReference(ahcp);
    const { status, body } = await request("/v1/mesages");
    expect([status, body.error, body.message]).toEqual([404, "not_found", "no GET /v1/mesages"]);
    expect(body.paths).toContain("POST /v1/messages");
    expect(body.paths).toContain("POST /documents/submit-ack");
    expect((await request("/v1/messages")).status).toBe(404);
    expect(await post("/documents/mesage", "{}")).toMatchObject({
      status: 404,
      body: { message: 'no document "mesage"' },
    });
  });

  it("reads JSON text leniently if its variant does", async () => {
    server = await startReference(ahcp, { variant: "plain-integers" });
    expect((await post("/documents/message", sample)).status).toBe(200);
    const respelled = sample.replace("{", '{"more":[1.5,"1.0"],');
    expect((await post("/documents/message", respelled)).status).toBe(200);
    expect((await post("/documents/message", respelled.replace("1.5", "1.0"))).status).toBe(400);
  });

  it("refuses other media types, bytes that are not text, and large bodies", async () => {
    server = await startReference(ahcp);
    expect((await post("/v1/messages", sample, "text/plain")).status).toBe(415);
    expect((await post("/v1/messages", sample, "application/yaml")).status).toBe(415);
    const latin = new Uint8Array([...new TextEncoder().encode('{"title":"'), 0xe9, ...new TextEncoder().encode('"}')]);
    expect(await post("/v1/messages", latin)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("UTF-8") } },
    });
    expect((await post("/v1/messages", " ".repeat(maxBodyBytes) + sample)).status).toBe(413);
    const { body: stream } = new Response(" ".repeat(maxBodyBytes) + sample);
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: stream, duplex: "half" };
    expect((await request("/v1/messages", init as RequestInit)).status).toBe(413);
    expect((await post("/v1/messages", " ".repeat(maxBodyBytes - sample.length) + sample)).status).toBe(202);
  });

  it("does not reveal internal errors", async () => {
    server = await startReference({ ...ahcp, protocol: { ...ahcp.protocol, schemas: [] } });
    expect(await post("/v1/messages", sample)).toEqual({ status: 500, body: { error: "internal" } });
  });

  it("frees the port when it closes, even while a connection is open", async () => {
    server = await startReference(ahcp);
    const port = Number(new URL(server.url).port);
    const idle = connect(port, "127.0.0.1");
    const ended = new Promise((resolve) => idle.once("close", resolve).once("error", () => {}));
    await new Promise((resolve) => idle.once("connect", resolve));
    await expect(startReference(ahcp, { port })).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining(String(port)),
    });
    await server.close();
    await server.close();
    await ended;
    server = await startReference(ahcp, { port });
    expect(server.url).toBe(`http://127.0.0.1:${port}`);
  });

  it("starts a variant, and refuses an unknown variant or a variant without effect", async () => {
    server = await startReference(ahcp, { variant: "accept-all" });
    expect(await request("/")).toMatchObject({ body: { variant: "accept-all" } });
    expect((await post("/v1/messages", "{")).status).toBe(202);
    expect(await post("/documents/message", "{")).toEqual({ status: 200, body: { valid: true } });
    await expect(startReference(ahcp, { variant: "no-format" })).rejects.toThrow(
      /unknown variant "no-format"[\s\S]*mean "no-formats"/,
    );
    await expect(startReference(ahcp, { variant: "no-format" })).rejects.toThrow(TouchstoneError);
    await expect(
      startReference(await referenceOf(protocolNamed("agent-conventions")), { variant: "no-conditionals" }),
    ).rejects.toThrow('the variant "no-conditionals" makes no difference for agent-conventions');
  });

  it("serves the documents of a protocol without its own service", async () => {
    server = await startReference({ protocol: { ...ahcp.protocol, name: "homemade" }, service: undefined });
    expect((await post("/documents/message", sample)).status).toBe(200);
    expect((await post("/v1/messages", sample)).status).toBe(404);
  });
});

describe("variants", () => {
  it("lists the variants that make a difference, and which of them conform", () => {
    const variantNamesOf = (name: string) =>
      listVariants(protocolNamed(name)).map((variant) => `${variant.name}${variant.conforms ? " conforms" : ""}`);
    expect(variantNamesOf("ahcp")).toEqual([
      "accept-all",
      "reject-all",
      "schema-only",
      "no-formats",
      "no-conditionals",
      "utf16-length",
      "line-feeds",
      "loose-patterns",
      "open-objects",
      "closed-objects",
      "any-case-names",
      "integer-strings",
      "boolean-integers",
      "plain-integers",
      "rounded-integers conforms",
      "first-error-only conforms",
    ]);
    expect(variantNamesOf("aaep")).toEqual(expect.arrayContaining(["draft-07", "rounded-integers"]));
    expect(variantNamesOf("agent-conventions")).toContain("no-formats conforms");
    expect(variantNamesOf("agent-conventions")).not.toContain("utf16-length");
  });
});
