import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { react } from "./documents.fixture.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const callingAgent = (...sources: string[]): JsonObject =>
  react({ action_space: { local_agents: sources.map((source, index) => ({ alias: `a${index}`, source })) } });
const findingsOf = (files: JsonObject, entry = "main.yaml"): string[] =>
  findings(protocol, "bundle", { entry, files }).map(({ rule, at }) => `${rule} ${at}`);

describe("a bundle", () => {
  it("includes the files that its files refer to, across folders", () => {
    const files = {
      "x/main.yaml": callingAgent("../y/./a.yaml", "b.yaml"),
      "y/a.yaml": callingAgent("../x/b.yaml"),
      "x/b.yaml": react(),
    };
    expect(findingsOf(files, "x/main.yaml")).toEqual([]);
    expect(findingsOf(files, "main.yaml")).toEqual([]);
    const { "x/b.yaml": _, ...remainingFiles } = files;
    expect(findingsOf(remainingFiles, "x/main.yaml")).toEqual([
      "AGF-ACT-009 /files/x~1main.yaml/action_space/local_agents/1/source",
      "AGF-ACT-009 /files/y~1a.yaml/action_space/local_agents/0/source",
    ]);
  });

  it("accepts an absolute source if the file exists", () => {
    expect(findingsOf({ "x/main.yaml": callingAgent("/y/a.yaml"), "/y/a.yaml": react() }, "x/main.yaml")).toEqual([]);
  });

  it("can contain a very long chain of files", () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `${index}.yaml`,
        { action_space: { local_agents: [{ alias: "a", source: `${index + 1}.yaml` }] } },
      ]),
    );
    files["1999.yaml"] = { action_space: { local_agents: [{ alias: "a", source: "0.yaml" }] } };
    const cycles = findingsOf(files, "0.yaml").filter((finding) => finding.startsWith("AGF-ACT-010"));
    expect(cycles).toEqual(["AGF-ACT-010 /files/1999.yaml/action_space/local_agents/0/source"]);
  });

  it("reports each of two cycles", () => {
    const files = {
      "main.yaml": callingAgent("a.yaml", "b.yaml"),
      "a.yaml": callingAgent("a.yaml"),
      "b.yaml": callingAgent("main.yaml", "a.yaml"),
    };
    expect(findingsOf(files)).toEqual([
      "AGF-ACT-010 /files/a.yaml/action_space/local_agents/0/source",
      "AGF-ACT-010 /files/b.yaml/action_space/local_agents/0/source",
    ]);
  });

  it("may contain a less restricted child if the parent permits it", () => {
    const boundedAgent = (max_tool_calls: number, members: JsonObject = {}): JsonObject => ({
      constraints: { limits: { max_tool_calls }, ...members },
    });
    const files = (members: JsonObject) => ({
      "main.yaml": { ...callingAgent("a.yaml"), ...boundedAgent(3, members) },
      "a.yaml": react(boundedAgent(5)),
    });
    expect(findingsOf(files({}))).toEqual(["AGF-CONS-004 /files/a.yaml/constraints/limits/max_tool_calls"]);
    expect(findingsOf(files({ tighten_only_invariant: true }))).toHaveLength(1);
    expect(findingsOf(files({ tighten_only_invariant: false }))).toEqual([]);
  });
});
