import fc from "fast-check";
import { expect, it } from "vitest";
import type { Report, Result } from "../../../schemas/index.ts";
import { formats, readReport } from "../../reports/index.ts";
import { describeCall } from "../../results/command-line.ts";
import { boundResult } from "../../results/reason-text.ts";
import { result, rules, validReport, violatedResult } from "../../results/sample.fixture.ts";
import { echoes, echoesOf, secrets, unicodeSecrets } from "./encodings.fixture.ts";
import { isRevealed } from "./found.fixture.ts";
import { createHider } from "./hide.ts";
import { secretsIn } from "./secret-members.ts";
import { isOwnWord } from "./words.ts";

/** The places in a report where a target may repeat a string. */
const echoPlaces: Record<string, (echo: string) => Partial<Result>> = {
  "a reason": (echo) => ({
    answer: { verdict: "rejected", reasons: [{ at: "/a", code: echo, message: `no: ${echo}` }] },
  }),
  "a place": (echo) => ({
    answer: { verdict: "rejected", reasons: [{ at: `/${echo}`, site: echo, rule: echo, keyword: echo }] },
  }),
  "a body": (echo) => withExchange({ a: "1" }, JSON.stringify({ deep: [{ said: echo }] })),
  "a body that is cut": (echo) => withExchange({ a: "1" }, `${"x".repeat(4990)}${echo}`),
  "a sentence that is cut": (echo) => ({ why: `${"x".repeat(9985)} ${echo}` }),
  "a header": (echo) => withExchange({ "x-said": echo }, ""),
  "a header's name": (echo) => withExchange({ [echo]: "1" }, ""),
  "two headers": (echo) => withExchange({ "x-a": echo.slice(0, middle(echo)), "x-b": echo.slice(middle(echo)) }, ""),
  "two headers in reverse order": (echo) =>
    withExchange({ "x-a": `of ${echo.slice(middle(echo))}`, "x-b": `${echo.slice(0, middle(echo))} it is` }, ""),
  "a name and its value": (echo) =>
    withExchange({ [`x-${echo.slice(0, middle(echo))}`]: echo.slice(middle(echo)) }, ""),
  "members in any order": (echo) => {
    const third = Math.ceil(echo.length / 3);
    return withExchange(
      {},
      JSON.stringify({ c: echo.slice(2 * third), a: echo.slice(0, third), b: echo.slice(third, 2 * third) }),
    );
  },
  "reasons in any order": (echo) => ({
    answer: {
      verdict: "rejected",
      reasons: [{ message: echo.slice(middle(echo)) }, { code: "a" }, { message: echo.slice(0, middle(echo)) }],
    },
  }),
  "a trace": (echo) => ({ trace: [{ from: "a", to: "b", text: `said ${echo}` }] }),
  "a scenario": (echo) => ({
    exchanges: [{ request: { method: "GET", url: `http://a/${echo}`, headers: {}, body: echo } }],
  }),
  why: (echo) => ({ why: `it said: ${echo}` }),
  "a stage": (echo) => ({ stage: echo, outcome: "errored" }),
};

const middle = (rendered: string): number => Math.floor(rendered.length / 2);

function withExchange(headers: Record<string, string>, body: string): Partial<Result> {
  const exchange = {
    request: { method: "POST", url: "http://a/", headers: {}, body: "{}" },
    response: { status: 400, headers, body },
  };
  return { answer: { verdict: "rejected", reasons: [], exchange } };
}

/** Creates a report as a run does for a target that knows these secrets. */
function makeReport(known: readonly string[], extraMembers: Partial<Result>): Report {
  const hide = createHider(known);
  const id = "sample/1.0/note/valid/echo";
  const echoResult = result({ id, outcome: "violates", why: "refused", rule: "S-A-001", ...extraMembers });
  return validReport(
    boundResult(echoResult, hide),
    boundResult(
      violatedResult("sample/1.0/note/invalid/plain", {
        rule: "S-A-001",
        vector: { data: {}, parent: "sample/1.0/note/valid/good" },
      }),
      hide,
    ),
  );
}

const factsOf = (report: Report): unknown => [
  report.counts,
  report.exitCode,
  report.runs.map((run) => [
    run.counts,
    run.results.map(({ id, outcome, verdict, level, kind, rule }) => [id, outcome, verdict, level, kind, rule]),
  ]),
];

/** Strings that are not secrets: Touchstone's own words, and strings that are too short. */
const plainWords = fc.oneof(
  fc.constantFrom(
    "message",
    "response",
    "rejected",
    "accepted",
    "violates",
    "request",
    "headers",
    "verdict",
    "outcome",
    "[redacted]",
    "connect",
    "refused",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }),
);

/** The number of random cases; `npm run hostile` sets a higher one. */
const drawCount = Number(process.env.TOUCHSTONE_DRAWS ?? 500);

it("hides secrets in every report format without breaking the format", async () => {
  const slowFormats = new Set(["html"]);
  const shownFormats = formats.filter(({ name }) => name !== "badge");
  const quickFormats = shownFormats.filter(({ name }) => !slowFormats.has(name));
  const format = fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...quickFormats) },
    { weight: 1, arbitrary: fc.constantFrom(...shownFormats) },
  );
  const anyEcho = fc.oneof(
    { weight: 6, arbitrary: echoes },
    { weight: 3, arbitrary: echoesOf(unicodeSecrets) },
    { weight: 2, arbitrary: echoesOf(plainWords) },
  );
  await fc.assert(
    fc.asyncProperty(
      anyEcho,
      fc.array(fc.oneof(secrets, plainWords), { maxLength: 2 }),
      fc.constantFrom(...Object.keys(echoPlaces)),
      format,
      async (drawn, otherSecrets, place, { name, render }) => {
        const { secret, echo } = drawn;
        const extraMembers = (echoPlaces[place] as (echo: string) => Partial<Result>)(echo);
        const report = makeReport([secret, ...otherSecrets], extraMembers);
        expect(factsOf(report)).toEqual(factsOf(makeReport([], extraMembers)));
        const readBack = await readReport(JSON.stringify(report), "a");
        expect(factsOf(readBack)).toEqual(factsOf(report));
        const options = { rules, examples: 10 };
        const text = render(report, options);
        if (name === "json") expect(factsOf(await readReport(text, "a"))).toEqual(factsOf(report));
        const isSecret =
          secret.length >= 6 && !isOwnWord(secret) && !isRevealed(secret, render(makeReport([], {}), options));
        // Each half of a secret that is split in two would reveal it.
        const halves = [echo.slice(0, middle(echo)), echo.slice(middle(echo))];
        const isSplit = isSecret && drawn.encodings.join() === "none" && /^(two headers|reasons)/.test(place);
        if (isSplit) expect([place, halves.every((half) => text.includes(half))], text).toEqual([place, false]);
        if (isSecret) expect([place, isRevealed(secret, text)], text).toEqual([place, false]);
      },
    ),
    { numRuns: drawCount },
  );
});

it("omits passwords, query values and headers from the command that repeats a run", () => {
  fc.assert(
    fc.property(secrets, secrets, secrets, (password, query, header) => {
      const url = `http://me:${encodeURIComponent(password)}@127.0.0.1:1/base?access_token=${encodeURIComponent(query)}&v=${encodeURIComponent(query)}`;
      const output = describeCall({ protocol: "sample", target: { kind: "http", url, headers: { "X-Own": header } } });
      const text = JSON.stringify(output);
      for (const secret of [password, query, header]) expect(isRevealed(secret, text)).toBe(false);
      expect(output.command).toContain(`--http 'http://127.0.0.1:1/base?access_token='"$ACCESS_TOKEN"'&v='"$V"`);
    }),
    { numRuns: 100 },
  );
});

it("finds every secret in a configuration, even if the configuration is malformed", () => {
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
  const secretsFound = secretsIn(config);
  expect(secretsFound).toEqual(
    expect.arrayContaining([
      "of-the-address",
      "of-the-query",
      "of-the-header",
      "of-an-agent",
      "of-nobody-else",
      "of-a-hook",
      "of-a-hook-too",
      "of-a-body",
      "of-callbacks",
      "12345678",
      "of-an-address",
      "of-a-key",
    ]),
  );
  for (const plainWord of ["somebody", "vault://one", "ed25519", "http"]) expect(secretsFound).not.toContain(plainWord);
});
