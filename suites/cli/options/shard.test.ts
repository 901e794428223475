import { describe, expect, it } from "vitest";
import { shard, shardIn } from "./shard.ts";

describe("--shard", () => {
  it.each([
    ["1/1", 1, 1],
    ["2/4", 2, 4],
    ["12/12", 12, 12],
  ])("accepts %s", (text, index, count) => expect(shard(text)).toEqual({ index, count }));

  it.each(["0/4", "5/4", "1/0", "a/4", "1", "1/4/2", "-1/4", "1.5/4", "", "1 / 4"])("rejects %j", (text) => {
    expect(() => shard(text)).toThrow(/I\/N/);
  });
});

describe("--shard auto", () => {
  it.each<[string, Record<string, string>, number, number]>([
    ["GitLab, from 1", { CI_NODE_INDEX: "3", CI_NODE_TOTAL: "4" }, 3, 4],
    ["CircleCI, from 0", { CIRCLE_NODE_INDEX: "0", CIRCLE_NODE_TOTAL: "4" }, 1, 4],
    ["Buildkite, from 0", { BUILDKITE_PARALLEL_JOB: "3", BUILDKITE_PARALLEL_JOB_COUNT: "4" }, 4, 4],
    ["a GitHub matrix, from 0", { STRATEGY_JOB_INDEX: "0", STRATEGY_JOB_TOTAL: "3" }, 1, 3],
    ["an indexed Kubernetes job, from 0", { JOB_COMPLETION_INDEX: "1", JOB_COMPLETIONS: "2" }, 2, 2],
    ["an AWS Batch array, from 0", { AWS_BATCH_JOB_ARRAY_INDEX: "9", AWS_BATCH_JOB_ARRAY_SIZE: "10" }, 10, 10],
    [
      "a Slurm array, from any number",
      {
        SLURM_ARRAY_TASK_ID: "14",
        SLURM_ARRAY_TASK_COUNT: "3",
        SLURM_ARRAY_TASK_MIN: "10",
        SLURM_ARRAY_TASK_STEP: "2",
      },
      3,
      3,
    ],
    [
      "a Slurm array without a step",
      { SLURM_ARRAY_TASK_ID: "0", SLURM_ARRAY_TASK_COUNT: "3", SLURM_ARRAY_TASK_MIN: "0" },
      1,
      3,
    ],
    [
      "CircleCI, despite an empty variable of GitLab",
      { CI_NODE_INDEX: "", CIRCLE_NODE_INDEX: "1", CIRCLE_NODE_TOTAL: "2" },
      2,
      2,
    ],
  ])("reads %s", (_, variables, index, count) => expect(shardIn(variables)).toEqual({ index, count }));

  it.each<[string, Record<string, string>, RegExp]>([
    ["no variable is set", {}, /does not name a shard[\s\S]*CI_NODE_INDEX with CI_NODE_TOTAL/],
    [
      "a GitHub workflow does not pass on its matrix",
      { GITHUB_ACTIONS: "true" },
      /STRATEGY_JOB_INDEX: \$\{\{ strategy\.job-index \}\}, STRATEGY_JOB_TOTAL/,
    ],
    ["the total is not set", { JOB_COMPLETION_INDEX: "1" }, /JOB_COMPLETIONS is not set/],
    ["the index is not a number", { CI_NODE_INDEX: "one", CI_NODE_TOTAL: "4" }, /CI_NODE_INDEX is "one", not a number/],
    ["the index is too high", { CIRCLE_NODE_INDEX: "4", CIRCLE_NODE_TOTAL: "4" }, /CIRCLE_NODE_INDEX=4 and/],
    ["the index is too low", { CI_NODE_INDEX: "0", CI_NODE_TOTAL: "4" }, /do not name a shard/],
    [
      "the index lies between two steps",
      { SLURM_ARRAY_TASK_ID: "3", SLURM_ARRAY_TASK_COUNT: "3", SLURM_ARRAY_TASK_MIN: "0", SLURM_ARRAY_TASK_STEP: "2" },
      /do not name a shard/,
    ],
  ])("throws if %s", (_, variables, message) => expect(() => shardIn(variables)).toThrow(message));
});
