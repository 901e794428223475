/** Open passes, and the results read within them. */
let passDepth = 0;
const readings = new Set<Map<unknown, unknown>>();

/** Runs the rules on one instance; within the task, `readOnce` reads everything once. */
export function inOnePass<T>(task: () => T): T {
  passDepth += 1;
  try {
    return task();
  } finally {
    passDepth -= 1;
    if (passDepth === 0) {
      for (const known of readings) known.clear();
      readings.clear();
    }
  }
}

/**
 * A reading that several rules make of the same instance, such as a parsed recording. Within a pass, which changes nothing in the judged
 * value, it is made once; outside of one, each time.
 */
export function readOnce<In, Out>(read: (given: In) => Out): (given: In) => Out {
  const known = new Map<unknown, unknown>();
  return (given) => {
    if (passDepth === 0) return read(given);
    if (!known.has(given)) known.set(given, read(given));
    readings.add(known);
    return known.get(given) as Out;
  };
}
