export * from "../../schemas/index.ts";
export { commandTarget } from "./command.ts";
export { type HttpOptions, httpTarget } from "./http.ts";
export { type McpOptions, mcpTarget } from "./mcp.ts";
export { moduleTarget } from "./module.ts";
export { referenceTarget } from "./reference.ts";
export { targetFrom } from "./target-from.ts";
