export { walks } from "./play.ts";
