// Before any test: what users get is built once, for all tests that start a program of it.
import { bundled } from "./bundle.js";

export default async function setup() {
  process.env.TOUCHSTONE_BUILT = await bundled();
}
