export { type Draw, drawFor } from "../../../running/scenarios/draw.ts";
