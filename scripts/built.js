// Runs before any test: builds the published files once, for all tests that start a built program.
import { bundled } from "./bundle.js";

export default async function setup() {
  process.env.TOUCHSTONE_BUILT = await bundled();
}
