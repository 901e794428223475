export { type Checked, type Complaint, checked } from "./checked.ts";
