/** The time limit in milliseconds for closing one resource of a scenario. */
export const maxClosingMs = 5000;

/** Closes the connections and servers of a scenario, the last one first. A close that fails or hangs is ignored: the findings of the scenario stay. */
export async function closeAll(open: (() => Promise<void> | void)[]): Promise<void> {
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxClosingMs);
    });
    try {
      await Promise.race([last(), late]);
    } catch {
      // A close that fails is ignored.
    } finally {
      clearTimeout(timer);
    }
  }
}
