import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home, protocolsNamed, version } from "../schemas/index.ts";
import { bareCommands, stepsOf } from "./docs/page.ts";
import { pageTimeoutMs, slowPages } from "./docs/slow.fixture.ts";
import { hasExamples, pages, walkPage } from "./docs.ts";
import { readTree } from "./tree.ts";

describe("every shown command prints the shown output", () => {
  it.each(pages.filter((name) => !slowPages.includes(name)))("%s", { timeout: pageTimeoutMs }, async (name) => {
    const page = readFileSync(join(home, name), "utf8");
    const { complaints } = await walkPage(page, hasExamples(name));
    expect(complaints, `npx tsx scripts/docs.ts --write ${name}`).toEqual([]);
  });

  it("reports and corrects output that differs", async () => {
    const page = (version: string): string =>
      `\`\`\`console\n$ npx touchstone list families\n${version}\n…\n\`\`\`\n\nEnd.\n`;
    const { complaints, text } = await walkPage(page("nothing at all"));
    expect(complaints).toHaveLength(1);
    expect((await walkPage(text)).complaints).toEqual([]);
    expect(text).toMatch(/\n…\n```\n\nEnd\.\n$|\n```\n\nEnd\.\n$/);
  });

  it("checks the output of a program that imports the package", async () => {
    const code = 'import { runSuite } from "touchstone";\nconsole.log(typeof runSuite);';
    const page = (expectedOutput: string): string =>
      `In \`a.mjs\`:\n\n\`\`\`js\n${code}\n\`\`\`\n\n\`\`\`console\n$ node a.mjs\n${expectedOutput}\n\`\`\`\n`;
    expect((await walkPage(page("function"))).complaints).toEqual([]);
    expect((await walkPage(page("object"))).complaints).toHaveLength(1);
  });

  it("reports a command that fails if the page does not show the failure", async () => {
    expect((await walkPage("```sh\nnpx touchstone run nobody\n```\n")).complaints).toHaveLength(1);
  });
});

it("every page shows commands with `npx touchstone`, as they are called with the installed package", () => {
  expect(bareCommands("```sh\ntouchstone play snap --sides\n```\n")).toEqual(["touchstone play snap --sides"]);
  expect(
    bareCommands("By `touchstone … --ui`, `source <(touchstone list)`, touchstone run, `npx touchstone run`."),
  ).toEqual(["touchstone … --ui`", "touchstone list)`"]);
  const markdownFiles = [...readTree(home)].filter(([name]) => name.endsWith(".md"));
  expect(markdownFiles.length).toBeGreaterThan(pages.length);
  expect(markdownFiles.flatMap(([name, text]) => bareCommands(text).map((command) => `${name}: ${command}`))).toEqual(
    [],
  );
});

it("the guide to the wire format lists the document paths of all profiles", () => {
  const guide = readFileSync(join(home, "suites/guides/wire.md"), "utf8");
  const shownPaths = [...guide.matchAll(/^\| ([a-z0-9-]+) \|[^|]*\| ((?:`[A-Z]+ \/\S*`(?:; )?)+) \|/gm)].flatMap(
    ([, name, paths = ""]) => [...paths.matchAll(/`([^`]+)`/g)].map(([, path]) => `${name}: ${path}`),
  );
  const profilePaths = protocolsNamed("all").flatMap(({ name, profile }) =>
    profile.documents.flatMap(({ endpoint }) =>
      endpoint === undefined ? [] : `${name}: ${endpoint.method} ${endpoint.path}`,
    ),
  );
  expect(shownPaths).toEqual([...new Set(profilePaths)]);
});

it("every job installs the package before it calls it, so that a registry failure does not look like violations", () => {
  const jobs = ["scripts/scale/matrix.yml", ...pages].flatMap((name) => {
    const text = readFileSync(join(home, name), "utf8");
    const yaml = name.endsWith(".md")
      ? [...text.matchAll(/^```yaml.*\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block)
      : [text];
    return yaml.filter((block) => block.includes("npx touchstone"));
  });
  expect(jobs.length).toBeGreaterThan(4);
  for (const job of jobs) expect(job).toMatch(/^\s*- (run: )?npm ci$[\s\S]*npx touchstone/m);
  for (const job of jobs) expect(job).not.toMatch(/npx (-y|--yes)/);
});

it("pins every action to one hash and version, and Touchstone to its current version", () => {
  const workflows = [".github", "scripts/scale"].flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const files = [...pages, ...workflows.filter((name) => /\.ya?ml$/.test(name))];
  const text = files.map((name) => readFileSync(join(home, name), "utf8")).join("\n");
  const pins = new Set([...text.matchAll(/\buses: ([\w.-]+\/[^@\s]+)@(.*)/g)].map(([, name, pin]) => `${name}@${pin}`));
  const names = [...pins].map((pin) => pin.slice(0, pin.indexOf("@")));
  expect(names).toEqual([...new Set(names)]);
  for (const pin of pins) if (!pin.startsWith("OWNER/")) expect(pin).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const ownVersions = [...text.matchAll(/\btouchstone@v?(\d+\.\d+\.\d+)/g)].map(([, ownVersion]) => ownVersion);
  expect(new Set(ownVersions)).toEqual(new Set([version]));
});

describe("the steps of a page", () => {
  it("include only the commands of a workflow that start a server or Touchstone", () => {
    const page =
      "```yaml run\njobs:\n  a:\n    steps:\n      - uses: x\n      - run: npm ci\n      - run: node s.mjs &\n      - run: >-\n          npx touchstone run x\n          --quiet\n```\n";
    expect(stepsOf(page).map((step) => step.kind === "command" && step.command)).toEqual([
      "node s.mjs &",
      "npx touchstone run x --quiet",
    ]);
    const secret = page.replace("    steps:", "    env: { TOKEN: t }\n    steps:");
    expect(stepsOf(secret)).toMatchObject([{ env: { TOKEN: "t" } }, { env: { TOKEN: "t" } }]);
    expect(stepsOf(page.replace("yaml run", "yaml"))).toEqual([]);
  });

  it("include matrix jobs, once for each value, and the commands of GitLab and Jenkins", () => {
    const commands = (page: string): unknown[] =>
      stepsOf(page).map((step) => (step.kind === "command" ? [step.command, step.env] : step));
    const matrix = `strategy: { matrix: { part: [a, b] } }\n    env: { I: "\${{ strategy.job-index }}" }`;
    const job = `jobs:\n  x:\n    ${matrix}\n    steps:\n      - run: npx touchstone run \${{ matrix.part }}`;
    expect(commands(`\`\`\`yaml run\n${job}\n\`\`\`\n`)).toEqual([
      ["npx touchstone run a", { I: "0" }],
      ["npx touchstone run b", { I: "1" }],
    ]);
    expect(commands("```yaml run\nx:\n  script:\n    - npm ci\n    - npx touchstone run y\n```\n")).toEqual([
      ["npx touchstone run y", {}],
    ]);
    expect(commands("```groovy run\nsteps {\n  sh 'npm ci'\n  sh 'npx touchstone run z'\n}\n```\n")).toEqual([
      ["npx touchstone run z", {}],
    ]);
  });

  it("include files, console sessions and sh lines, except blocks marked not-run", () => {
    const page =
      "Save `a/b.json`:\n\n```json\n{}\n```\n\n```console\n$ one\nout\n…\n\n$ two\n```\n\n```sh\nthree    # says\n```\n\n```sh not-run\nfour\n```\n";
    expect(stepsOf(page)).toEqual([
      { kind: "file", file: "a/b.json", text: "{}\n" },
      { kind: "command", command: "one", shown: "out\n…", from: 8, to: 10 },
      { kind: "command", command: "two", shown: "", from: 12, to: 12 },
      { kind: "command", command: "three", shown: undefined, from: 15, to: 15 },
    ]);
  });
});
