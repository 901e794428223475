/** Does something during which a library may not print: Hyperjump prints why it refuses an international name. */
export function runQuietly<T>(work: () => T): T {
  const { log } = console;
  console.log = () => {};
  try {
    return work();
  } finally {
    console.log = log;
  }
}
