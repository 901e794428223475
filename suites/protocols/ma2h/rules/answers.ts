/** Submits, reads and the capability document have the form of AHCP's, and are found by their paths. */
export { answers, isHeldLive } from "../../ahcp/rules/answers.ts";
