import { parse } from "yaml";

/** One action of a page, with its lines of the page (from the first to before the last, counted from 0). */
export type PageStep =
  | { kind: "file"; file: string; text: string }
  | {
      kind: "command";
      command: string;
      shown: string | undefined;
      /** Additional members of its environment. */
      env?: Readonly<Record<string, string>>;
      from: number;
      to: number;
    };

interface Block {
  /** The words after the fence. */
  info: string;
  /** The last line with text before the block. */
  before: string;
  /** Index of the first line of the content. */
  from: number;
  lines: string[];
}

const bareCommandPattern = /(?<!npx |npm run -s |podman run .*)\btouchstone [a-z…-].*/g;

/** Commands in the code of a page that need the program on the path, which a reader's project does not have. */
export function bareCommands(page: string): string[] {
  const code = page.match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? [];
  return code.flatMap((each) => each.match(bareCommandPattern) ?? []);
}

/**
 * The steps of a page, in order. A block after a line that ends in a file's name and a colon is a file. A block that begins with `$ ` is a session of commands with their output. Each line of a block of `sh` is a command; a block of `sh not-run` is not run. In a
 * block of `yaml run`, a workflow of GitHub or jobs of GitLab, and of `groovy run`, a pipeline of Jenkins, the steps are commands that start a server of the page or Touchstone; a job with a matrix is run once for each of its values.
 */
export function stepsOf(page: string): PageStep[] {
  return blocksOf(page.split("\n")).flatMap((block) => {
    const file = /`([\w./-]+)`[^`:]*:$/.exec(block.before)?.[1];
    if (block.lines[0]?.startsWith("$ ")) return session(block);
    if (block.info === "sh") return commands(block);
    if (block.info === "yaml run") return workflow(block);
    if (block.info === "groovy run") return pipeline(block);
    return file === undefined ? [] : [{ kind: "file" as const, file, text: `${block.lines.join("\n")}\n` }];
  });
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let before = "";
  for (const [index, line] of lines.entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (fence === null) {
      if (open !== undefined) open.lines.push(line);
      else if (line !== "") before = line;
    } else if (open === undefined) open = { info: (fence[1] ?? "").trim(), before, from: index + 1, lines: [] };
    else {
      blocks.push(open);
      open = undefined;
      before = "";
    }
  }
  return blocks;
}

function session({ from, lines }: Block): PageStep[] {
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

/** A workflow of GitHub, or jobs of GitLab by name. */
type Workflow = { jobs: Record<string, Job> } | Record<string, { script?: string[] }>;

/** Other steps of a workflow, such as an installation, are not run. */
function workflow({ from, lines }: Block): PageStep[] {
  const read = parse(lines.join("\n")) as Workflow;
  const step = (command: string, env: Readonly<Record<string, string>>): PageStep[] =>
    isOurs(command) ? [{ kind: "command", command, shown: undefined, env, from, to: from }] : [];
  if (!isOfGitHub(read))
    return Object.values(read).flatMap(({ script = [] }) => script.flatMap((command) => step(command, {})));
  return Object.values(read.jobs).flatMap((job) =>
    matrixRuns(job).flatMap((fillIn) => {
      const env = Object.fromEntries(Object.entries(job.env ?? {}).map(([name, value]) => [name, fillIn(value)]));
      const commands = job.steps.flatMap(({ run }) => run?.trim().split("\n") ?? []);
      return commands.flatMap((command) => step(fillIn(command), env));
    }),
  );
}

function isOfGitHub(read: Workflow): read is { jobs: Record<string, Job> } {
  return "jobs" in read;
}

/** The values of a job in its matrix, filled in, once for each; once for a job without a matrix. */
function matrixRuns({ strategy }: Job): ((text: string) => string)[] {
  const [[name, values] = ["", [undefined]]] = Object.entries(strategy?.matrix ?? {});
  return values.map((value, index) => (text) => {
    const known = { [`matrix.${name}`]: value, "strategy.job-index": index, "strategy.job-total": values.length };
    return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (original, each: string) => String(known[each] ?? original));
  });
}

/** The steps of Jenkins are texts in single quotes, which our steps do not contain. */
function pipeline({ from, lines }: Block): PageStep[] {
  const steps = lines.flatMap((line) => /^\s*sh '([^']*)'$/.exec(line)?.[1] ?? []);
  return steps
    .filter(isOurs)
    .map((command) => ({ kind: "command" as const, command, shown: undefined, env: {}, from, to: from }));
}

function isOurs(command: string): boolean {
  return /^(node|npx touchstone) /.test(command);
}

function commands({ from, lines }: Block): PageStep[] {
  return lines.flatMap((line, index) => {
    const command = line.replace(/\s+#.*$/, "").trim();
    if (command === "" || command.startsWith("#")) return [];
    return [{ kind: "command" as const, command, shown: undefined, from: from + index, to: from + index }];
  });
}
