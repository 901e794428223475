import { expect, it } from "vitest";
import { protocolNamed } from "../../../schemas/index.ts";
import { explainName } from "./explanation.ts";

const protocol = protocolNamed("ahcp");

it("finds a scenario by the name that a rule's explanation lists", async () => {
  const explanation = await explainName(protocol, "ahcp/0.3/scenarios/expiry-instant", undefined);
  expect(explanation?.[0]).toBe("ahcp/0.3/scenarios/expiry-instant");
  expect(await explainName(protocol, "expiry-instant", undefined)).toEqual(explanation);
  expect(await explainName(protocol, "expiry-instan", undefined)).toBeUndefined();
});

it("suggests commands that replay a scenario with a server, a command, or hooks in a configuration", async () => {
  const commands = async (name: string, id: string): Promise<string[] | undefined> =>
    (await explainName(protocolNamed(name), id, undefined))?.filter((line) => line.startsWith("  touchstone "));
  const [agentScenario, requesterScenario] = ["snap/0.1/scenarios/card-served", "snap/0.1/scenarios/requests-ids"];
  expect(await commands("snap", agentScenario)).toEqual([`  touchstone replay ${agentScenario} --http URL`]);
  expect(await commands("snap", requesterScenario)).toEqual([
    `  touchstone play snap --side requester --only ${requesterScenario} --config touchstone.config.yaml`,
  ]);
  const [codeScenario, hubScenario] = ["agent-goes", "hub-waits"].map(
    (name) => `agent-conventions/1.0/scenarios/${name}`,
  );
  expect(await commands("agent-conventions", String(codeScenario))).toEqual([
    `  touchstone replay ${codeScenario} --http URL`,
    `  touchstone play agent-conventions --only ${codeScenario} --command CMD`,
  ]);
  expect(await commands("agent-conventions", String(hubScenario))).toEqual([
    `  touchstone play agent-conventions --side hub --only ${hubScenario} --http URL`,
    `  touchstone play agent-conventions --side hub --only ${hubScenario} --command CMD`,
  ]);
});

it("suggests a command for each party that the scenarios of a rule test", async () => {
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

it("expects a warning or a refusal for advice, and a refusal for a requirement", async () => {
  const findExpected = async (id: string): Promise<string | undefined> =>
    (await explainName(protocolNamed("aaep"), id, undefined))?.find((line) => line.trim().startsWith("expected"));
  expect(await findExpected("aaep/1.0/envelope/semantic/AAEP-ENV-009/written-out")).toBe(
    "  expected  refused, or accepted with a warning; accepting it without one only gives a warning",
  );
  expect(await findExpected("aaep/1.0/envelope/semantic/AAEP-ENV-008/made-up")).toBe("  expected  refused");
});

it("refers to the scenarios of a rule with only disputed vectors", async () => {
  const explanation = (await explainName(protocol, "AHCP-SSR-002", undefined))?.join("\n");
  expect(explanation).toMatch(
    /disputed and fail no implementation\. It is tested by scenarios:\n {2}\S.* run ahcp --scenarios --only AHCP-SSR-002/,
  );
  expect(explanation).not.toContain("Nothing to fix");
});
