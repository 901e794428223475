import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type IJob, Job } from "kubernetes-models/batch/v1/Job";
import { tsImport } from "tsx/esm/api";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { home } from "../../schemas/index.ts";

const text = (name: string): string => readFileSync(join(home, "scripts/scale", name), "utf8");

describe("the manifest of an Indexed Job", () => {
  const declarations = createRequire(import.meta.url)
    .resolve("kubernetes-models/batch/v1/Job")
    .replace(/\.js$/, ".d.ts");
  const manifest = text("indexed-job.yaml");
  const wrong = (yaml: string): string => {
    try {
      new Job(parse(yaml) as IJob).validate();
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("matches the schema of Kubernetes", () => {
    expect(wrong(manifest)).toBe("");
  });

  it.each([
    ["completionMode: Indexed", "completionMode: Indices", "/spec/completionMode"],
    ["backoffLimitPerIndex: 3", "backoffLimitPerIndex: three", "/spec/backoffLimitPerIndex"],
    ['value: "8"', "value: 8", "/spec/template/spec/containers/0/env/0/value"],
  ])("would not match with %s as %s", (right, mistaken, at) => {
    expect(wrong(manifest.replace(right, mistaken))).toContain(at);
  });

  it("has only members that Kubernetes knows: its schema allows others, and the server drops them", () => {
    expect(unknownIn(parse(manifest), declarations)).toEqual([]);
    const mistaken = manifest.replace("backoffLimitPerIndex", "backOffLimitPerIndex").replace("claimName", "claim");
    expect(unknownIn(parse(mistaken), declarations)).toEqual([
      "/spec/backOffLimitPerIndex",
      "/spec/template/spec/volumes/0/persistentVolumeClaim/claim",
    ]);
  });

  it("may not set these without completionMode Indexed, nor allow more failed indexes than exist", () => {
    const { spec } = parse(manifest) as { spec: Record<string, number | string> };
    expect(spec).toMatchObject({ completionMode: "Indexed", backoffLimitPerIndex: expect.any(Number) });
    expect(spec.maxFailedIndexes).toBeLessThanOrEqual(Number(spec.completions));
  });
});

describe("the workflow of a matrix", () => {
  let parser: typeof import("@actions/workflow-parser");
  // It imports JSON as bundlers do, which Node by itself refuses.
  beforeAll(async () => {
    parser = await tsImport("@actions/workflow-parser", import.meta.url);
  });
  const errorsIn = async (content: string): Promise<string[]> => {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = parser;
    const { context, value } = parseWorkflow({ name: "matrix.yml", content }, new NoOperationTraceWriter());
    const own = context.errors.getErrors().map(({ message }) => message);
    if (value === undefined || own.length > 0) return own;
    const { errors = [] } = await convertWorkflowTemplate(context, value);
    return errors.map(({ Message: message }) => message);
  };

  it("matches the schema of GitHub", async () => {
    expect(await errorsIn(text("matrix.yml"))).toEqual([]);
  });

  it.each([
    ["fail-fast: false", "failfast: false", "Unexpected value 'failfast'"],
    ["needs: work", "needs: works", "unknown job 'works'"],
    ["matrix.shard }}", "matrix.shard", "expression"],
    ["contents: read", "contents: reading", "Unexpected value 'reading'"],
  ])("would not match with %s as %s", async (right, mistaken, why) => {
    expect((await errorsIn(text("matrix.yml").replace(right, mistaken))).join("; ")).toContain(why);
  });
});

/** Members of a value that the type of a declaration file does not have, as pointers. Types of other files are followed by their imports. */
function unknownIn(value: unknown, file: string, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => unknownIn(each, file, `${at}/${index}`));
  if (typeof value !== "object" || value === null) return [];
  const members = membersOf(file);
  // A map, whose names are anybody's.
  if (members.size === 0) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const pointer = `${at}/${name}`;
    const type = members.get(name);
    if (type === undefined) return [pointer];
    return type === "" ? [] : unknownIn(each, type, pointer);
  });
}

/** The members of a declaration file's interface, each with the file of its type, or with "" where it is not of Kubernetes. */
function membersOf(file: string): Map<string, string> {
  const declared = readFileSync(file, "utf8");
  const imports = new Map(
    [...declared.matchAll(/import \{ (\w+) \} from "([^"]+)"/g)].map(([, type, from]) => [
      type,
      declarationOf(from, file),
    ]),
  );
  const [, body = ""] = /export interface \w+(?: extends \w+)? \{([\s\S]*?)\n\}/.exec(declared) ?? [];
  return new Map(
    [...body.matchAll(/^ {4}"(\w+)"\??: (?:Array<)?(\w*)/gm)].map(([, name, type]) => [
      name as string,
      imports.get(type) ?? "",
    ]),
  );
}

function declarationOf(from: string | undefined, file: string): string {
  const path = from?.startsWith(".")
    ? join(dirname(file), from)
    : createRequire(import.meta.url)
        .resolve(from as string)
        .replace(/\.js$/, "");
  return existsSync(`${path}.d.ts`) ? `${path}.d.ts` : "";
}
