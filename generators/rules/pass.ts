/** The number of open passes, and the caches filled within them. */
let passDepth = 0;
const filledCaches = new Set<Map<unknown, unknown>>();

/** Runs the rules on one instance. Within the task, functions of `readOnce` read each input once. */
export function inOnePass<T>(task: () => T): T {
  passDepth += 1;
  try {
    return task();
  } finally {
    passDepth -= 1;
    if (passDepth === 0) {
      for (const cache of filledCaches) cache.clear();
      filledCaches.clear();
    }
  }
}

/**
 * Caches a reading that several rules need of the same instance, such as a parsed recording. Within a pass, which does not change the instance, it is
 * made once; outside a pass, each time.
 */
export function readOnce<In, Out>(read: (input: In) => Out): (input: In) => Out {
  const cache = new Map<unknown, unknown>();
  return (given) => {
    if (passDepth === 0) return read(given);
    if (!cache.has(given)) cache.set(given, read(given));
    filledCaches.add(cache);
    return cache.get(given) as Out;
  };
}
