// Submits, reads and the capability document have the same form and paths as in AHCP.
export { answers, isHeldLive } from "../../ahcp/rules/answers.ts";
