import { parse } from "yaml";

/** One action of a page, with its lines in the page: `from` is the first, counted from 0, and `to` follows the last. */
export type PageStep =
  | { kind: "file"; file: string; text: string }
  | {
      kind: "command";
      command: string;
      shown: string | undefined;
      /** Additional environment variables. */
      env?: Readonly<Record<string, string>>;
      from: number;
      to: number;
    };

interface Block {
  /** The words after the opening fence. */
  info: string;
  /** The last line with text before the block. */
  before: string;
  /** Index of the first line of the content. */
  from: number;
  lines: string[];
}

const bareCommandPattern = /(?<!npx |npm run -s |podman run .*)\btouchstone [a-z…-].*/g;

/** Commands in the code of a page that call `touchstone` without `npx`. A reader's project does not have it on the path. */
export function bareCommands(page: string): string[] {
  const code = page.match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? [];
  return code.flatMap((codePart) => codePart.match(bareCommandPattern) ?? []);
}

/**
 * The steps of a page, in order:
 * - a block after a line that ends with a file name and a colon is a file;
 * - a block that begins with `$ ` is a session of commands with their output;
 * - each line of a `sh` block is a command; a `sh not-run` block is not run;
 * - a `yaml run` block is a GitHub workflow or has GitLab jobs, and a `groovy run` block is a Jenkins pipeline. Only commands that start
 *   Touchstone or a server of the page are run; a job with a matrix is run once for each value.
 */
export function stepsOf(page: string): PageStep[] {
  return blocksOf(page.split("\n")).flatMap((block) => {
    const file = /`([\w./-]+)`[^`:]*:$/.exec(block.before)?.[1];
    if (block.lines[0]?.startsWith("$ ")) return readSession(block);
    if (block.info === "sh") return readCommands(block);
    if (block.info === "yaml run") return readWorkflow(block);
    if (block.info === "groovy run") return readPipeline(block);
    return file === undefined ? [] : [{ kind: "file" as const, file, text: `${block.lines.join("\n")}\n` }];
  });
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let openBlock: Block | undefined;
  let before = "";
  for (const [index, line] of lines.entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (fence === null) {
      if (openBlock !== undefined) openBlock.lines.push(line);
      else if (line !== "") before = line;
    } else if (openBlock === undefined)
      openBlock = { info: (fence[1] ?? "").trim(), before, from: index + 1, lines: [] };
    else {
      blocks.push(openBlock);
      openBlock = undefined;
      before = "";
    }
  }
  return blocks;
}

function readSession({ from, lines }: Block): PageStep[] {
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const shown = lines.slice(start + 1, end);
    const gap = shown.length - shown.join("\n").trimEnd().split("\n").length;
    return {
      kind: "command",
      command: (lines[start] as string).slice(2),
      shown: shown.join("\n").trimEnd(),
      from: from + start + 1,
      to: from + end - Math.max(0, shown.length === 0 ? 0 : gap),
    };
  });
}

interface Job {
  env?: Record<string, string>;
  strategy?: { matrix?: Record<string, unknown[]> };
  steps: { run?: string }[];
}

/** A GitHub workflow, or GitLab jobs by name. */
type Workflow = { jobs: Record<string, Job> } | Record<string, { script?: string[] }>;

/** Reads the steps of a workflow. Other commands, such as an installation, are not run. */
function readWorkflow({ from, lines }: Block): PageStep[] {
  const content = parse(lines.join("\n")) as Workflow;
  const step = (command: string, env: Readonly<Record<string, string>>): PageStep[] =>
    isOurs(command) ? [{ kind: "command", command, shown: undefined, env, from, to: from }] : [];
  if (!isGitHubWorkflow(content))
    return Object.values(content).flatMap(({ script = [] }) => script.flatMap((command) => step(command, {})));
  return Object.values(content.jobs).flatMap((job) =>
    matrixRuns(job).flatMap((fillIn) => {
      const env = Object.fromEntries(Object.entries(job.env ?? {}).map(([name, value]) => [name, fillIn(value)]));
      const commands = job.steps.flatMap(({ run }) => run?.trim().split("\n") ?? []);
      return commands.flatMap((command) => step(fillIn(command), env));
    }),
  );
}

function isGitHubWorkflow(content: Workflow): content is { jobs: Record<string, Job> } {
  return "jobs" in content;
}

/** For each value of a job's matrix, a function that fills it in; a single function for a job without a matrix. */
function matrixRuns({ strategy }: Job): ((text: string) => string)[] {
  const [[name, values] = ["", [undefined]]] = Object.entries(strategy?.matrix ?? {});
  return values.map((value, index) => (text) => {
    const matrixValues = {
      [`matrix.${name}`]: value,
      "strategy.job-index": index,
      "strategy.job-total": values.length,
    };
    return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (original, name: string) => String(matrixValues[name] ?? original));
  });
}

/** Reads the steps of a Jenkins pipeline: strings in single quotes, without quotes inside. */
function readPipeline({ from, lines }: Block): PageStep[] {
  const steps = lines.flatMap((line) => /^\s*sh '([^']*)'$/.exec(line)?.[1] ?? []);
  return steps
    .filter(isOurs)
    .map((command) => ({ kind: "command" as const, command, shown: undefined, env: {}, from, to: from }));
}

function isOurs(command: string): boolean {
  return /^(node|npx touchstone) /.test(command);
}

function readCommands({ from, lines }: Block): PageStep[] {
  return lines.flatMap((line, index) => {
    const command = line.replace(/\s+#.*$/, "").trim();
    if (command === "" || command.startsWith("#")) return [];
    return [{ kind: "command" as const, command, shown: undefined, from: from + index, to: from + index }];
  });
}
