import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { home, protocolsNamed, readPack, withCode } from "../../../schemas/index.ts";
import { freezeProfiles } from "./freeze.ts";
import { type Membership, membersDigest, membershipsOf } from "./members.ts";
import { type CertificationProfile, fitOf, profileNamed, profilesOf } from "./profiles.ts";

const currentMembership: Membership = {
  name: "core",
  title: "Core",
  members: [
    { id: "a", content: "1" },
    { id: "b", content: "2" },
  ],
};
const frozenProfile: CertificationProfile = {
  name: "core",
  version: 1,
  title: "Core",
  digest: membersDigest(currentMembership.members),
  results: ["a", "b"],
};

describe.each(protocolsNamed("all"))("the certification profiles of $name $version", (protocol) => {
  it("are frozen, and fit the published vectors and scenarios", async () => {
    const { frozen: profiles } = await freezeProfiles(protocol);
    expect(profiles.filter(({ isNew }) => isNew)).toEqual([]);
  });

  it("contain each undisputed vector once", async () => {
    const memberships = (await membershipsOf(protocol)).filter(
      ({ side, reading }) => side === undefined && reading === undefined,
    );
    const ids = memberships.flatMap(({ members }) => members.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(1000);
  });
});

describe("a frozen profile", () => {
  it("fits unchanged members", () => {
    expect(fitOf(frozenProfile, currentMembership)).toEqual({ isKept: true, gone: [], pending: [] });
  });

  it("lists vectors that were added later as pending", () => {
    const extended = { ...currentMembership, members: [{ id: "new", content: "3" }, ...currentMembership.members] };
    expect(fitOf(frozenProfile, extended)).toEqual({ isKept: true, gone: [], pending: ["new"] });
  });

  it("no longer fits if a member is removed or changed", () => {
    const [firstMember, secondMember] = currentMembership.members as [
      Membership["members"][number],
      Membership["members"][number],
    ];
    expect(fitOf(frozenProfile, { ...currentMembership, members: [firstMember] })).toMatchObject({
      isKept: false,
      gone: ["b"],
    });
    expect(
      fitOf(frozenProfile, { ...currentMembership, members: [firstMember, { ...secondMember, content: "other" }] })
        .isKept,
    ).toBe(false);
    expect(fitOf(frozenProfile, undefined).isKept).toBe(false);
  });
});

describe("a profile of scenarios", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const rules = join(folder, "rules/order.yaml");
  const text = readFileSync(join(home, "suites/packs/pack/example/rules/order.yaml"), "utf8");
  beforeAll(() => cpSync(join(home, "suites/packs/pack/example"), folder, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));
  const liveMembership = async (changed: string): Promise<Membership | undefined> => {
    writeFileSync(rules, changed);
    return (await membershipsOf(withCode(readPack(folder), "given"))).find(({ name }) => name === "live");
  };

  it("no longer fits if a step is weakened, but fits if a step is only reworded", async () => {
    const originalMembership = await liveMembership(text);
    const profile = (await freezeProfiles(withCode(readPack(folder), "given"))).file.profiles.find(
      ({ name }) => name === "live",
    );
    if (originalMembership === undefined || profile === undefined) throw new Error("the example has no scenarios");
    expect(profile.steps).toBe(true);
    const weakened = text.replace(/equal: \{ \/id: ORD-101, \/total: 500 \}/, "equal: { /id: ORD-101 }");
    const reworded = text.replace(/says: an order is read back/, "says: an order comes back");
    expect([weakened === text, reworded === text]).toEqual([false, false]);
    expect(fitOf(profile, await liveMembership(weakened)).isKept).toBe(false);
    expect(fitOf(profile, await liveMembership(reworded)).isKept).toBe(true);
  });

  it("of an old format without steps still fits, and --next adds its next version", async () => {
    const current = await liveMembership(text);
    const ids = current?.members.map(({ id, stepless, content }) => ({ id, content: stepless ?? content })) ?? [];
    const oldProfile = {
      name: "live",
      version: 1,
      title: "Scenarios",
      digest: membersDigest(ids),
      results: ids.map(({ id }) => id),
    };
    expect(fitOf(oldProfile, current)).toMatchObject({ isKept: true, pending: [] });
    expect(fitOf({ ...oldProfile, steps: true }, current).isKept).toBe(false);
    const file = join(folder, "certification.json");
    writeFileSync(file, JSON.stringify({ $schema: "certification.schema.json", profiles: [oldProfile] }));
    const liveProfiles = async (next: boolean) =>
      (await freezeProfiles(withCode(readPack(folder), "given"), { next })).file.profiles.filter(
        ({ name }) => name === "live",
      );
    expect((await liveProfiles(false)).map(({ version }) => version)).toEqual([1]);
    expect((await liveProfiles(true)).map(({ version, steps }) => [version, steps])).toEqual([
      [1, undefined],
      [2, true],
    ]);
  });
});

describe("profileNamed", () => {
  it("returns the last version of a profile or the named version, and rejects unknown names and versions", async () => {
    const [protocol] = protocolsNamed("all");
    if (protocol === undefined) throw new Error("no protocol");
    const cores = (await profilesOf(protocol)).filter(({ name }) => name === "core");
    expect(await profileNamed(protocol, "core")).toEqual(cores.at(-1));
    expect(await profileNamed(protocol, `core@${cores[0]?.version}`)).toEqual(cores[0]);
    const nextName = `core@${(cores.at(-1)?.version ?? 0) + 1}`;
    await expect(profileNamed(protocol, nextName)).rejects.toThrow(`no certification profile "${nextName}"`);
    await expect(profileNamed(protocol, "croe")).rejects.toThrow("core");
  });
});
