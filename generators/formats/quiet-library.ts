/** Runs a function without the output of a library: Hyperjump prints why it refuses an international name. */
export function runQuietly<T>(work: () => T): T {
  const { log } = console;
  console.log = () => {};
  try {
    return work();
  } finally {
    console.log = log;
  }
}
