export { type CheckedSet as Checked, type Complaint, checkSet as checked } from "./checked-set.ts";
