// Runs before any test: builds the published files once, for all tests that start a built program, and turns off the guard of scenarios against delays, because tests share the processors.
import { bundled } from "./bundle.js";

export default async function setup() {
  process.env.TOUCHSTONE_BUILT = await bundled();
  process.env.TOUCHSTONE_HELD_UP_MS = "60000";
}
