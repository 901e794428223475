export { meet, sign } from "./meeting.ts";
