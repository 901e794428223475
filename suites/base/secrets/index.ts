export { secretNames, secretsIn } from "./carried.ts";
export { confide } from "./confide.ts";
export { discreet } from "./confided.ts";
export { type Hider, hider, redacted } from "./hide.ts";
