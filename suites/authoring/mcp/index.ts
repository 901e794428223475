export { documentsOf, type RefusedTool, type ToolDocuments } from "./documents.ts";
export { chooseTools as chosen, linesOf, listedBy, namesOf } from "./listed-tools.ts";
