import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, type Protocol, type Report, type Result, type Target, TargetSkip } from "../../schemas/index.ts";
import { sampleProtocol, vector, writeSet } from "../packs/corpus/sample.fixture.ts";
import type { CertificationProfile } from "../publishing/certify/profiles.ts";
import { scoreOf } from "../publishing/certify/score.ts";
import { stateOf } from "../publishing/site/state.ts";
import { applyBaseline } from "../results/baseline/gate.ts";
import { unacceptedResults } from "../results/exit.ts";
import { reportOf as assembled } from "../results/report.ts";
import { runSuite } from "../running/run/suite.ts";
import { answerFrom } from "../targets/command/answer.ts";
import { httpTarget } from "../targets/http.ts";
import { inProcess } from "../targets/in-process.ts";
import { badge } from "./badge.ts";
import { compare } from "./comparison/comparison.ts";
import { remarksOn } from "./groups/remarks.ts";
import { json } from "./json.ts";
import { readReport } from "./reading/report-reader.ts";
import { statusOf } from "./sections/status.ts";
import { describeConclusion } from "./wording/phrases.ts";
import { describeUntested } from "./wording/untested.ts";

const site = "https://example.org/note#/properties/title/minLength";
const note = "sample/1.0/note";
const titles = ["v0", "v1", "v2", "i0", "i1", "i2", "i3", "raw"] as const;
const vectors = writeSet([
  {
    path: `${note}/valid.json`,
    document: "note",
    tests: ["v0", "v1", "v2"].map((title) => vector({ id: `${note}/valid/${title}`, data: { title } })),
  },
  {
    path: `${note}/invalid.json`,
    document: "note",
    tests: ["i0", "i1", "i2", "i3"].map((title, index) =>
      vector({
        id: `${note}/invalid/${title}`,
        valid: false,
        site,
        parent: `${note}/valid/v${index % 3}`,
        data: { title },
      }),
    ),
  },
  { path: `${note}/raw.json`, document: "note", tests: [vector({ id: `${note}/raw/raw`, raw: '{"title":"raw"}' })] },
]);

/** A protocol with an endpoint and with codes, one of them listed under `unjudged`. */
function protocolWithCodes(): Protocol {
  const sample = sampleProtocol();
  const [document] = sample.profile.documents;
  const endpoint = { method: "POST" as const, path: "/" };
  const reason = {
    code: "/code",
    message: "/message",
    codes: ["bad"],
    unjudged: [{ code: "gone", why: "it is gone" }],
  };
  const http = { ...sample.profile.http, headers: {}, reason };
  return { ...sample, profile: { ...sample.profile, documents: [{ ...document, endpoint } as never], http } };
}

/** How a target treats a message. The texts of its answers are drawn independently. */
type Act = "accepts" | "refuses" | "codeless" | "state" | "lost" | "fails" | "gone" | "redirects";
const acts: readonly Act[] = ["accepts", "refuses", "codeless", "state", "lost", "fails", "gone", "redirects"];
const statuses: Record<Act, number> = {
  accepts: 200,
  refuses: 400,
  codeless: 400,
  state: 409,
  lost: 404,
  fails: 500,
  gone: 400,
  redirects: 302,
};

type Script = Record<(typeof titles)[number], Act>;
const scripts: fc.Arbitrary<Script> = fc.record(
  Object.fromEntries(titles.map((title) => [title, fc.constantFrom(...acts)])) as Record<
    (typeof titles)[number],
    fc.Arbitrary<Act>
  >,
);

/** Sentences that earlier versions parsed for decisions. */
const misleadingTexts = [
  "not supported (code 7)",
  "Duplicate entry (code 1062)",
  "HTTP 409: it is there",
  "HTTP 404: nothing is there; so that one is found, look",
  "its valid parent is refused (sample/1.0/note/valid/v0), so a refusal shows nothing",
  "nothing valid of note was accepted",
  "a server is never asked this: the implementation sends this",
  "the target skips it: no",
  "the server remembers this /title from an earlier run",
  'needs the hook "x"',
  "no endpoint is known for note",
  "there is no validator for note",
  "not decided: the tool refused an invalid input",
  "the module threw Error: no",
  "no connection: connect ECONNREFUSED",
  "no code at /code of the body",
  "refused, although it is valid",
  "; it said: nothing",
];
const texts = fc.oneof(fc.constantFrom(...misleadingTexts), fc.string({ minLength: 1, maxLength: 40 }));

let server: Server;
let url = "";
let script: Script;
let targetWords = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      const act = actFor(JSON.parse(body) as Json);
      const code = { refuses: "bad", gone: "gone" }[act as string];
      const isJson = code !== undefined || act === "codeless";
      response.writeHead(statuses[act], { "content-type": isJson ? "application/json" : "text/plain" });
      response.end(
        isJson ? JSON.stringify({ ...(code === undefined ? {} : { code }), message: targetWords }) : targetWords,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const actFor = (data: Json): Act => script[(data as { title: (typeof titles)[number] }).title];

/** A command, described by the lines that it writes. */
function command(): Target {
  const lineFor: Record<Act, object> = {
    accepts: { valid: true },
    refuses: { valid: false, errors: [{ message: targetWords }] },
    codeless: { valid: false },
    state: { skipped: targetWords },
    lost: { skipped: targetWords },
    fails: { error: targetWords },
    gone: { skipped: targetWords },
    redirects: { error: targetWords },
  };
  return {
    kind: "command",
    name: "lines",
    claims: undefined,
    concurrency: 4,
    open: async () => {},
    close: async () => {},
    skips: () => undefined,
    async check({ data, text }) {
      const act = actFor(data ?? (JSON.parse(text as string) as Json));
      return answerFrom({ seq: 1, ...lineFor[act] }, "");
    },
  };
}

/** A user's own target, which declines to judge some questions. */
function ownTarget(): Target {
  return {
    ...command(),
    kind: "module",
    skips: ({ data }) => (data !== undefined && actFor(data) === "state" ? targetWords : undefined),
    async check(question, signal) {
      if (question.data !== undefined && actFor(question.data) === "lost") throw new TargetSkip(targetWords);
      return command().check(question, signal);
    },
  };
}

const targets: Record<string, () => Target> = {
  "a server": () => httpTarget({ url }),
  "a command": command,
  "a user's own target": ownTarget,
  "a validator": () =>
    inProcess((value: Json) => {
      const act = actFor(value);
      if (act === "fails" || act === "state") throw new Error(targetWords);
      return act === "accepts" ? { valid: true } : { valid: false, errors: [{ message: targetWords }] };
    }),
};

const runTarget = async (target: string, actions: Script, text: string): Promise<Report> => {
  [script, targetWords] = [actions, text];
  return runSuite({
    protocols: [protocolWithCodes()],
    target: targets[target] as () => Target,
    vectors,
    seed: 1,
    concurrency: 1,
  });
};

const resultsOf = (report: Report): Result[] => report.runs.flatMap(({ results }) => results);
const allIds = [
  ...titles.map((title) => `${note}/${title === "raw" ? "raw" : title.startsWith("v") ? "valid" : "invalid"}/${title}`),
];
const profile = { name: "all", version: "1", digest: "sha256-x", results: allIds } as unknown as CertificationProfile;
const list = {
  $schema: "",
  sets: {},
  entries: [
    { id: allIds[0] as string, outcome: "violates" as const, reason: "known" },
    { id: allIds[4] as string, outcome: "errored" as const, reason: "known" },
  ],
};

/** Every decision that is derived from a report. */
function decisionsOn(report: Report, before: Report): unknown {
  const gate = applyBaseline(report, { list, file: "known.json", today: "2026-01-15", rules: [] });
  const { failing, lost, fixed, changed, exitCode } = compare(before, report);
  return {
    outcomes: resultsOf(report).map(({ id, outcome }) => `${id} ${outcome}`),
    exit: assembled({ ...report }).exitCode,
    counts: report.counts,
    gate: [gate.exitCode, gate.baseline?.findings.map(({ kind, name }) => `${kind} ${name}`), describeConclusion(gate)],
    line: describeConclusion(report),
    untested: report.runs.map((run) => describeUntested({ runs: [run] })),
    unaccepted: report.runs.map((run) => unacceptedResults(run).map(({ id }) => id)),
    remarks: report.runs.map((run) => remarksOn(run).length),
    state: report.runs.map((run) => stateOf(run, report)),
    statuses: resultsOf(report).map((result) => statusOf(result, report)),
    certified: report.runs.map((run) => {
      const { result, failed, missing } = scoreOf(run, profile);
      return [result, failed.map(({ id }) => id), missing];
    }),
    difference: [exitCode, ...[failing, lost, fixed, changed].map((pairs) => pairs.map(({ id }) => id))],
    badge: badge.render(report, { rules: [] }),
  };
}

/** Copies a report and replaces all its sentences, which are only for people. */
function replaceSentences(report: Report, text: string): Report {
  const copy = JSON.parse(JSON.stringify(report)) as Report;
  for (const result of resultsOf(copy)) {
    if (result.why !== undefined) result.why = text;
    const facts = (result.cause ?? {}) as Record<string, unknown>;
    for (const name of ["reason", "said", "advice", "doubt"]) if (name in facts) facts[name] = text;
    for (const reason of result.answer?.reasons ?? []) if (reason.message !== undefined) reason.message = text;
  }
  for (const { failure } of copy.runs)
    if (failure !== undefined) Object.assign(failure, { message: text, brief: text });
  return copy;
}

const readBack = (report: Report): Promise<Report> => readReport(json.render(report, { rules: [] }), "report.json");

describe.each(Object.keys(targets))("decisions on the report of %s", (target) => {
  const runOptions = { numRuns: 12 };

  it("do not depend on the texts of the target", async () => {
    const property = fc.asyncProperty(scripts, texts, texts, async (actions, firstText, secondText) => {
      const before = await runTarget(target, { ...actions, v0: "accepts" }, "before");
      const [first, second] = [
        await runTarget(target, actions, firstText),
        await runTarget(target, actions, secondText),
      ];
      expect(decisionsOn(second, before)).toEqual(decisionsOn(first, before));
    });
    await fc.assert(property, runOptions);
  });

  it("do not depend on the sentences of the report, even after it is stored and read", async () => {
    const property = fc.asyncProperty(scripts, texts, texts, async (actions, output, text) => {
      const before = await runTarget(target, { ...actions, v0: "accepts" }, "before");
      const report = await runTarget(target, actions, output);
      expect(resultsOf(report).every(({ outcome, cause }) => (cause === undefined) === (outcome === "conforms"))).toBe(
        true,
      );
      const decisions = decisionsOn(report, before);
      const scrambledReport = replaceSentences(report, text);
      expect(decisionsOn(scrambledReport, before)).toEqual(decisions);
      expect(decisionsOn(await readBack(scrambledReport), before)).toEqual(decisions);
    });
    await fc.assert(property, runOptions);
  });

  // In earlier versions, the texts of a user's own target had no fixed prefixes.
  it.skipIf(target === "a user's own target")(
    "are derived from the sentences of an old report without causes",
    async () => {
      const property = fc.asyncProperty(scripts, async (actions) => {
        const before = await runTarget(target, { ...actions, v0: "accepts" }, "before");
        const report = await runTarget(target, actions, "words");
        const reportWithoutCauses = JSON.parse(JSON.stringify(report)) as Report;
        for (const result of resultsOf(reportWithoutCauses)) {
          delete result.cause;
          delete result.answer?.codeless;
        }
        expect(decisionsOn(await readBack(reportWithoutCauses), before)).toEqual(decisionsOn(report, before));
      });
      await fc.assert(property, runOptions);
    },
  );
});
