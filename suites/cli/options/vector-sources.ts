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
  if (mcp !== undefined) refuse({ ref, sample, name, formats }, "cannot be used with --mcp", ofTool);
  if (pack === undefined) return;
  const isMade = isDescription(pack);
  if (!isMade) refuse({ sample }, "cannot be used with a pack", ofSamples);
  const otherOptions = { schema, module, mcp, ref, sample, ...(isMade ? {} : { out, name, formats }) };
  refuse(otherOptions, "cannot be used with a pack", isMade ? "the document has its schemas and examples" : ofPack);
}

const ofTool = "formats go into the profile.json that is made, and samples there under the document of the tool";
const ofPack = "a pack has its schemas in schemas/, and its name and its formats in profile.json";
const ofSamples = "add the message to `samples` of its document in the profile.json of the pack";

function refuse(options: Record<string, unknown>, why: string, hint: string): void {
  const unusable = Object.entries(options).find(([, value]) => value !== undefined)?.[0];
  if (unusable !== undefined) throw new TouchstoneError("usage", `--${unusable} ${why}`, { hint });
}
