export { confide } from "./confide.ts";
export { type Hider, hider, redacted } from "./hide.ts";
export { discreet } from "./output-filter.ts";
export { secretNames, secretsIn } from "./secret-members.ts";
