export { explainName as explained, namesOf } from "./explanation.ts";
export { placesOfRules, ruleParts } from "./map.ts";
export { playableScenarios } from "./scenario.ts";
