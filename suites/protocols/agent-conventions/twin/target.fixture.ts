import { answerLines, type JudgeText, judgingTarget, claims as known } from "../../../packs/twins/target.fixture.ts";
import { twin } from "./twin.ts";

/** The twin as a module target; as a command target if this file is run as a program. */
export const text = true;
export const claims: readonly string[] = known;
const judge: JudgeText = judgingTarget(twin);
export default judge;

if (process.argv[2] === "serve") await answerLines(twin);
