export { agent } from "./side.ts";
