export { resigned as sign } from "./signature.ts";
