import { expect, it } from "vitest";
import type { Report } from "../../schemas/index.ts";
import { publishedServers } from "./published-servers.ts";
import { rowOf, tableOf } from "./row.ts";

const counts = {
  conforms: 5,
  violates: 1,
  warns: 2,
  "wrong-reason": 0,
  disputed: 0,
  skipped: 3,
  errored: 4,
  "timed-out": 0,
};

const runs = [{ results: [{ id: "mcp/1/a/valid/x" }, { id: "mcp/1/a/valid/y" }, { id: "mcp/1/b/valid/x" }] }];

it("a row counts the called tools and all vectors", () => {
  const row = rowOf("@scope/server@1.2.3", { counts, runs } as Report);
  expect(row).toEqual(["`@scope/server` 1.2.3", "2", "15", "5", "1", "2", "0", "4", "0", "3"]);
  expect(tableOf([["x"]]).split("\n")).toHaveLength(3);
});

it("every server has an exact version", () => {
  for (const publishedServer of publishedServers)
    expect(publishedServer.package).toMatch(/^(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/);
});
