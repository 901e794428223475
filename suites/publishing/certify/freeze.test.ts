import { describe, expect, it } from "vitest";
import { protocolsNamed } from "../../../schemas/index.ts";
import { frozenProfiles } from "./freeze.ts";
import { type Membership, membersDigest, membershipsOf } from "./members.ts";
import { type CertificationProfile, fitOf, profileNamed, profilesOf } from "./profiles.ts";

const today: Membership = {
  name: "core",
  title: "Core",
  members: [
    { id: "a", content: "1" },
    { id: "b", content: "2" },
  ],
};
const frozen: CertificationProfile = {
  ...{ name: "core", version: 1, title: "Core" },
  digest: membersDigest(today.members),
  results: ["a", "b"],
};

describe.each(protocolsNamed("all"))("the certification profiles of $name $version", (protocol) => {
  it("are frozen, and fit the published vectors and scenarios", async () => {
    const { frozen: all } = await frozenProfiles(protocol);
    expect(all.filter(({ isNew }) => isNew)).toEqual([]);
  });

  it("contain each vector with a certain verdict once", async () => {
    const memberships = (await membershipsOf(protocol)).filter(
      ({ side, reading }) => side === undefined && reading === undefined,
    );
    const ids = memberships.flatMap(({ members }) => members.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(1000);
  });
});

describe("a frozen profile", () => {
  it("fits as long as its members are unchanged", () => {
    expect(fitOf(frozen, today)).toEqual({ isKept: true, gone: [], pending: [] });
  });

  it("does not score later vectors", () => {
    const more = { ...today, members: [{ id: "new", content: "3" }, ...today.members] };
    expect(fitOf(frozen, more)).toEqual({ isKept: true, gone: [], pending: ["new"] });
  });

  it("no longer fits if a member is gone or changed", () => {
    const [first, second] = today.members as [Membership["members"][number], Membership["members"][number]];
    expect(fitOf(frozen, { ...today, members: [first] })).toMatchObject({ isKept: false, gone: ["b"] });
    expect(fitOf(frozen, { ...today, members: [first, { ...second, content: "other" }] }).isKept).toBe(false);
    expect(fitOf(frozen, undefined).isKept).toBe(false);
  });
});

describe("a profile by its name", () => {
  it("is its last version, or the named one", async () => {
    const [protocol] = protocolsNamed("all");
    if (protocol === undefined) throw new Error("no protocol");
    const cores = (await profilesOf(protocol)).filter(({ name }) => name === "core");
    expect(await profileNamed(protocol, "core")).toEqual(cores.at(-1));
    expect(await profileNamed(protocol, `core@${cores[0]?.version}`)).toEqual(cores[0]);
    const next = `core@${(cores.at(-1)?.version ?? 0) + 1}`;
    await expect(profileNamed(protocol, next)).rejects.toThrow(`no certification profile "${next}"`);
    await expect(profileNamed(protocol, "croe")).rejects.toThrow("core");
  });
});
