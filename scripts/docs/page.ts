import { parse } from "yaml";

/** One thing that a page does, with the lines of the page that it takes (from the first, to before the last, counted from 0). */
export type PageStep =
  | { kind: "file"; file: string; text: string }
  | {
      kind: "command";
      command: string;
      shown: string | undefined;
      /** What its environment has besides. */
      env?: Readonly<Record<string, string>>;
      from: number;
      to: number;
    };

interface Block {
  /** What stands behind the fence. */
  info: string;
  /** The last line with text before the block. */
  before: string;
  /** Index of the first line of the content. */
  from: number;
  lines: string[];
}

const bare = /(?<!npx |npm run -s |podman run .*)\btouchstone [a-z…-].*/g;

/** Commands in the code of a page that are found only where the program is on the path, which in the project of a reader it is not. */
export function bareCommands(page: string): string[] {
  const code = page.match(/^```[\s\S]*?^```|`[^`\n]+`/gm) ?? [];
  return code.flatMap((each) => each.match(bare) ?? []);
}

/**
 * What a page does, in order: a block after a line that ends in a file's name and a colon is a file; a block that begins
 * with `$ ` is a session, of commands with what they print; each line of a block of `sh` is a command. A block of
 * `sh not-run` is only there to be read. Of a block of `yaml run`, a workflow of GitHub, the steps are commands that start a server of the page or Touchstone.
 */
export function stepsOf(page: string): PageStep[] {
  return blocksOf(page.split("\n")).flatMap((block) => {
    const file = /`([\w./-]+)`[^`:]*:$/.exec(block.before)?.[1];
    if (block.lines[0]?.startsWith("$ ")) return session(block);
    if (block.info === "sh") return commands(block);
    if (block.info === "yaml run") return workflow(block);
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
      ...{ kind: "command", command: (lines[start] as string).slice(2) },
      ...{
        shown: shown.join("\n").trimEnd(),
        from: from + start + 1,
        to: from + end - Math.max(0, shown.length === 0 ? 0 : gap),
      },
    };
  });
}

interface Workflow {
  jobs: Record<string, { env?: Record<string, string>; steps: { run?: string }[] }>;
}

/** What else a workflow does, such as an installation, is not for a page to do. */
function workflow({ from, lines }: Block): PageStep[] {
  const { jobs } = parse(lines.join("\n")) as Workflow;
  return Object.values(jobs).flatMap(({ env = {}, steps }) =>
    steps
      .flatMap((step) => step.run?.trim().split("\n") ?? [])
      .filter((command) => /^(node|npx touchstone) /.test(command))
      .map((command) => ({ kind: "command" as const, command, shown: undefined, env, from, to: from })),
  );
}

function commands({ from, lines }: Block): PageStep[] {
  return lines.flatMap((line, index) => {
    const command = line.replace(/\s+#.*$/, "").trim();
    if (command === "" || command.startsWith("#")) return [];
    return [{ kind: "command" as const, command, shown: undefined, from: from + index, to: from + index }];
  });
}
