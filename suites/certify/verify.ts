import type { KeyObject } from "node:crypto";
import { count, isObject, type Protocol, type Report, sum, TouchstoneError } from "../../schemas/index.ts";
import { readReport } from "../reports/index.ts";
import { exitCode } from "../results/exit.ts";
import { type Bundle, unpacked } from "./bundle.ts";
import { profileFile } from "./certify.ts";
import { opened } from "./envelope.ts";
import { publicHalf } from "./key.ts";
import { type CertificationProfile, profilesOf } from "./profiles.ts";
import { scoreOf } from "./score.ts";
import { describedPacked, predicateType, type Statement, statementType } from "./statement.ts";

/** One thing that was looked at. */
export interface Check {
  what: string;
  /** Absent: it is right. */
  wrong?: string;
}

/** What a bundle holds, as far as it could be read, and what is wrong with it. */
export interface Verification {
  checks: Check[];
  statement?: Statement;
  report?: Report;
  profiles: CertificationProfile[];
}

/** Checks a bundle by itself: signature, digests, counts and scores computed anew, profiles beside those that are known here. Asks nobody. */
export async function verified(
  bundle: Bundle,
  key: KeyObject,
  known: (name: string, version: string) => Protocol | undefined,
): Promise<Verification> {
  const checks: Check[] = [];
  const check = (what: string, wrong?: string): void =>
    void checks.push(wrong === undefined ? { what } : { what, wrong });
  const payload = opened(bundle.envelope, key);
  check("signature", payload instanceof Error ? payload.message : undefined);
  if (payload instanceof Error) return { checks, profiles: [] };
  const own = publicHalf(key).toString("base64");
  check("public key", bundle.publicKey === own ? undefined : "the one in the bundle is not that of the signature");
  const statement = statementIn(payload);
  check("statement", typeof statement === "string" ? statement : undefined);
  if (typeof statement === "string") return { checks, profiles: [] };
  const files = new Map(bundle.materials.map((material) => [material.name, unpacked(material)]));
  for (const what of digestsWrong(statement, bundle, files)) check(what.what, what.wrong);
  if (checks.some(({ wrong }) => wrong !== undefined)) return { checks, statement, profiles: [] };
  const report = await readReport(files.get("report.json")?.toString("utf8") ?? "", "report.json");
  check("counts of the report, computed anew", countsWrong(report));
  const profiles: CertificationProfile[] = [];
  for (const score of statement.predicate.touchstone.scores) {
    const { protocol, version } = score;
    const name = score.profile.split("@")[0] as string;
    const run = report.runs.find((each) => each.protocol === protocol && each.version === version);
    const file = [...files].find(
      ([each]) =>
        each ===
        profileFile({ name: protocol, version }, { name, version: versionIn(score.profile) } as CertificationProfile),
    );
    if (run === undefined || file === undefined) {
      check(
        `${protocol} ${score.profile}`,
        run === undefined ? "the report has no run of it" : "its list is not in the bundle",
      );
      continue;
    }
    const profile = JSON.parse(file[1].toString("utf8")) as CertificationProfile;
    profiles.push(profile);
    const { missing: _, failed: __, ...anew } = scoreOf(run, profile);
    check(
      `score of ${protocol} ${score.profile}, computed anew`,
      JSON.stringify(anew) === JSON.stringify(score)
        ? undefined
        : `it is ${anew.result} ${JSON.stringify(anew.counts)}`,
    );
    check(`list of ${protocol} ${score.profile}`, await listWrong(profile, known(protocol, version)));
  }
  const results = statement.predicate.touchstone.scores.map(({ result }) => result);
  const whole =
    results.includes("FAILED") || results.length === 0 ? "FAILED" : results.includes("WARNED") ? "WARNED" : "PASSED";
  check("result as a whole", whole === statement.predicate.result ? undefined : `it is ${whole}`);
  return { checks, statement, report, profiles };
}

function versionIn(profile: string): number {
  return Number(profile.split("@")[1]);
}

function statementIn(payload: string): Statement | string {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return "it is no JSON";
  }
  if (!isObject(value) || value._type !== statementType) return `it is no in-toto statement (${statementType})`;
  if (value.predicateType !== predicateType) return `it states something else than a test result (${predicateType})`;
  const { predicate } = value as unknown as Statement;
  const isWhole = Array.isArray(predicate?.configuration) && Array.isArray(predicate.touchstone?.scores);
  return isWhole ? (value as unknown as Statement) : "it was not made by touchstone certify";
}

/** Each file that is described is there and as described, and no other is there. */
function digestsWrong({ predicate }: Statement, { materials }: Bundle, files: ReadonlyMap<string, Buffer>): Check[] {
  const stated = new Map(predicate.configuration.map((each) => [each.name, each]));
  const checks: Check[] = materials.map(({ name, data }) => {
    const { digest, annotations } = describedPacked(name, files.get(name) as Buffer, data);
    const said = stated.get(name);
    if (said === undefined) return { what: name, wrong: "the statement does not know it" };
    if (said.digest.sha256 !== digest.sha256)
      return { what: name, wrong: `its SHA-256 is ${digest.sha256}, the statement says ${said.digest.sha256}` };
    if (said.annotations?.packed !== annotations?.packed)
      return { what: name, wrong: "it is packed otherwise than it was when it was signed" };
    return { what: name };
  });
  for (const name of stated.keys())
    if (!name.startsWith("vectors ") && !files.has(name)) checks.push({ what: name, wrong: "it is not in the bundle" });
  if (!files.has("report.json") && !stated.has("report.json"))
    checks.push({ what: "report.json", wrong: "it is not in the bundle" });
  return checks;
}

function countsWrong(report: Report): string | undefined {
  for (const { protocol, counts, results } of report.runs)
    if (!same(count(results), counts)) return `${protocol} has ${JSON.stringify(count(results))}`;
  if (!same(sum(report.runs.map(({ counts }) => counts)), report.counts)) return "the whole is not the sum of its runs";
  const code = exitCode(report);
  return code === report.exitCode ? undefined : `it ends with ${code}, not with ${report.exitCode}`;
}

function same(a: object, b: object): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

/** A list that is called like one of ours, and is another one. */
async function listWrong(profile: CertificationProfile, protocol: Protocol | undefined): Promise<string | undefined> {
  if (protocol === undefined) return undefined;
  const ours = (await profilesOf(protocol)).find(
    ({ name, version }) => name === profile.name && version === profile.version,
  );
  if (ours === undefined)
    return `there is no ${profile.name}@${profile.version} here to hold it against: update Touchstone`;
  return ours.digest === profile.digest && JSON.stringify(ours.results) === JSON.stringify(profile.results)
    ? undefined
    : "it is not the list that is published here";
}

/** Throws a usage error where nothing else can be said: there is nothing to ask again. */
export function mustHold({ checks, statement, report }: Verification): { statement: Statement; report: Report } {
  if (statement === undefined || report === undefined || checks.some(({ wrong }) => wrong !== undefined))
    throw new TouchstoneError("usage", "the bundle does not hold", { hint: "ask for a new one" });
  return { statement, report };
}
