import {
  count,
  formatAddress,
  type JsonObject,
  type Report,
  type Result,
  type Rule,
  sum,
} from "../../schemas/index.ts";

import { formerCause } from "../reports/reading/former-causes.ts";
import { kindOf } from "./kind.ts";

/** Text that a hostile implementation or vector might contain. */
export const hostile = "</script><img src=x onerror=alert(1)>\u001b[31m\u202e";

export const rules: Rule[] = [
  {
    id: "S-1",
    level: "MUST",
    clause: "4.2",
    statement: "A title has at least one character.",
    binds: ["message"],
    check: "schema",
    status: { covered: "vectors" },
  },
];

/** For tests: a result of the document `note`. */
export function result(members: Partial<Result> & { id: string }): Result {
  const { id } = members;
  const defaultMembers = {
    document: "note",
    description: "a note",
    verdict: "valid",
    level: "MUST",
    outcome: "conforms",
  } as const;
  const allMembers = { kind: kindOf(id), ...defaultMembers, ...members };
  const cause = allMembers.cause ?? formerCause({ ...allMembers } as object as JsonObject);
  return cause === undefined ? allMembers : { ...allMembers, cause };
}

/** For tests: a vector that was wrongly accepted. */
export function violatedResult(id: string, members: Partial<Result> = {}): Result {
  return result({
    id,
    description: "the title is empty",
    verdict: "invalid",
    rule: "S-1",
    at: "/title",
    outcome: "violates",
    why: "accepted, although it is invalid",
    answer: { verdict: "accepted", reasons: [] },
    vector: { data: { title: "", due: 1 }, change: [{ op: "replace", path: "/title", value: "" }], parent: "p" },
    ...members,
  });
}

/** For tests: a report of one protocol, `sample`. */
export function reportOf(results: Result[], members: Partial<Report> = {}): Report {
  const counts = count(results);
  const run: Report["runs"][number] = {
    protocol: "sample",
    version: "1.0",
    target: { kind: "http", name: "http://localhost:1" },
    set: { digest: "sha256-x", count: results.length },
    filter: { only: [], skip: [] },
    counts,
    results,
  };
  return {
    $schema: formatAddress("report"),
    tool: { name: "touchstone", version: "0.1.0" },
    started: "2026-01-15T09:30:00.000Z",
    durationMs: 1234,
    complete: true,
    command: "npx touchstone run sample --http http://localhost:1",
    options: { verb: "run", protocol: "sample", target: { kind: "http", url: "http://localhost:1" } },
    counts: sum([counts]),
    exitCode: counts.violates > 0 ? 1 : 0,
    runs: [run],
    ...members,
  };
}

/** For tests: a report in the published format with every optional part, and with these results at the end. */
export function validReport(...moreResults: Result[]): Report {
  const note = "sample/1.0/note";
  const results = [
    result({ id: `${note}/valid/good` }),
    violatedResult(`${note}/invalid/empty`, { rule: "S-A-001", why: "accepted" }),
    violatedResult(`${note}/invalid/known`, { rule: "S-A-001" }),
    result({ id: `${note}/raw/bom`, outcome: "skipped", why: "needs raw-text" }),
    result({ id: `${note}/valid/late`, outcome: "timed-out", stage: "answer", why: "no answer" }),
  ].map(({ outcome, why, vector, ...rest }, index) => ({
    ...rest,
    outcome,
    ...(index === 2 ? { known: "failing" as const } : {}),
    ...(why === undefined ? {} : { why }),
    ...(vector === undefined ? {} : { vector: { ...vector, parent: `${note}/valid/good` } }),
  }));
  const report = reportOf([...results, ...moreResults], {
    exitCode: 1,
    failOn: "should",
    baseline: { file: "known.json", known: 1, findings: [] },
  });
  const digest = `sha256-${"A".repeat(43)}=`;
  const runs = report.runs.map((run) => ({ ...run, set: { digest, count: 9 }, shard: { index: 1, count: 2 } }));
  return { ...report, runs };
}
