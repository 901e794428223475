export { type ChallengeOptions, privateSet } from "./private-set.ts";
