import picomatch from "picomatch";
import { nearestName, TouchstoneError } from "../../../schemas/index.ts";
import { kindOf } from "./kind.ts";
import { type Operation, operationsOf } from "./operation.ts";
import { sourcesOf } from "./source.ts";

/** Whether a pattern matches an operation: by its name, its `operationId`, its method and path, or a glob of names. */
function isSelected({ name, method, path, value }: Operation, pattern: string): boolean {
  if ([name, value.operationId, `${method} ${path}`].includes(pattern)) return true;
  return /[*?[{]/.test(pattern) && !pattern.includes("/") && picomatch(pattern, { nonegate: true })(name);
}

/** The operations that patterns select, in their order. Without patterns, all of them. Throws a usage error for a pattern that matches nothing. */
export function chooseOperations(operations: readonly Operation[], patterns: readonly string[] = []): Operation[] {
  const unmatchedPattern = patterns.find((pattern) => !operations.some((operation) => isSelected(operation, pattern)));
  if (unmatchedPattern !== undefined)
    throw new TouchstoneError("usage", `unknown operation "${unmatchedPattern}"`, {
      hint: `${nearestName(
        unmatchedPattern,
        operations.map(({ name }) => name),
      )}name it by its operationId, or by method and path, such as "GET /pets"`,
    });
  if (patterns.length === 0) return [...operations];
  return operations.filter((operation) => patterns.some((pattern) => isSelected(operation, pattern)));
}

/** The names of the operations that patterns select, if all patterns match operations of an OpenAPI document; otherwise undefined. */
export async function matchOperations(path: string, patterns: readonly string[]): Promise<string[] | undefined> {
  if (patterns.length === 0) return undefined;
  const sources = await sourcesOf(path);
  if (kindOf(sources.root).name !== "openapi") return undefined;
  const operations = operationsOf(sources, [], []);
  const areAllMatched = patterns.every((pattern) => operations.some((operation) => isSelected(operation, pattern)));
  return areAllMatched ? chooseOperations(operations, patterns).map(({ name }) => name) : undefined;
}
