export { documentsOf, type Refused, type ToolDocuments } from "./documents.ts";
export { chosen, linesOf, listedBy } from "./listed.ts";
