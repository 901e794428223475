import type { Report } from "../../schemas/index.ts";
import type { Bundle } from "./bundle.ts";
import { configurationText, materialsOf, profileFile } from "./certify.ts";
import type { Check } from "./check.ts";
import type { CertificationProfile } from "./profiles.ts";
import { scoreOf } from "./score.ts";
import { type Descriptor, type Details, type Statement, stated } from "./statement.ts";

interface Given {
  statement: Statement;
  report: Report;
  bundle: Bundle;
  files: ReadonlyMap<string, Buffer>;
  /** The statement as it was signed. */
  payload: string;
  /** SHA-256 of the artifact, in hexadecimal. */
  artifact?: string | undefined;
}

/**
 * Makes a statement again from the results of its report, and says where the signed one is another: scores, totals, names of tests, materials and
 * their order, subject, what is claimed. Only the name and the release, and what was not checked, are the signer's word.
 */
export function rebuilt({ statement, report, bundle, files, payload, artifact }: Given): {
  checks: Check[];
  profiles: CertificationProfile[];
} {
  const checks: Check[] = [];
  const check = (what: string, against: string, wrong?: string): void =>
    void checks.push(wrong === undefined ? { what, against } : { what, against, wrong });
  const { predicate, subject } = statement;
  const { scores: said, implementation, notChecked } = predicate.touchstone;
  const profiles: CertificationProfile[] = [];
  const scores: ReturnType<typeof scoreOf>[] = [];
  const scored = new Set<string>();
  for (const score of said) {
    const { protocol, version } = score;
    const what = `score of ${protocol} ${score.profile}, computed again`;
    const run = report.runs.find((each) => each.protocol === protocol && each.version === version);
    const file = run && files.get(fileOf(score));
    if (run === undefined || file === undefined) {
      check(what, "the report", run === undefined ? "the report has no run of it" : "its list is not in the bundle");
      continue;
    }
    const profile = JSON.parse(file.toString("utf8")) as CertificationProfile;
    profiles.push(profile);
    const anew = scoreOf(run, profile);
    scores.push(anew);
    const { missing: _, failed: __, ...short } = anew;
    const isTwice = scored.has(fileOf(score));
    scored.add(fileOf(score));
    const isSame = JSON.stringify(short) === JSON.stringify(score);
    check(
      what,
      "the results of the report",
      isTwice ? "it is there twice" : isSame ? undefined : `it is ${anew.result} ${JSON.stringify(anew.counts)}`,
    );
  }
  const silent = report.runs.find(
    (run) => !said.some((each) => each.protocol === run.protocol && each.version === run.version),
  );
  check(
    "a score of each run",
    "the report",
    silent === undefined ? undefined : `there is none of ${silent.protocol} ${silent.version}`,
  );
  const names = bundle.materials.map(({ name }) => name);
  const wanted = [
    "report.json",
    "configuration.json",
    ...said.map(fileOf),
    ...names.filter((name) => name === "baseline.json"),
  ];
  check(
    "files of the bundle and their order",
    "what certify writes",
    equal(names, wanted) ? undefined : `they are ${names.join(", ")}`,
  );
  const configuration = files.get("configuration.json")?.toString("utf8");
  check(
    "configuration.json",
    "the report",
    configuration === configurationText(report) ? undefined : "it is of another run",
  );
  if (checks.some(({ wrong }) => wrong !== undefined)) return { checks, profiles };
  const materials = materialsOf(
    report,
    bundle.materials.map((material) => ({ ...material, bytes: files.get(material.name) as Buffer })),
  );
  const subjectCheck = checkOfSubject(subject, materials[0] as Descriptor, artifact);
  checks.push(subjectCheck);
  const claimed = report.runs.flatMap(({ protocol, target }) =>
    target.claims === undefined ? [] : [[protocol, target.claims] as const],
  );
  const { name, release } = implementation ?? {};
  const details: Omit<Details, "scores"> = {
    ...{ tool: report.tool, started: report.started, notChecked },
    implementation: { name, release, ...(claimed.length === 0 ? {} : { claims: Object.fromEntries(claimed) }) },
  };
  const again = stated(scores, details, materials, subject[0] as Descriptor);
  const { result } = again.predicate;
  check("result as a whole", "its scores", result === predicate.result ? undefined : `it is ${result}`);
  for (const list of ["passedTests", "warnedTests", "failedTests"] as const)
    check(
      list,
      "its scores",
      equal(again.predicate[list], predicate[list])
        ? undefined
        : `they are ${again.predicate[list].join(", ") || "none"}`,
    );
  check(
    "materials and vector sets, in their order",
    "the bundle and the report",
    equal(again.predicate.configuration, predicate.configuration) ? undefined : "they are others",
  );
  const { implementation: mine, tool, started } = again.predicate.touchstone;
  check(
    "claims, tool and time",
    "the report",
    equal([mine, tool, started], [implementation, predicate.touchstone.tool, predicate.touchstone.started])
      ? undefined
      : "they are others",
  );
  check(
    "statement as a whole",
    "one made again from the report",
    JSON.stringify(again) === payload ? undefined : "there is more or less in it",
  );
  return { checks, profiles };
}

function fileOf({ protocol, version, profile }: { protocol: string; version: string; profile: string }): string {
  const [name = "", number = ""] = profile.split("@");
  return profileFile({ name: protocol, version }, { name, version: Number(number) } as CertificationProfile);
}

/** A certificate is about its report, or about a file: one that nobody gives cannot be looked at. */
function checkOfSubject(subject: readonly Descriptor[], report: Descriptor, artifact: string | undefined): Check {
  const [first, ...others] = subject;
  const what = "subject";
  if (first === undefined || others.length > 0)
    return { what, against: "the report", wrong: `there are ${subject.length}, not one` };
  if (artifact !== undefined) {
    const isIt = artifact === first.digest?.sha256;
    return { what, against: "the artifact", ...(isIt ? {} : { wrong: "the certificate is about another file" }) };
  }
  if (equal(first, report)) return { what, against: "the report" };
  if (first.name === report.name) return { what, against: "the report", wrong: "it is another report" };
  return { what, against: "nothing", open: `it is the file ${first.name}: give it with --artifact` };
}

function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
