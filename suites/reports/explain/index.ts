export { explained, namesOf } from "./explained.ts";
export { placesOfRules, ruleParts } from "./map.ts";
export { playable } from "./scenario.ts";
