export { explainName, namesOf } from "./explanation.ts";
export { placesOfRules, ruleParts } from "./map.ts";
export { playableScenarios } from "./scenario.ts";
