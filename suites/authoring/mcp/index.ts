export { documentsOf, type RefusedTool, type ToolDocuments } from "./documents.ts";
export { chooseTools, linesOf, listTools, namesOf } from "./listed-tools.ts";
