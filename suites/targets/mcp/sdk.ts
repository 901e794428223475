import { TouchstoneError } from "../../../schemas/index.ts";

const sdkName = "@modelcontextprotocol/sdk";

/** Loads the modules that need the SDK, which is not a dependency: most users do not need it. Throws a usage error if it is not installed. */
export async function withSdk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(sdkName)) throw cause;
    throw new TouchstoneError("usage", `MCP servers need the package ${sdkName}, which is not installed`, {
      hint: `npm install --save-dev ${sdkName}@1`,
      cause,
    });
  }
}
