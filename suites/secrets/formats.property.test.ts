import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Result } from "../../schemas/index.ts";
import { formats } from "../reports/index.ts";
import { told } from "../results/command-line.ts";
import { heard } from "../results/heard.ts";
import { reportOf, result, rules } from "../results/sample.fixture.ts";
import { secretsIn } from "./carried.ts";
import { echoes, secrets } from "./encodings.fixture.ts";
import { isFound } from "./found.fixture.ts";
import { hider } from "./hide.ts";

/** Where a target may put what it has heard. */
const places: Record<string, (echo: string) => Partial<Result>> = {
  "a reason": (echo) => ({
    answer: { verdict: "rejected", reasons: [{ at: "/a", code: echo, message: `no: ${echo}` }] },
  }),
  "a place": (echo) => ({
    answer: { verdict: "rejected", reasons: [{ at: `/${echo}`, site: echo, rule: echo, keyword: echo }] },
  }),
  "a body": (echo) => exchanging({ a: "1" }, JSON.stringify({ deep: [{ said: echo }] })),
  "a body that is cut": (echo) => exchanging({ a: "1" }, `${"x".repeat(4900)}${echo}`),
  "a header": (echo) => exchanging({ "x-said": echo }, ""),
  "a header's name": (echo) => exchanging({ [echo]: "1" }, ""),
  "a scenario": (echo) => ({
    exchanges: [{ request: { method: "GET", url: `http://a/${echo}`, headers: {}, body: echo } }],
  }),
  why: (echo) => ({ why: `it said: ${echo}` }),
  "a stage": (echo) => ({ stage: echo, outcome: "errored" }),
};

function exchanging(headers: Record<string, string>, body: string): Partial<Result> {
  const exchange = {
    request: { method: "POST", url: "http://a/", headers: {}, body: "{}" },
    response: { status: 400, headers, body },
  };
  return { answer: { verdict: "rejected", reasons: [], exchange } };
}

describe("no format of a report", () => {
  it.each(formats.map((format) => [format.name, format] as const))("tells a secret: %s", (_, format) => {
    fc.assert(
      fc.property(echoes, fc.constantFrom(...Object.keys(places)), ({ secret, echo }, place) => {
        const hide = hider([secret]);
        const more = (places[place] as (echo: string) => Partial<Result>)(echo);
        const own = result({
          id: "sample/1.0/note/valid/a",
          outcome: "violates",
          why: "refused",
          rule: "S-1",
          ...more,
        });
        const report = reportOf([heard(own, hide)]);
        expect(isFound(secret, format.render(report, { rules, examples: 10 }))).toBe(false);
      }),
      { numRuns: format.name === "html" ? 10 : 60 },
    );
  });
});

it("the command that repeats a run tells nothing of an address or a header", () => {
  fc.assert(
    fc.property(secrets, secrets, secrets, (password, query, header) => {
      const url = `http://me:${encodeURIComponent(password)}@127.0.0.1:1/base?access_token=${encodeURIComponent(query)}&v=${encodeURIComponent(query)}`;
      const said = told({ protocol: "sample", target: { kind: "http", url, headers: { "X-Own": header } } });
      const text = JSON.stringify(said);
      for (const secret of [password, query, header]) expect(isFound(secret, text)).toBe(false);
      expect(said.command).toContain(`--http 'http://127.0.0.1:1/base?access_token='"$ACCESS_TOKEN"'&v='"$V"`);
    }),
    { numRuns: 100 },
  );
});

it("every secret of a configuration is known, also of one that is malformed", () => {
  const config = {
    target: {
      kind: "http",
      url: "htp://me:of-the-address@h/?token=of-the-query",
      headers: { Authorization: "Bearer of-the-header" },
    },
    credentials: { a: { agent: "somebody", token: "of-an-agent" }, b: "of-nobody-else" },
    hooks: {
      clock: {
        http: { url: "http://h/?key=of-a-hook", headers: { "X-Key": "of-a-hook-too" }, body: { secret: "of-a-body" } },
      },
    },
    callbackAuth: {
      hmac: { reference: "vault://one", secret: "of-callbacks", second: { reference: "r", secret: 12345678 } },
    },
    agent: { url: "http://a/?x=of-an-address", key: { alg: "ed25519", seed: "of-a-key" } },
  };
  const known = secretsIn(config);
  expect(known).toEqual(
    expect.arrayContaining([
      ...[
        "of-the-address",
        "of-the-query",
        "of-the-header",
        "of-an-agent",
        "of-nobody-else",
        "of-a-hook",
        "of-a-hook-too",
      ],
      ...["of-a-body", "of-callbacks", "12345678", "of-an-address", "of-a-key"],
    ]),
  );
  for (const plain of ["somebody", "vault://one", "ed25519", "http"]) expect(known).not.toContain(plain);
});
