export { explainName as explained, namesOf } from "./explanation.ts";
export { placesOfRules, ruleParts } from "./map.ts";
export { playable } from "./scenario.ts";
