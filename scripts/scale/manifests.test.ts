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
  const validationError = (yaml: string): string => {
    try {
      new Job(parse(yaml) as IJob).validate();
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("matches the schema of Kubernetes", () => {
    expect(validationError(manifest)).toBe("");
  });

  it.each([
    ["completionMode: Indexed", "completionMode: Indices", "/spec/completionMode"],
    ["backoffLimitPerIndex: 3", "backoffLimitPerIndex: three", "/spec/backoffLimitPerIndex"],
    ['value: "8"', "value: 8", "/spec/template/spec/containers/0/env/0/value"],
  ])("does not match if %s is replaced by %s", (original, mistaken, at) => {
    expect(validationError(manifest.replace(original, mistaken))).toContain(at);
  });

  it("has only members that Kubernetes defines: its schema allows others, but the server drops them", () => {
    expect(unknownIn(parse(manifest), declarations)).toEqual([]);
    const mistaken = manifest.replace("backoffLimitPerIndex", "backOffLimitPerIndex").replace("claimName", "claim");
    expect(unknownIn(parse(mistaken), declarations)).toEqual([
      "/spec/backOffLimitPerIndex",
      "/spec/template/spec/volumes/0/persistentVolumeClaim/claim",
    ]);
  });

  it("has completionMode Indexed, and does not allow more failed indexes than exist", () => {
    const { spec } = parse(manifest) as { spec: Record<string, number | string> };
    expect(spec).toMatchObject({ completionMode: "Indexed", backoffLimitPerIndex: expect.any(Number) });
    expect(spec.maxFailedIndexes).toBeLessThanOrEqual(Number(spec.completions));
  });
});

describe("the workflow of a matrix", () => {
  let parser: typeof import("@actions/workflow-parser");
  // The parser imports JSON like a bundler, which plain Node refuses.
  beforeAll(async () => {
    parser = await tsImport("@actions/workflow-parser", import.meta.url);
  });
  const errorsIn = async (content: string): Promise<string[]> => {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = parser;
    const { context, value } = parseWorkflow({ name: "matrix.yml", content }, new NoOperationTraceWriter());
    const parseErrors = context.errors.getErrors().map(({ message }) => message);
    if (value === undefined || parseErrors.length > 0) return parseErrors;
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
  ])("does not match if %s is replaced by %s", async (right, mistaken, why) => {
    expect((await errorsIn(text("matrix.yml").replace(right, mistaken))).join("; ")).toContain(why);
  });
});

/** Finds members of a value that the type in a declaration file does not have, as JSON pointers. Follows the imports of other types. */
function unknownIn(value: unknown, file: string, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownIn(item, file, `${at}/${index}`));
  if (typeof value !== "object" || value === null) return [];
  const members = membersOf(file);
  // A map allows any names.
  if (members.size === 0) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const pointer = `${at}/${name}`;
    const type = members.get(name);
    if (type === undefined) return [pointer];
    return type === "" ? [] : unknownIn(member, type, pointer);
  });
}

/** The members of the interface in a declaration file, each with the file of its type, or "" if the type is not from Kubernetes. */
function membersOf(file: string): Map<string, string> {
  const declarations = readFileSync(file, "utf8");
  const imports = new Map(
    [...declarations.matchAll(/import \{ (\w+) \} from "([^"]+)"/g)].map(([, type, from]) => [
      type,
      declarationOf(from, file),
    ]),
  );
  const [, body = ""] = /export interface \w+(?: extends \w+)? \{([\s\S]*?)\n\}/.exec(declarations) ?? [];
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
