export { explained, namesOf } from "./explained.ts";
