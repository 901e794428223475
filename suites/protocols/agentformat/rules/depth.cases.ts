import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { advisory, react } from "./documents.ts";

const calling = (sources: string[], depth?: number): JsonObject =>
  react({
    action_space: { local_agents: sources.map((source, index) => ({ alias: `helper_${index}`, source })) },
    ...(depth === undefined ? {} : { constraints: { limits: { max_delegation_depth: depth } } }),
  });
const bundled = (files: JsonObject): JsonObject => ({ entry: "a.yaml", files });
const boundOf = (file: string): string => `/files/${file}/constraints/limits/max_delegation_depth`;

const bounded: Cases = {
  rule: "AGF-ACT-010",
  document: "bundle",
  valid: [
    {
      name: "line",
      says: "goes from file to file and comes to an end",
      data: bundled({ "a.yaml": calling(["b.yaml"]), "b.yaml": calling(["c.yaml"]), "c.yaml": react() }),
    },
    {
      name: "diamond",
      says: "comes to one file in two ways, and to none twice in one",
      data: bundled({
        "a.yaml": calling(["b.yaml", "c.yaml"]),
        "b.yaml": calling(["d.yaml"]),
        "c.yaml": calling(["d.yaml"]),
        "d.yaml": react(),
      }),
      edge: true,
    },
    {
      name: "bounded",
      says: "goes in a circle of which one file bounds the depth",
      data: bundled({ "a.yaml": calling(["b.yaml"]), "b.yaml": calling(["a.yaml"], 3) }),
      edge: true,
    },
    {
      name: "bounded-at-the-entry",
      says: "comes to a circle below a file that bounds the depth",
      data: bundled({
        "a.yaml": calling(["b.yaml"], 5),
        "b.yaml": calling(["c.yaml"]),
        "c.yaml": calling(["b.yaml"]),
      }),
    },
    {
      name: "out-of-reach",
      says: "has a circle to which nothing leads from the entry",
      data: bundled({ "a.yaml": react(), "b.yaml": calling(["c.yaml"]), "c.yaml": calling(["b.yaml"]) }),
    },
  ],
  invalid: [
    {
      name: "back-to-the-entry",
      says: "leads back to the entry",
      change: set("/files/c.yaml", calling(["a.yaml"])),
      at: "/files/c.yaml/action_space/local_agents/0/source",
    },
    {
      name: "itself",
      says: "leads to its own file",
      change: set("/files/c.yaml", calling(["./c.yaml"])),
      at: "/files/c.yaml/action_space/local_agents/0/source",
    },
    {
      name: "by-another-spelling",
      says: "leads back by way of a folder",
      change: set("/files/c.yaml", calling(["x/../b.yaml"])),
      at: "/files/c.yaml/action_space/local_agents/0/source",
      edge: true,
    },
    {
      name: "no-bound",
      from: "bounded",
      says: "leads round, as nothing bounds the depth",
      change: remove(boundOf("b.yaml")),
      at: "/files/b.yaml/action_space/local_agents/0/source",
    },
    {
      name: "no-bound-at-the-entry",
      from: "bounded-at-the-entry",
      says: "leads round, as nothing bounds the depth",
      change: remove(boundOf("a.yaml")),
      at: "/files/c.yaml/action_space/local_agents/0/source",
    },
    {
      name: "within-reach",
      from: "out-of-reach",
      says: "leads to a circle",
      change: add("/files/a.yaml/action_space", { local_agents: [{ alias: "b", source: "b.yaml" }] }),
      at: "/files/c.yaml/action_space/local_agents/0/source",
    },
  ],
};

export const depthCases: readonly Cases[] = [advisory("SHOULD", bounded)];
