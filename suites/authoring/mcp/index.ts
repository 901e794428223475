export { documentsOf, type RefusedTool, type ToolDocuments } from "./documents.ts";
export { chooseTools, describeTools, joinToolNames, listTools } from "./listed-tools.ts";
