import { InvalidArgumentError } from "commander";
import { type Shard, TouchstoneError } from "../../../schemas/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment variables of a CI system that number parallel jobs. */
interface JobSystem {
  index: string;
  count: string;
  /** The number of the first job, or the variable that contains it. */
  first: number | string;
  step?: string;
}

const systems: readonly JobSystem[] = [
  { index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1 },
  { index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", first: 0 },
  { index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0 },
  { index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS", first: 0 },
  { index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", first: 0 },
  // GitHub Actions sets no variables for this. The workflow has to set them from expressions.
  { index: "STRATEGY_JOB_INDEX", count: "STRATEGY_JOB_TOTAL", first: 0 },
  {
    index: "SLURM_ARRAY_TASK_ID",
    count: "SLURM_ARRAY_TASK_COUNT",
    first: "SLURM_ARRAY_TASK_MIN",
    step: "SLURM_ARRAY_TASK_STEP",
  },
];

const gitHubHint = `pass on the position in the matrix: env: { STRATEGY_JOB_INDEX: \${{ strategy.job-index }}, STRATEGY_JOB_TOTAL: \${{ strategy.job-total }} }`;

/** Parses `I/N`, or `auto`, which reads the environment. */
export function shard(text: string): Shard {
  if (text === "auto") return shardIn(process.env);
  const [, index, count] = /^([0-9]{1,6})\/([0-9]{1,6})$/.exec(text) ?? [];
  const parsedShard = { index: Number(index), count: Number(count) };
  if (index === undefined || !isValid(parsedShard)) {
    throw new InvalidArgumentError("It must be I/N with I from 1 to N, such as 2/4, or auto.");
  }
  return parsedShard;
}

/** Reads the shard of a parallel job from the environment. Throws a usage error if the variables are missing, incomplete or invalid. */
export function shardIn(variables: Variables): Shard {
  const system = systems.find(({ index }) => (variables[index] ?? "") !== "");
  if (system === undefined) {
    throw new TouchstoneError("usage", "--shard auto: the environment does not name a shard", {
      hint:
        variables.GITHUB_ACTIONS === "true"
          ? gitHubHint
          : `set one of ${systems.map(({ index, count }) => `${index} with ${count}`).join(", ")}, or give --shard I/N`,
    });
  }
  const first = typeof system.first === "number" ? system.first : numberIn(variables, system.first);
  const step = system.step === undefined ? 1 : numberIn({ [system.step]: "1", ...variables }, system.step);
  const index = (numberIn(variables, system.index) - first) / step + 1;
  const jobShard = { index, count: numberIn(variables, system.count) };
  if (isValid(jobShard)) return jobShard;
  const setting = `${system.index}=${variables[system.index]} and ${system.count}=${variables[system.count]}`;
  throw new TouchstoneError("usage", `--shard auto: ${setting} do not name a shard`, {
    hint: "give --shard I/N, with I from 1 to N",
  });
}

function numberIn(variables: Variables, name: string): number {
  const text = variables[name] ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new TouchstoneError(
    "usage",
    `--shard auto: ${name} is ${text === "" ? "not set" : `"${text}", not a number`}`,
    {
      hint: `set ${name}, or give --shard I/N`,
    },
  );
}

function isValid({ index, count }: Shard): boolean {
  return Number.isInteger(index) && index >= 1 && index <= count;
}
