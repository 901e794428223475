export { bounds } from "../../ahcp/scenarios/index.ts";
export { scenarios } from "./all.ts";
