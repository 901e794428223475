export { explained, namesOf } from "./explained.ts";
export { playable } from "./scenario.ts";
