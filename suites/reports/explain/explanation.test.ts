import { expect, it } from "vitest";
import { protocolNamed } from "../../../schemas/index.ts";
import { explainName } from "./explanation.ts";

const protocol = protocolNamed("ahcp");

it("finds a scenario by the name that a rule's explanation lists", async () => {
  const whole = await explainName(protocol, "ahcp/0.3/scenarios/expiry-instant", undefined);
  expect(whole?.[0]).toBe("ahcp/0.3/scenarios/expiry-instant");
  expect(await explainName(protocol, "expiry-instant", undefined)).toEqual(whole);
  expect(await explainName(protocol, "expiry-instan", undefined)).toBeUndefined();
});

it("replays a scenario at the address of its side, by a command, or by a configuration if that side has neither", async () => {
  const commands = async (name: string, id: string): Promise<string[] | undefined> =>
    (await explainName(protocolNamed(name), id, undefined))?.filter((line) => line.startsWith("  touchstone "));
  const [agent, requester] = ["snap/0.1/scenarios/card-served", "snap/0.1/scenarios/requests-ids"];
  expect(await commands("snap", agent)).toEqual([`  touchstone replay ${agent} --http URL`]);
  expect(await commands("snap", requester)).toEqual([
    `  touchstone play snap --side requester --only ${requester} --config touchstone.config.yaml`,
  ]);
  const [code, hub] = ["agent-goes", "hub-waits"].map((name) => `agent-conventions/1.0/scenarios/${name}`);
  expect(await commands("agent-conventions", String(code))).toEqual([
    `  touchstone replay ${code} --http URL`,
    `  touchstone play agent-conventions --only ${code} --command CMD`,
  ]);
  expect(await commands("agent-conventions", String(hub))).toEqual([
    `  touchstone play agent-conventions --side hub --only ${hub} --http URL`,
    `  touchstone play agent-conventions --side hub --only ${hub} --command CMD`,
  ]);
});

it("plays the scenarios of a rule with each of the parties that they test", async () => {
  const lines = await explainName(protocolNamed("agent-conventions"), "CONV-RECV-001", undefined);
  expect(lines?.filter((line) => line.startsWith("  touchstone "))).toEqual([
    "  touchstone run agent-conventions --scenarios --only CONV-RECV-001 --http URL",
    "  touchstone play agent-conventions --only CONV-RECV-001 --command CMD",
    "  touchstone play agent-conventions --side hub --only CONV-RECV-001 --http URL",
    "  touchstone play agent-conventions --side hub --only CONV-RECV-001 --command CMD",
    "  touchstone play agent-conventions --side receiver --only CONV-RECV-001 --http URL",
    "  touchstone play agent-conventions --side receiver --only CONV-RECV-001 --command CMD",
  ]);
});

it("ends with complete commands for a rule", async () => {
  const lines = (await explainName(protocol, "AHCP-EXP-003", undefined)) ?? [];
  const commands = lines.filter((line) => line.includes("touchstone run"));
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(command).toMatch(/ --(?:http URL|module FILE)$/);
});

it("says that accepting a vector only gives a warning, and that another one must be refused", async () => {
  const expected = async (id: string): Promise<string | undefined> =>
    (await explainName(protocolNamed("aaep"), id, undefined))?.find((line) => line.trim().startsWith("expected"));
  expect(await expected("aaep/1.0/envelope/semantic/AAEP-ENV-009/written-out")).toBe(
    "  expected  refused, or accepted with a warning; accepting it without one only gives a warning",
  );
  expect(await expected("aaep/1.0/envelope/semantic/AAEP-ENV-008/made-up")).toBe("  expected  refused");
});

it("says that a rule with disputed vectors fails no target only if it has no scenario", async () => {
  const whole = (await explainName(protocol, "AHCP-SSR-002", undefined))?.join("\n");
  expect(whole).toMatch(
    /disputed and fail no implementation\. It is tested by scenarios:\n {2}\S.* run ahcp --scenarios --only AHCP-SSR-002/,
  );
  expect(whole).not.toContain("Nothing to fix");
});
