import type { KeyObject } from "node:crypto";
import { type Protocol, type Report, type Run, TouchstoneError } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { reasonReportIsPartial } from "../../results/partial-report.ts";
import { formatBundle, packMaterial } from "./bundle.ts";
import { signPayload } from "./envelope.ts";
import { exportPublicKey } from "./key.ts";
import { type Membership, membershipsOf } from "./members.ts";
import { findMisstatement } from "./misstatement.ts";
import { type CertificationProfile, fitOf, type ProfileFit, profileNamed, profilesOf } from "./profiles.ts";
import { checkReport } from "./report-faults.ts";
import { type Score, scoreOf } from "./score.ts";
import {
  type CertifiedImplementation,
  createStatement,
  type Descriptor,
  describePacked,
  type NotChecked,
  testName,
} from "./statement.ts";

export interface CertificateRequest {
  report: Report;
  /** The protocols of the report's runs, in the same order. */
  protocols: readonly Protocol[];
  /** Names of profiles, `core` or `core@1`. */
  profiles: readonly string[];
  implementation: Pick<CertifiedImplementation, "name" | "release">;
  /** The tested artifact, if it is a file. */
  artifact?: { name: string; sha256: string } | undefined;
  /** Further files to include, such as a baseline. */
  furtherFiles?: readonly { name: string; text: string }[];
}

/** The result of each profile, before anything is signed. */
export interface Assessment {
  scores: Score[];
  notChecked: NotChecked[];
  profiles: { protocol: Protocol; profile: CertificationProfile }[];
}

/** Scores a report by profiles. Throws a usage error if the report is partial, contradicts itself, or was made with another vector set. */
export async function assessReport({
  report,
  protocols,
  profiles: profileNames,
}: Omit<CertificateRequest, "implementation">): Promise<Assessment> {
  const reasonPartial = reasonReportIsPartial(report);
  if (reasonPartial !== undefined)
    throw new TouchstoneError("usage", `expected the report of a whole run: ${reasonPartial}`, {
      hint: "certify a report of `touchstone run PROTOCOL --report json=FILE` without --only, --skip and --shard; merge shards first",
    });
  const [contradiction] = checkReport(report).filter(({ wrong: misstatement }) => misstatement !== undefined);
  if (contradiction !== undefined)
    throw new TouchstoneError("usage", `the report contradicts itself: ${contradiction.wrong}`, {
      where: contradiction.what,
      hint: "certify a report as a run has written it, unchanged",
    });
  const scores: Score[] = [];
  const notChecked: NotChecked[] = [];
  const profiles: Assessment["profiles"] = [];
  for (const [index, run] of report.runs.entries()) {
    const protocol = protocols[index] as Protocol;
    requireSameVectors(protocol, run);
    const misstatement = await findMisstatement(run, protocol);
    if (misstatement !== undefined)
      throw new TouchstoneError("usage", `the report contradicts itself: ${misstatement}`, {
        where: `results of ${run.protocol} ${run.version}, each equal to the published one`,
        hint: "certify a report as a run has written it, unchanged",
      });
    const requested = await Promise.all(profileNames.map((name) => profileNamed(protocol, name)));
    const memberships = await membershipsOf(protocol);
    for (const profile of requested) {
      if (!compareProfile(memberships, profile).isKept)
        throw new TouchstoneError(
          "usage",
          `the profile ${profile.name}@${profile.version} does not fit the vectors here`,
          {
            where: `${protocol.name} ${protocol.version}`,
            hint: "run touchstone certify freeze to see the difference",
          },
        );
      scores.push(scoreOf(run, profile));
      profiles.push({ protocol, profile });
    }
    notChecked.push(...(await listNotChecked(run, protocol, requested, memberships)));
  }
  return { scores, notChecked, profiles };
}

function compareProfile(memberships: readonly Membership[], profile: CertificationProfile): ProfileFit {
  return fitOf(
    profile,
    memberships.find(({ name }) => name === profile.name),
  );
}

/** Lists the results that a certificate of these profiles does not cover: members added later, and the other profiles. */
export async function listNotChecked(
  run: Run,
  protocol: Protocol,
  requested: readonly CertificationProfile[],
  memberships?: readonly Membership[],
): Promise<NotChecked[]> {
  const present = memberships ?? (await membershipsOf(protocol));
  const pending = requested.flatMap((profile) => {
    const { length } = compareProfile(present, profile).pending;
    const why = "pending: not scored before the profile's next version";
    return length === 0 ? [] : [uncoveredResults(run, `${profile.name}@${profile.version}`, length, why)];
  });
  const names = new Set(requested.map(({ name }) => name));
  const otherProfiles = (await profilesOf(protocol))
    .filter(({ name }) => !names.has(name))
    .map(({ name, version, results }) => uncoveredResults(run, `${name}@${version}`, results.length, "not asked for"));
  return [...pending, ...otherProfiles];
}

function uncoveredResults({ protocol, version }: Run, profile: string, results: number, why: string): NotChecked {
  return { protocol, version, profile, results, why };
}

function requireSameVectors(protocol: Protocol, run: Run): void {
  const { digest } = loadVectors(protocol);
  if (digest === run.set.digest) return;
  throw new TouchstoneError("usage", `the report was made with a different ${run.protocol} vector set`, {
    where: run.set.digest,
    hint: `run the vectors again: the set of this version has the digest ${digest}`,
  });
}

/** Signs a certificate and returns the text of its bundle. The assessment must be without failures. */
export function createCertificate(
  { scores, notChecked, profiles }: Assessment,
  request: CertificateRequest,
  key: KeyObject,
): string {
  const { report, implementation, artifact, furtherFiles = [] } = request;
  const claimsOf = report.runs.flatMap(({ protocol, target }) =>
    target.claims === undefined ? [] : [[protocol, target.claims] as const],
  );
  const files = [
    { name: "report.json", text: `${JSON.stringify(report)}\n` },
    { name: "configuration.json", text: formatConfiguration(report) },
    ...profiles.map(({ protocol, profile }) => ({
      name: profilePath(protocol, profile),
      text: `${JSON.stringify(profile)}\n`,
    })),
    ...furtherFiles,
  ];
  const packedFiles = files.map(({ name, text }) => packMaterial(name, text));
  const materials = materialsOf(
    report,
    files.map(({ name, text }, index) => ({ name, bytes: text, data: packedFiles[index]?.data ?? "" })),
  );
  const subject =
    artifact === undefined
      ? (materials[0] as Descriptor)
      : { name: artifact.name, digest: { sha256: artifact.sha256 } };
  const details = {
    tool: report.tool,
    started: report.started,
    notChecked,
    implementation: { ...implementation, ...(claimsOf.length === 0 ? {} : { claims: Object.fromEntries(claimsOf) }) },
  };
  const statement = createStatement(scores, details, materials, subject);
  return formatBundle({
    envelope: signPayload(JSON.stringify(statement), key),
    publicKey: exportPublicKey(key).toString("base64"),
    materials: packedFiles,
  });
}

/** Describes the files of a bundle and the vector sets of its runs, for the statement. */
export function materialsOf(
  { runs }: Report,
  files: readonly { name: string; bytes: Uint8Array | string; data: string }[],
): Descriptor[] {
  const sets = runs.map(
    ({ protocol, version, set }): Descriptor => ({
      name: `vectors ${protocol} ${version}`,
      digest: { sha256: Buffer.from(set.digest.replace("sha256-", ""), "base64").toString("hex") },
    }),
  );
  return [...files.map(({ name, bytes, data }) => describePacked(name, bytes, data)), ...sets];
}

/** The name of a profile's file among the materials. */
export function profilePath(
  { name, version }: Pick<Protocol, "name" | "version">,
  profile: CertificationProfile,
): string {
  return `profiles/${testName({ protocol: name, version, profile: `${profile.name}@${profile.version}` })}.json`;
}

export function formatConfiguration(report: Report): string {
  return `${JSON.stringify(configurationOf(report))}\n`;
}

/** The configuration of the run. Reports contain no secrets. */
function configurationOf({ options, failOn, runs }: Report): object {
  return {
    ...(options === undefined ? {} : { options }),
    ...(failOn === undefined ? {} : { failOn }),
    runs: runs.map(({ protocol, version, target, readings = [] }) => ({ protocol, version, target, readings })),
  };
}
