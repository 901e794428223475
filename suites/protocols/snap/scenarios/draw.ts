export { type Draw, drawFor } from "../../../scenarios/draw.ts";
