export { drawFor, type ScenarioDraw } from "../../../running/scenarios/draw.ts";
