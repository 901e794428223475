export { secretNames, secretsIn } from "./carried.ts";
export { confide, discreet } from "./confided.ts";
export { type Hider, hider, redacted } from "./hide.ts";
