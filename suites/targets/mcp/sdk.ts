import { TouchstoneError } from "../../../schemas/index.ts";

const name = "@modelcontextprotocol/sdk";

/** Loads what needs the SDK, which is no part of the package: most users do without it. Throws a usage error where it is not installed. */
export async function withSdk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(name)) throw cause;
    throw new TouchstoneError("usage", `MCP servers are spoken to by ${name}, which is not installed`, {
      hint: `npm install --save-dev ${name}@1`,
      cause,
    });
  }
}
