import type { Report } from "../../../schemas/index.ts";
import type { Bundle } from "./bundle.ts";
import { formatConfiguration, materialsOf, profilePath } from "./certify.ts";
import type { CertificateCheck } from "./check.ts";
import type { CertificationProfile } from "./profiles.ts";
import { scoreOf } from "./score.ts";
import { createStatement, type Descriptor, type Details, type Statement } from "./statement.ts";

interface RebuildInput {
  statement: Statement;
  report: Report;
  bundle: Bundle;
  files: ReadonlyMap<string, Buffer>;
  /** The statement as it was signed. */
  payload: string;
  /** SHA-256 of the artifact, in hexadecimal. */
  artifact?: string | undefined;
}

/** Rebuilds a statement from the results of its report, and compares it with the signed one: scores, totals, names of tests, materials and their order, subject and claims. The name, the release and the list of unchecked results cannot be rebuilt: they are the signer's claims. */
export function rebuildStatement(input: RebuildInput): {
  checks: CertificateCheck[];
  profiles: CertificationProfile[];
} {
  const { checks, profiles, scores } = recomputeScores(input);
  checks.push(...checkFiles(input));
  if (checks.every(({ wrong }) => wrong === undefined)) checks.push(...rebuildFromScores(input, scores));
  return { checks, profiles };
}

type RebuiltScore = ReturnType<typeof scoreOf>;

/** Computes each score again, and checks that every run has one. */
function recomputeScores({ statement, report, files }: RebuildInput): {
  checks: CertificateCheck[];
  profiles: CertificationProfile[];
  scores: RebuiltScore[];
} {
  const { scores: signedScores } = statement.predicate.touchstone;
  const checks: CertificateCheck[] = [];
  const profiles: CertificationProfile[] = [];
  const scores: RebuiltScore[] = [];
  const scoredKeys = new Set<string>();
  for (const score of signedScores) {
    const { protocol, version } = score;
    const what = `score of ${protocol} ${score.profile}, computed again`;
    const run = report.runs.find((each) => each.protocol === protocol && each.version === version);
    const file = run && files.get(profilePathOf(score));
    if (run === undefined || file === undefined) {
      const wrong = run === undefined ? "the report has no run of it" : "its list is not in the bundle";
      checks.push({ what, against: "the report", wrong });
      continue;
    }
    const profile = JSON.parse(file.toString("utf8")) as CertificationProfile;
    const recomputed = scoreOf(run, profile);
    const { missing: _, failed: __, ...rebuiltScore } = recomputed;
    const isDuplicate = scoredKeys.has(profilePathOf(score));
    const difference = areEqual(rebuiltScore, score)
      ? undefined
      : `it is ${recomputed.result} ${JSON.stringify(recomputed.counts)}`;
    checks.push(checkOf(what, "the results of the report", isDuplicate ? "it is there twice" : difference));
    scoredKeys.add(profilePathOf(score));
    profiles.push(profile);
    scores.push(recomputed);
  }
  const unscoredRun = report.runs.find(
    (run) => !signedScores.some((each) => each.protocol === run.protocol && each.version === run.version),
  );
  const wrong = unscoredRun && `there is none of ${unscoredRun.protocol} ${unscoredRun.version}`;
  checks.push(checkOf("a score of each run", "the report", wrong));
  return { checks, profiles, scores };
}

function checkFiles({ statement, report, bundle, files }: RebuildInput): CertificateCheck[] {
  const names = bundle.materials.map(({ name }) => name);
  const lists = statement.predicate.touchstone.scores.map(profilePathOf);
  const expectedNames = [
    "report.json",
    "configuration.json",
    ...lists,
    ...names.filter((name) => name === "baseline.json"),
  ];
  const configuration = files.get("configuration.json")?.toString("utf8");
  const hasConfiguration = configuration === formatConfiguration(report);
  return [
    checkOf(
      "files of the bundle and their order",
      "what certify writes",
      areEqual(names, expectedNames) ? undefined : `they are ${names.join(", ")}`,
    ),
    checkOf("configuration.json", "the report", hasConfiguration ? undefined : "it belongs to another run"),
  ];
}

/** Rebuilds the statement from checked scores, and compares its parts. */
function rebuildFromScores(
  { statement, report, bundle, files, payload, artifact }: RebuildInput,
  scores: readonly RebuiltScore[],
): CertificateCheck[] {
  const { predicate, subject } = statement;
  const { implementation, notChecked, tool, started } = predicate.touchstone;
  const contents = bundle.materials.map((material) => ({ ...material, bytes: files.get(material.name) as Buffer }));
  const materials = materialsOf(report, contents);
  const claims = report.runs.flatMap(({ protocol, target }) =>
    target.claims === undefined ? [] : [[protocol, target.claims] as const],
  );
  const { name, release } = implementation ?? {};
  const details: Omit<Details, "scores"> = {
    tool: report.tool,
    started: report.started,
    notChecked,
    implementation: { name, release, ...(claims.length === 0 ? {} : { claims: Object.fromEntries(claims) }) },
  };
  const recomputed = createStatement([...scores], details, materials, subject[0] as Descriptor);
  const { result, configuration, touchstone } = recomputed.predicate;
  const rebuiltDetails = [touchstone.implementation, touchstone.tool, touchstone.started];
  const difference = "they differ";
  return [
    checkOfSubject(subject, materials[0] as Descriptor, artifact),
    checkOf("result as a whole", "its scores", result === predicate.result ? undefined : `it is ${result}`),
    ...(["passedTests", "warnedTests", "failedTests"] as const).map((list) => {
      const wrong = `they are ${recomputed.predicate[list].join(", ") || "none"}`;
      return checkOf(list, "its scores", areEqual(recomputed.predicate[list], predicate[list]) ? undefined : wrong);
    }),
    checkOf(
      "materials and vector sets, in their order",
      "the bundle and the report",
      areEqual(configuration, predicate.configuration) ? undefined : difference,
    ),
    checkOf(
      "claims, tool and time",
      "the report",
      areEqual(rebuiltDetails, [implementation, tool, started]) ? undefined : difference,
    ),
    checkOf(
      "statement as a whole",
      "one made again from the report",
      JSON.stringify(recomputed) === payload ? undefined : "it has other members",
    ),
  ];
}

function checkOf(what: string, against: string, wrong?: string): CertificateCheck {
  return wrong === undefined ? { what, against } : { what, against, wrong };
}

function profilePathOf({ protocol, version, profile }: { protocol: string; version: string; profile: string }): string {
  const [name = "", number = ""] = profile.split("@");
  return profilePath({ name: protocol, version }, { name, version: Number(number) } as CertificationProfile);
}

/** Checks the subject, which is the report or a file. Without the file, its check stays open. */
function checkOfSubject(
  subject: readonly Descriptor[],
  report: Descriptor,
  artifact: string | undefined,
): CertificateCheck {
  const [first, ...furtherSubjects] = subject;
  const what = "subject";
  if (first === undefined || furtherSubjects.length > 0)
    return { what, against: "the report", wrong: `there are ${subject.length}, not one` };
  if (artifact !== undefined) {
    const isSameFile = artifact === first.digest?.sha256;
    return { what, against: "the artifact", ...(isSameFile ? {} : { wrong: "the certificate is about another file" }) };
  }
  if (areEqual(first, report)) return { what, against: "the report" };
  if (first.name === report.name) return { what, against: "the report", wrong: "it is another report" };
  return { what, against: "nothing", open: `it is the file ${first.name}: give it with --artifact` };
}

function areEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
