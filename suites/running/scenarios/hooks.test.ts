import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../schemas/index.ts";
import { hookFrom } from "./hooks.ts";

let server: Server;
let url = "";
let lastRequest: { method: string; path: string; body: string } = { method: "", path: "", body: "" };
let answer = { status: 200, body: "{}" };

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      lastRequest = { method: request.method ?? "", path: request.url ?? "", body };
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

async function call(http: JsonObject, parameters: JsonObject): Promise<JsonObject> {
  return hookFrom("resolve", { http: { url, ...http } })(parameters);
}

describe("a hook over HTTP", () => {
  it("fills its template: keeps the types of values, inserts strings, omits missing parameters", async () => {
    answer = { status: 200, body: "{}" };
    const body = { who: "{{actor}}", answer: { value: "{{value}}" }, comment: "{{comment}}", title: "for {{id}}" };
    await call({ url: `${url}/inbox/{{id}}`, body }, { id: "a/b", actor: "human:x", value: { n: 1 } });
    expect(lastRequest).toMatchObject({ method: "POST", path: "/inbox/a%2Fb" });
    expect(JSON.parse(lastRequest.body)).toEqual({ who: "human:x", answer: { value: { n: 1 } }, title: "for a/b" });
  });

  it("sends the parameters if it has no body", async () => {
    await call({}, { id: "m" });
    expect(JSON.parse(lastRequest.body)).toEqual({ id: "m" });
  });

  it.each([
    [200, "{}", { applied: true }],
    [200, '{"applied":false,"status":409}', { applied: false, status: 409 }],
    [403, '{"error":{"code":"not_authorized"}}', { applied: false, status: 403, code: "not_authorized" }],
  ])("answered with %i %s is read as applied or refused", async (status, body, expected) => {
    answer = { status, body };
    expect(await call({}, {})).toMatchObject(expected);
  });

  const correctRefusal = { status: 403, code: "not_authorized" };
  const error = { code: "not_authorized" };
  it.each<[what: string, status: number, body: JsonObject, expected: JsonObject]>([
    ["a lifecycle status", 403, { status: "open", error }, correctRefusal],
    ["the status as a string", 403, { status: "403", error }, correctRefusal],
    ["an own number and code at the top level", 403, { status: 0, code: "E403", error }, correctRefusal],
    ["a code that is a number", 403, { code: 403, error }, correctRefusal],
    ["a problem document", 403, { type: "about:blank", status: 403, code: "FORBIDDEN", error }, correctRefusal],
    ["only a code that is a number", 403, { code: 403 }, { status: 403 }],
    ["a code only at the top level", 403, { code: "not_authorized" }, correctRefusal],
    ["a status of a failure, although HTTP says 200", 200, { applied: false, status: 403, error }, correctRefusal],
    ["a lifecycle status, although HTTP says 200", 200, { applied: false, status: "open" }, {}],
    ["a status of a success, although HTTP says 200", 200, { applied: false, status: 200 }, {}],
  ])("with %s in its body is a refusal, with HTTP's status and error.code", async (_, status, body, expected) => {
    answer = { status, body: JSON.stringify(body) };
    const { status: reportedStatus, code, applied } = await call({}, {});
    expect({ status: reportedStatus, code, applied }).toEqual({
      status: undefined,
      code: undefined,
      ...expected,
      applied: false,
    });
  });

  it("that breaks down is an error, not a refusal", async () => {
    answer = { status: 500, body: "oh" };
    await expect(call({}, {})).rejects.toMatchObject({ name: "TargetFailure", outcome: "errored", stage: "hook" });
    await expect(hookFrom("x", { http: { url: "http://127.0.0.1:1/" } })({})).rejects.toMatchObject({ stage: "hook" });
  });
});

describe("a hook by a command", () => {
  it("receives parameters as JSON and returns the JSON it prints", async () => {
    const script = "process.stdin.on('data', (text) => console.log(JSON.stringify({ got: JSON.parse(text).id })))";
    expect(await hookFrom("view", { command: `node -e "${script}"` })({ id: "m" })).toEqual({ got: "m" });
  });

  it("that fails is an error, not a refusal", async () => {
    await expect(hookFrom("view", { command: "exit 3" })({})).rejects.toMatchObject({ stage: "hook" });
  });

  it("that fails is reported with its last error output", async () => {
    const command = `node -e "console.error('x'.repeat(300)); console.error('no such server'); process.exit(3)"`;
    const failedCall = hookFrom("restart", { command })({});
    await expect(failedCall).rejects.toThrow(
      /^the hook "restart" failed: the command ended with 3: …x+\\nno such server$/,
    );
  });

  it.skipIf(process.platform === "win32")("may leave a server behind that writes errors later", async () => {
    const command = `pid=$(setsid sh -c 'sleep 1000 >/dev/null & echo $!'); echo "{\\"pid\\": $pid}"`;
    const { pid } = await hookFrom("restart", { command })({});
    // It is still running, though the command's process group has ended.
    expect(process.kill(pid as number, "SIGKILL")).toBe(true);
  });
});

describe("a hook that does not work", () => {
  it.each([
    ["delete", 404, /404; check its URL/],
    ["restart", 403, /403; check its credentials/],
    ["clock", 400, /400; check its body/],
  ])("%s answered with %i is reported as an error of the hook", async (name, status, why) => {
    answer = { status, body: "{}" };
    const failedCall = hookFrom(name, { http: { url } })({});
    await expect(failedCall).rejects.toMatchObject({ outcome: "errored", stage: "hook" });
    await expect(failedCall).rejects.toThrow(why);
  });

  it("is skipped if its answer has the member skipped", async () => {
    answer = { status: 404, body: '{"skipped":"not here"}' };
    expect(await hookFrom("delete", { http: { url } })({})).toMatchObject({ skipped: "not here" });
  });
});
