export { documentsOf, type RefusedTool, type ToolDocuments } from "./documents.ts";
export { chooseTools as chosen, linesOf, listTools, namesOf } from "./listed-tools.ts";
