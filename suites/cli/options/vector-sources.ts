import { TouchstoneError } from "../../../schemas/light-entry.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";

/** The possible sources of vectors, as the options of `generate` name them. */
export interface VectorSources {
  schema?: string[];
  module?: string;
  mcp?: string;
  ref?: string[];
  sample?: string[];
  out?: string;
  name?: string;
  formats?: string;
  tool?: string[];
  header?: unknown[];
}

/** Throws a usage error unless exactly one source is named, with options that fit it. */
export function mustBeOneSource(pack: string | undefined, sources: VectorSources): void {
  const { schema, module, mcp, ref, sample, out, name, formats, tool, header } = sources;
  const namedSources = Object.entries({ "the pack": pack, "--schema": schema, "--module": module, "--mcp": mcp })
    .filter(([, value]) => value !== undefined)
    .map(([source]) => source);
  const [first, second] = namedSources;
  if (mcp === undefined && (tool ?? header) !== undefined)
    throw new TouchstoneError("usage", `--${tool === undefined ? "header" : "tool"} needs --mcp`, {
      hint: "name an MCP server with --mcp",
    });
  if (first === undefined)
    throw new TouchstoneError("usage", "no source of vectors is named", {
      hint: "name a schema, --schema FILE, a module, --module FILE, an MCP server, --mcp CMD, or the folder of an existing pack",
    });
  if (pack === undefined && second !== undefined)
    throw new TouchstoneError("usage", `${first} and ${second} are two sources`, { hint: "give one of them" });
  if (mcp !== undefined) rejectOptions({ ref, sample, name, formats }, "cannot be used with --mcp", toolHint);
  if (pack === undefined) return;
  const isApiDescription = isDescription(pack);
  if (!isApiDescription) rejectOptions({ sample }, "cannot be used with a pack", sampleHint);
  const otherOptions = { schema, module, mcp, ref, sample, ...(isApiDescription ? {} : { out, name, formats }) };
  rejectOptions(
    otherOptions,
    "cannot be used with a pack",
    isApiDescription ? "the document has its schemas and examples" : packHint,
  );
}

const toolHint = "formats go into the profile.json that is made, and samples there under the document of the tool";
const packHint = "a pack has its schemas in schemas/, and its name and its formats in profile.json";
const sampleHint = "add the message to `samples` of its document in the profile.json of the pack";

function rejectOptions(options: Record<string, unknown>, problem: string, hint: string): void {
  const rejected = Object.entries(options).find(([, value]) => value !== undefined)?.[0];
  if (rejected !== undefined) throw new TouchstoneError("usage", `--${rejected} ${problem}`, { hint });
}
