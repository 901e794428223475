import type { KeyObject } from "node:crypto";
import { type Protocol, type Report, type Run, TouchstoneError } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { partOnly } from "../../results/partial-report.ts";
import { bundleText, packMaterial } from "./bundle.ts";
import { signPayload } from "./envelope.ts";
import { publicHalf } from "./key.ts";
import { type Membership, membershipsOf } from "./members.ts";
import { findMisstatement } from "./misstatement.ts";
import { type CertificationProfile, fitOf, type ProfileFit, profileNamed, profilesOf } from "./profiles.ts";
import { faultsOf } from "./report-faults.ts";
import { type Score, scoreOf } from "./score.ts";
import {
  type CertifiedImplementation,
  type Descriptor,
  describePacked,
  type NotChecked,
  stateScores,
  testName,
} from "./statement.ts";

export interface CertificateRequest {
  report: Report;
  /** The protocols of its runs, in their order. */
  protocols: readonly Protocol[];
  /** Names of profiles, `core` or `core@1`. */
  profiles: readonly string[];
  implementation: Pick<CertifiedImplementation, "name" | "release">;
  /** The tested artifact, if it is a file. */
  artifact?: { name: string; sha256: string } | undefined;
  /** Further files to include, such as a baseline. */
  more?: readonly { name: string; text: string }[];
}

/** The result of each profile, before anything is signed. */
export interface Assessment {
  scores: Score[];
  notChecked: NotChecked[];
  profiles: { protocol: Protocol; profile: CertificationProfile }[];
}

/** Scores a report by profiles. Throws a usage error for a partial report, or one about other vectors than those here. */
export async function assessReport({
  report,
  protocols,
  profiles: wanted,
}: Omit<CertificateRequest, "implementation">): Promise<Assessment> {
  const part = partOnly(report);
  if (part !== undefined)
    throw new TouchstoneError("usage", `expected the report of a whole run: ${part}`, {
      hint: "certify a report of `touchstone run PROTOCOL --report json=FILE` without --only, --skip and --shard; merge shards first",
    });
  const [fault] = faultsOf(report).filter(({ wrong }) => wrong !== undefined);
  if (fault !== undefined)
    throw new TouchstoneError("usage", `the report contradicts itself: ${fault.wrong}`, {
      where: fault.what,
      hint: "certify a report as a run has written it, unchanged",
    });
  const scores: Score[] = [];
  const notChecked: NotChecked[] = [];
  const profiles: Assessment["profiles"] = [];
  for (const [index, run] of report.runs.entries()) {
    const protocol = protocols[index] as Protocol;
    mustHaveSet(protocol, run);
    const wrong = await findMisstatement(run, protocol);
    if (wrong !== undefined)
      throw new TouchstoneError("usage", `the report contradicts itself: ${wrong}`, {
        where: `results of ${run.protocol} ${run.version}, each equal to the published one`,
        hint: "certify a report as a run has written it, unchanged",
      });
    const asked = await Promise.all(wanted.map((each) => profileNamed(protocol, each)));
    const memberships = await membershipsOf(protocol);
    for (const profile of asked) {
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
    notChecked.push(...(await notCheckedOf(run, protocol, asked, memberships)));
  }
  return { scores, notChecked, profiles };
}

function compareProfile(memberships: readonly Membership[], profile: CertificationProfile): ProfileFit {
  return fitOf(
    profile,
    memberships.find(({ name }) => name === profile.name),
  );
}

/** The results that a certificate of some profiles does not cover: later members, and the other profiles. */
export async function notCheckedOf(
  run: Run,
  protocol: Protocol,
  asked: readonly CertificationProfile[],
  memberships?: readonly Membership[],
): Promise<NotChecked[]> {
  const today = memberships ?? (await membershipsOf(protocol));
  const pending = asked.flatMap((profile) => {
    const { length } = compareProfile(today, profile).pending;
    const why = "pending: not scored before the profile's next version";
    return length === 0 ? [] : [uncoveredResults(run, `${profile.name}@${profile.version}`, length, why)];
  });
  const names = new Set(asked.map(({ name }) => name));
  const otherProfiles = (await profilesOf(protocol))
    .filter(({ name }) => !names.has(name))
    .map(({ name, version, results }) => uncoveredResults(run, `${name}@${version}`, results.length, "not asked for"));
  return [...pending, ...otherProfiles];
}

function uncoveredResults({ protocol, version }: Run, profile: string, results: number, why: string): NotChecked {
  return { protocol, version, profile, results, why };
}

function mustHaveSet(protocol: Protocol, run: Run): void {
  const { digest } = loadVectors(protocol);
  if (digest === run.set.digest) return;
  throw new TouchstoneError("usage", `the report was made with a different ${run.protocol} vector set`, {
    where: run.set.digest,
    hint: `run the vectors again: the set of this version has the digest ${digest}`,
  });
}

/** The bundle of a certificate, as a text. For an assessment without failures. */
export function createCertificate(
  { scores, notChecked, profiles }: Assessment,
  wanted: CertificateRequest,
  key: KeyObject,
): string {
  const { report, implementation, artifact, more = [] } = wanted;
  const claimsOf = report.runs.flatMap(({ protocol, target }) =>
    target.claims === undefined ? [] : [[protocol, target.claims] as const],
  );
  const files = [
    { name: "report.json", text: `${JSON.stringify(report)}\n` },
    { name: "configuration.json", text: configurationText(report) },
    ...profiles.map(({ protocol, profile }) => ({
      name: profileFile(protocol, profile),
      text: `${JSON.stringify(profile)}\n`,
    })),
    ...more,
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
  const statement = stateScores(scores, details, materials, subject);
  return bundleText({
    envelope: signPayload(JSON.stringify(statement), key),
    publicKey: publicHalf(key).toString("base64"),
    materials: packedFiles,
  });
}

/** The parts of a statement about its files, and about the vectors of the run. */
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
export function profileFile(
  { name, version }: Pick<Protocol, "name" | "version">,
  profile: CertificationProfile,
): string {
  return `profiles/${testName({ protocol: name, version, profile: `${profile.name}@${profile.version}` })}.json`;
}

export function configurationText(report: Report): string {
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
