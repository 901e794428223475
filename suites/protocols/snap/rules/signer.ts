export { meet, sign } from "../post/index.ts";
