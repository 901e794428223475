import { add, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { locals, react } from "./documents.ts";

const acting = (action_space: JsonObject): JsonObject => react({ action_space });
const kinds = {
  local_tools: [{ alias: "look_up" }, { alias: "book" }],
  mcp_servers: [{ alias: "maps" }, { alias: "trains" }],
  ...locals("finder", "writer"),
  remote_agents: [{ alias: "hotel" }, { alias: "airline" }],
};

const unique: Cases = {
  rule: "AGF-ACT-002",
  document: "agent",
  valid: [
    { name: "distinct", says: "has no alias twice", data: acting(kinds), at: "/action_space" },
    {
      name: "letter-case",
      says: "has aliases that differ in case alone",
      data: acting({ local_tools: [{ alias: "book" }, { alias: "Book" }, { alias: "BOOK" }] }),
      at: "/action_space/local_tools",
      edge: true,
    },
    {
      name: "across-lists",
      says: "has one alias in each of its four lists",
      data: acting({
        local_tools: [{ alias: "hotel" }],
        mcp_servers: [{ alias: "hotel" }],
        ...locals("hotel"),
        remote_agents: [{ alias: "hotel" }],
      }),
      at: "/action_space",
      edge: true,
    },
    {
      name: "same-function",
      says: "has two aliases for one function",
      data: acting({
        local_tools: [
          { alias: "a", name: "find" },
          { alias: "b", name: "find" },
        ],
      }),
      at: "/action_space/local_tools",
    },
  ],
  invalid: [
    ...Object.entries(kinds).map(([list, items]) => {
      const [first] = items as { alias: string }[];
      return {
        name: list.replaceAll("_", "-"),
        says: `repeats the alias ${first?.alias}`,
        change: set(`/action_space/${list}/1/alias`, first?.alias ?? ""),
      };
    }),
    {
      name: "far-apart",
      from: "letter-case",
      says: "is the alias of the first item",
      change: add("/action_space/local_tools/-", { alias: "book" }),
      at: "/action_space/local_tools/3/alias",
    },
  ],
};

const sources: Cases = {
  rule: "AGF-ACT-004",
  document: "agent",
  valid: [
    {
      name: "standard",
      says: "has sources of the three standard kinds, and one that is a file for lack of a word",
      data: acting({
        local_agents: [
          { alias: "a", source: "./a.agf.yaml" },
          { alias: "b", source_type: "file", source: "./b.agf.yaml" },
          { alias: "c", source_type: "registry", source: "travel/c@1" },
          { alias: "d", source_type: "db", source: "agents/4" },
        ],
      }),
      at: "/action_space/local_agents",
    },
    ...["git", "File", ""].map((source_type, index) => ({
      name: ["added-by-a-runtime", "letter-case", "empty"][index] as string,
      says: `is ${JSON.stringify(source_type)}, a kind that a runtime may add`,
      data: acting({ local_agents: [{ alias: "a", source_type, source: "a" }] }),
      at: "/action_space/local_agents/0/source_type",
      edge: true as const,
    })),
  ],
  invalid: [],
};

const reserved: Cases = {
  rule: "AGF-ACT-011",
  document: "agent",
  valid: [
    {
      name: "free",
      says: "is a word without a meaning of its own",
      data: acting(kinds),
      at: "/action_space/local_agents",
    },
    {
      name: "near",
      says: "are near to the words that mean something",
      data: acting(locals("Parent", "parent_", "lastly", "FIRST", "merge2")),
      at: "/action_space/local_agents",
      edge: true,
    },
    {
      name: "tool",
      says: "is the alias of a tool, which no path starts from",
      data: acting({ local_tools: [{ alias: "parent" }], remote_agents: [{ alias: "last" }] }),
      at: "/action_space/local_tools/0/alias",
    },
  ],
  invalid: ["parent", "last", "first", "merge"].map((word) => ({
    name: word,
    says: `is "${word}", which means something else already`,
    change: set("/action_space/local_agents/1/alias", word),
  })),
};

const listedOnce: Cases = {
  rule: "AGF-ACT-012",
  document: "agent",
  valid: [
    {
      name: "distinct",
      says: "lists each tool and each skill once",
      data: acting({
        mcp_servers: [{ alias: "maps", allowed_tools: ["route", { name: "place" }] }],
        remote_agents: [{ alias: "hotel", allowed_skills: ["quote", { id: "reserve" }] }],
      }),
      at: "/action_space",
    },
    {
      name: "two-servers",
      says: "allows a tool of one name at two servers",
      data: acting({
        mcp_servers: [
          { alias: "maps", allowed_tools: ["route", "Route"] },
          { alias: "trains", allowed_tools: ["route"] },
        ],
      }),
      at: "/action_space/mcp_servers",
      edge: true,
    },
  ],
  invalid: [
    {
      name: "texts",
      says: "is listed before",
      change: add("/action_space/mcp_servers/0/allowed_tools/-", "route"),
      at: "/action_space/mcp_servers/0/allowed_tools/2",
    },
    {
      name: "text-and-object",
      says: "is listed before, as text",
      change: add("/action_space/mcp_servers/0/allowed_tools/-", { name: "route", approval: true }),
      at: "/action_space/mcp_servers/0/allowed_tools/2",
      edge: true,
    },
    {
      name: "skill",
      says: "is listed before, as text",
      change: add("/action_space/remote_agents/0/allowed_skills/0", "reserve"),
      at: "/action_space/remote_agents/0/allowed_skills/2",
    },
    {
      name: "second-server",
      from: "two-servers",
      says: "is listed twice at the second server",
      change: add("/action_space/mcp_servers/1/allowed_tools/-", "route"),
      at: "/action_space/mcp_servers/1/allowed_tools/1",
    },
  ],
};

export const aliasCases: readonly Cases[] = [unique, sources, reserved, listedOnce];
