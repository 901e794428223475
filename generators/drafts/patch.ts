// Until the rules name it where it is.
export { patched } from "../changes/patch.ts";
