export { documentsOf, type Refused, type ToolDocuments } from "./documents.ts";
export { chosen, linesOf, listedBy, namesOf } from "./listed.ts";
