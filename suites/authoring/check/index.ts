export { type Complaint, checkSet } from "./checked-set.ts";
