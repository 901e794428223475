import { type TargetConfig, TouchstoneError } from "../../schemas/index.ts";

export interface TargetOptions {
  module?: string;
  command?: string;
  http?: string;
  reference?: true;
  variant?: string;
  header?: [name: string, value: string][];
  endpoint?: [document: string, path: string][];
}

/** The one target that the options name. Throws a usage error for none, for several, and for an option that goes with another. */
export function targetOf(options: TargetOptions): TargetConfig {
  const { module, command, http, reference, variant, header: headers, endpoint: endpoints } = options;
  const named: TargetConfig[] = [];
  if (module !== undefined) named.push({ kind: "module", file: module });
  if (command !== undefined) named.push({ kind: "command", command });
  if (http !== undefined) {
    named.push({
      kind: "http",
      url: http,
      ...(headers && { headers: Object.fromEntries(headers) }),
      ...(endpoints && { endpoints: Object.fromEntries(endpoints) }),
    });
  }
  if (reference) named.push({ kind: "reference", ...(variant !== undefined && { variant }) });
  const [target, ...others] = named;
  if (target === undefined || others.length > 0) {
    const what = target === undefined ? "no implementation is named" : `${named.length} implementations are named`;
    throw new TouchstoneError("usage", `${what}, one is needed`, { hint: ways });
  }
  if (headers !== undefined && target.kind !== "http") throw misplaced("--header", "--http");
  if (endpoints !== undefined && target.kind !== "http") throw misplaced("--endpoint", "--http");
  if (variant !== undefined && target.kind !== "reference") throw misplaced("--variant", "--reference");
  return target;
}

const ways = `name it in one of four ways:
    --module FILE     a JavaScript or TypeScript module: a validator, or a schema of a validation library
    --command "CMD"   a program in any language that answers JSON lines
    --http URL        a running server
    --reference       the built-in reference implementation, to see how it works`;

function misplaced(option: string, target: string): TouchstoneError {
  return new TouchstoneError("usage", `${option} goes only with ${target}`, {
    hint: `leave it out, or name ${target}`,
  });
}
