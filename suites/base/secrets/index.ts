export { rememberSecrets } from "./confide.ts";
export { createHider, type Hider, redactedText } from "./hide.ts";
export { hideSecrets } from "./output-filter.ts";
export { secretNames, secretsIn } from "./secret-members.ts";
