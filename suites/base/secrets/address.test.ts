import { describe, expect, it } from "vitest";
import type { Result } from "../../../schemas/index.ts";
import { describeCall } from "../../results/command-line.ts";
import { boundResult } from "../../results/reason-text.ts";
import { result } from "../../results/sample.fixture.ts";
import { createHider } from "./hide.ts";
import { secretsIn } from "./secret-members.ts";

describe("an address", () => {
  it.each([
    ["http://user-name:pass-word@h/", ["user-name", "pass-word"]],
    ["http://a-token:x@h/", ["a-token"]],
    ["http://a-token@h/", ["a-token"]],
    [" http://user-name:pass-word@h/", ["user-name", "pass-word"]],
    ["ht\ttp://user-name:pass-word@h/", ["user-name", "pass-word"]],
    ["http:\\\\user-name:pass-word@h\\a", ["user-name", "pass-word"]],
    ["http:user-name:pass-word@h", ["user-name", "pass-word"]],
    ["http:/user-name:pass-word@h", ["user-name", "pass-word"]],
    ["HTTP://user-name:pass@word@h", ["user-name", "pass@word"]],
    ["http://h/?a-bare-token", ["a-bare-token"]],
    ["http://h/?a=1&a-bare-token", ["a-bare-token"]],
    ["http://h/?a-bare-token=", ["a-bare-token"]],
    ["http://h/?key=two+words", ["two+words", "two words"]],
    ["http://h/?key=two%20words", ["two%20words", "two words"]],
    ["http://h/#access_token=in-the-fragment", ["in-the-fragment"]],
    ["htp://user-name:pass-word@h/", ["user-name", "pass-word"]],
    ["run it with http://user-name:pass-word@h/ please", ["user-name", "pass-word"]],
  ])("has its secrets found and hidden in any spelling: %j", (url, secrets) => {
    expect(secretsIn({ url })).toEqual(expect.arrayContaining(secrets));
    const target = { kind: "http" as const, url };
    const text = JSON.stringify(describeCall({ protocol: "sample", target }));
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it("is shown as written if it contains no secret, with a variable for each part of a query", () => {
    const commandFor = (url: string): string =>
      describeCall({ protocol: "sample", target: { kind: "http", url } }).command;
    expect(commandFor("http://h:1/a")).toMatch(/--http http:\/\/h:1\/a$/);
    expect(commandFor("http://h:1/a?b=c&d")).toMatch(/--http 'http:\/\/h:1\/a\?b='"\$B"'&'"\$QUERY"$/);
    expect(commandFor("http:\\\\me:pw@h:1\\a")).toMatch(/--http http:\/\/h:1\/a$/);
    const server = { protocol: "mcp", target: { kind: "mcp" as const, server: " http://me:secret@h/x?token" } };
    expect(describeCall(server).command).not.toMatch(/secret|token/);
  });
});

describe("a result", () => {
  const exchange = {
    request: { method: "POST", url: "http://a/x", headers: { "content-type": "a" }, body: '{"type":"message"}' },
    response: { status: 400, headers: { "x-part": "first-half-", "x-rest": "second-half" }, body: "{}" },
  };
  const fullResult = result({
    id: "sample/1.0/message/invalid/response",
    document: "message",
    outcome: "errored",
    stage: "connect",
    why: "connect: no message, no response",
    answer: { verdict: "rejected", reasons: [{ code: 12345678, message: "rejected" }], exchange },
    trace: [{ from: "message", to: "response", text: "request" }],
  });

  it("keeps its names, paths and fixed words even if one of them equals a secret", () => {
    for (const secret of ["message", "response", "rejected", "request", "headers", "connect", "errored", "method"])
      expect(boundResult(fullResult, createHider([secret])), secret).toEqual(fullResult);
    const { answer, ...otherMembers } = boundResult(fullResult, createHider(["connect:"]));
    expect(otherMembers).toMatchObject({
      id: fullResult.id,
      outcome: "errored",
      stage: "connect",
      why: "[redacted] no message, no response",
    });
    expect(answer?.verdict).toBe("rejected");
  });

  it("hides a secret in a number or spread over headers, and no other text", () => {
    const hideIn = (secret: string): Result => boundResult(fullResult, createHider([secret]));
    expect(hideIn("12345678").answer?.reasons).toEqual([{ code: "[redacted]", message: "rejected" }]);
    const { answer } = hideIn("first-half-second-half");
    expect(answer?.exchange?.response).toEqual({
      status: 400,
      headers: { "x-part": "[redacted]", "x-rest": "[redacted]" },
      body: "{}",
    });
    expect(answer?.exchange?.request).toEqual(exchange.request);
  });

  it("hides parts of a secret on both sides of a cut, even within an escape", () => {
    const secret = "tok-en-of-the-target";
    const hide = createHider([secret]);
    const escaped = Array.from(secret, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join("");
    for (let length = 0; length <= escaped.length; length++) {
      const boundedLeft = boundResult(
        result({ id: "sample/1.0/a/valid/b", why: `…${escaped.slice(length)} it said` }),
        hide,
      ).why;
      const boundedRight = boundResult(
        result({ id: "sample/1.0/a/valid/b", why: `it said ${escaped.slice(0, length)}…` }),
        hide,
      ).why;
      for (const boundedText of [boundedLeft, boundedRight]) {
        const unescaped = (boundedText ?? "").replace(/\\u00([0-9a-f]{2})/g, (_, hex) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        for (let index = 0; index + 5 <= secret.length; index++)
          expect(unescaped, `${length}`).not.toContain(secret.slice(index, index + 5));
      }
    }
    const long = `${"x".repeat(9995)}${secret}`;
    expect(boundResult(result({ id: "sample/1.0/a/valid/b", why: long }), hide).why).toMatch(/x{3}\[redac?t?e?d?…$/);
  });
});

it("treats the parameters of a hook's call as secrets, but not the hook's name", () => {
  const http = { url: "http://127.0.0.1:8080/ctl/key", headers: { authorization: "Bearer tell-nobody" } };
  expect(
    secretsIn({ hooks: { key: { http }, secret: { http: { url: "http://127.0.0.1:8080/ctl/secret" } } } }),
  ).toEqual(secretsIn({ http }));
});
