// Runs before all tests: builds the published files once, for tests that start a built program. Also disables the delay guard of scenarios,
// because tests share the processors.
import { bundled } from "./bundle.js";

export default async function setup() {
  process.env.TOUCHSTONE_BUILT = await bundled();
  process.env.TOUCHSTONE_HELD_UP_MS = "60000";
}
